// The state of the mailbox in the URL, in the names of the API, and the query that follows from it. Pure.
import type { FilterValue, TableView } from '../../../ui/table/table-types.ts';
import { type RawSearch, readAll, readCount, readText } from '../../../url/url-state.ts';

/** Filters by id, which is also the name of their parameter. */
const filterIds = ['status', 'kind'] as const;

const defaultPageSize = 50;
const sizes = [25, 50, 100, 200];

export function readView(search: RawSearch): TableView {
  const size = readCount(search, 'size', 1) ?? defaultPageSize;
  const filters = filterIds.flatMap((id): [string, FilterValue][] => {
    const values = readAll(search, id);
    return values.length === 0 ? [] : [[id, { kind: 'options', operator: 'is', values }]];
  });
  return {
    search: readText(search, 'search') ?? '',
    filters: Object.fromEntries(filters),
    sort: readText(search, 'sort') ?? null,
    page: readCount(search, 'page') ?? 0,
    pageSize: sizes.includes(size) ? size : defaultPageSize,
  };
}

/** The URL's parameters for a view; those that it doesn't have are null. */
export function toPatch({ search, filters, sort, page, pageSize }: TableView): Record<string, string | readonly string[] | null> {
  const values = (id: string) => {
    const filter = filters[id];
    return filter?.kind === 'options' ? filter.values : null;
  };
  return {
    search: search || null,
    status: values('status'),
    kind: values('kind'),
    sort,
    page: page === 0 ? null : String(page),
    size: pageSize === defaultPageSize ? null : String(pageSize),
  };
}

/** The query of the API. */
export function toQuery(view: TableView): Record<string, unknown> {
  const { search, status, kind } = toPatch(view);
  return {
    search: search ?? undefined,
    status: status ?? undefined,
    kind: kind ?? undefined,
    sort: view.sort ?? undefined,
    limit: view.pageSize,
    offset: view.page * view.pageSize,
  };
}
