// How high the rows of tables are: one choice for all tables. The app provides it, and stores it with the user.
import { createContext } from 'react';

export type Density = 'comfortable' | 'compact';

type Choice = { density: Density; setDensity: ((density: Density) => void) | null };

/** Without a provider, rows are comfortable and there is nothing to choose. */
export const DensityContext = createContext<Choice>({ density: 'comfortable', setDensity: null });
