import { createOpenState } from '../../dialog/open-state.ts';

export const paletteState = createOpenState();

/** Opens the palette from anywhere. */
export const openPalette = (): void => paletteState.set(true);
