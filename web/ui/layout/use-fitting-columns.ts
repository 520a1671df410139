// Columns for amounts, which are never shortened: all in one row, or in rows of nearly equal length.
import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Sets `--columns` of a grid with `count` parts to the largest number at which no part leaves it. It measures after every
 * render, because amounts change, and when the width changes or a font was loaded.
 */
export function useFittingColumns<Element extends HTMLElement>(count: number): RefObject<Element | null> {
  const grid = useRef<Element>(null);
  useLayoutEffect(() => {
    const measured = grid.current;
    if (!measured) return;
    const fit = () => {
      for (const columns of [count, Math.ceil(count / 2), 2, 1]) {
        measured.style.setProperty('--columns', String(columns));
        if (measured.scrollWidth <= measured.clientWidth) return;
      }
    };
    fit();
    document.fonts.addEventListener('loadingdone', fit);
    addEventListener('resize', fit);
    return () => {
      document.fonts.removeEventListener('loadingdone', fit);
      removeEventListener('resize', fit);
    };
  });
  return grid;
}
