import { createContext, useContext } from 'react';

export type SchemeChoice = 'light' | 'dark' | 'auto';

type ColorScheme = {
  /** What the user chose. */
  choice: SchemeChoice;
  /** What is shown. */
  applied: 'light' | 'dark';
  choose: (choice: SchemeChoice) => void;
};

export const ColorSchemeContext = createContext<ColorScheme>({ choice: 'auto', applied: 'light', choose: () => {} });

/** The current colour scheme and how to change it. */
export function useColorScheme(): ColorScheme {
  return useContext(ColorSchemeContext);
}
