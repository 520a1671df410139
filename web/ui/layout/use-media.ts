import { useSyncExternalStore } from 'react';

/** Whether a media query matches, kept up to date. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
}

/** Below this width, tables become lists and sheets come from the bottom. */
export function useIsPhone(): boolean {
  return useMedia('(max-width: 640px)');
}

/** Whether the user asked for less motion, from the first render on: the component library knows it only after the first. */
export function useReducedMotion(): boolean {
  return useMedia('(prefers-reduced-motion: reduce)');
}
