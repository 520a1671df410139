import { useCallback, useMemo } from 'react';
import { useFigures } from '../ui/figures/context.ts';
import type { TableView } from '../ui/table/table-types.ts';
import { useSearchState } from './search-state.ts';
import type { TableState } from './table-state.ts';

/** The view of a table in the URL, how to change it, and the query of the API that follows from it. */
export function useTable<Parameters, Sort extends string>(table: TableState<Parameters, Sort>) {
  const { timezone } = useFigures();
  const [view, change] = useSearchState(table.read);
  const setView = useCallback(
    (next: TableView) => change(table.toPatch(next), { isTyping: next.search !== view.search }),
    [table, change, view.search],
  );
  const query = useMemo(() => table.toQuery(view, timezone), [table, view, timezone]);
  return { view, setView, query };
}
