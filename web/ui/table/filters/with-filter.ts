import type { Filters, FilterValue, TableView } from '../table-types.ts';

/** Sets or removes one filter, and returns to the first page. */
export function withFilter(view: TableView, id: string, value: FilterValue | null): TableView {
  const others = Object.entries(view.filters).filter(([name]) => name !== id);
  const filters: Filters = Object.fromEntries(value === null ? others : [...others, [id, value]]);
  return { ...view, filters, page: 0 };
}
