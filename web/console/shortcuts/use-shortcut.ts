import { useEffect, useRef, useSyncExternalStore } from 'react';
import { addShortcut, currentShortcuts, handleKey, onShortcuts, type Shortcut } from './registry.ts';

type Given = Omit<Shortcut, 'group' | 'keys'> & { keys: string | undefined; group?: Shortcut['group']; isEnabled?: boolean };

/** Registers a shortcut while the component is shown. */
export function useShortcut({ keys, label, group = 'screen', isGlobal = false, isEnabled = true, run }: Given): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!isEnabled || keys === undefined) return;
    return addShortcut({ keys, label, group, isGlobal, run: () => latest.current() });
  }, [keys, label, group, isGlobal, isEnabled]);
}

/** The shortcuts that work now. */
export function useCurrentShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(onShortcuts, currentShortcuts);
}

/** Listens for all shortcuts; used once, by the shell. */
export function useShortcutKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}
