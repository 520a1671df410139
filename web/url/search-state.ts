// Filters, sort and page of a screen, kept in its URL: links, Back and reloading restore them.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { RawSearch } from './url-state.ts';

type Patch = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

/** Reads the URL's parameters with `read`, and changes some of them; null or '' removes one. Typing replaces the entry of the history. */
export function useSearchState<S>(read: (raw: RawSearch) => S): [S, (patch: Patch, options?: { isTyping?: boolean }) => void] {
  const raw = useSearch({ strict: false }) as RawSearch;
  const navigate = useNavigate();
  const change = useCallback(
    (patch: Patch, { isTyping = false } = {}) =>
      void navigate({
        to: '.',
        search: ((previous: RawSearch) => withPatch(previous, patch)) as never,
        replace: isTyping,
        resetScroll: false,
      }),
    [navigate],
  );
  const state = useMemo(() => read(raw), [read, raw]);
  return [state, change];
}

function withPatch(previous: RawSearch, patch: Patch): RawSearch {
  const merged = Object.entries({ ...previous, ...patch }).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return [];
    return [[name, Array.isArray(value) ? value.map(String) : String(value)] as const];
  });
  return Object.fromEntries(merged);
}
