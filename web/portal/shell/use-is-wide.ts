import { useMedia } from '../../ui/layout/use-media.ts';

/** From this width, the navigation is in the header and screens have two columns. */
export function useIsWide(): boolean {
  return useMedia('(min-width: 860px)');
}
