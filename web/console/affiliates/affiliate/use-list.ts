import type { TableView } from '../../../ui/table/table-types.ts';
import { useAffiliateView } from './view.ts';

type ListState<Sort extends string> = {
  view: TableView;
  onViewChange: (view: TableView) => void;
  query: { limit: number; offset: number; sort: Sort | undefined };
};

/** The state of a tab's table, and the query that it means. Sorts that the list doesn't know are dropped. */
export function useList<const Sort extends string>(sorts: readonly Sort[]): ListState<Sort> {
  const [{ sort, page, pageSize }, setView] = useAffiliateView();
  const known = sorts.find((each) => each === sort);
  return {
    view: { search: '', filters: {}, sort: known ?? null, page, pageSize },
    onViewChange: (next) => setView({ sort: next.sort, page: next.page, pageSize: next.pageSize }),
    query: { limit: pageSize, offset: page * pageSize, sort: known },
  };
}
