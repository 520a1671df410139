import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { announce } from '../ui/overlay/announcements.ts';

/** After a navigation the focus starts at the new screen, whose title is announced; scrolling and filters don't move it. */
export function useVisitedPage() {
  const pathname = useRouterState({ select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname });
  const mainRef = useRef<HTMLElement>(null);
  const startRef = useRef<HTMLSpanElement>(null);
  const visited = useRef(pathname);
  useEffect(() => {
    if (visited.current === pathname) return;
    visited.current = pathname;
    mainRef.current?.focus({ preventScroll: true });
    // The screen sets the title when it renders.
    const timer = setTimeout(() => announce(document.title), 100);
    return () => clearTimeout(timer);
  }, [pathname]);
  return { mainRef, startRef };
}
