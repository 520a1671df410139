import { createOpenState } from '../../dialog/open-state.ts';

export const shortcutListState = createOpenState();

/** Opens the list of shortcuts from anywhere. */
export const openShortcutList = (): void => shortcutListState.set(true);
