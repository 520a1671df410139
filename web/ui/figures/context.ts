// Language, time zone and the time, for every figure on the screen.
import { createContext, useContext } from 'react';

export type Language = 'en' | 'de';

type Figures = { language: Language; timezone: string; now: number };

export const FiguresContext = createContext<Figures>({ language: 'en', timezone: 'UTC', now: 0 });

/** What formatting needs to know about the user. */
export function useFigures(): Figures {
  return useContext(FiguresContext);
}
