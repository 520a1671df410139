import { useSyncExternalStore } from 'react';
import type { OpenState } from './open-state.ts';

/** Follows whether it is open. */
export function useOpenState(state: OpenState): boolean {
  return useSyncExternalStore(state.subscribe, state.get);
}
