// The state of a table in the URL, declared once per table: its search, filters, sort and page, and the query of the API that
// follows from them. Values that the declaration doesn't know are dropped. Pure.
import { pageSizes, type TableView } from '../ui/table/table-types.ts';
import type { Patch, TableFilter } from './table-filters.ts';
import { type RawSearch, readCount, readText } from './url-state.ts';

type Filters = Readonly<Record<string, TableFilter<object>>>;

/** The parameters of all filters together. */
type ParametersOf<F extends Filters> = {
  [Id in keyof F]: F[Id] extends TableFilter<infer Query> ? (query: Query) => void : never;
}[keyof F] extends (query: infer All) => void
  ? All
  : never;

type Search = { search?: string };
type Paging<Sort extends string> = { sort?: Sort | `-${Sort}`; limit: number; offset?: number; cursor?: string };

export type TableState<Parameters, Sort extends string> = {
  read: (raw: RawSearch) => TableView;
  /** The URL's parameters for a view; those that it doesn't have are null. */
  toPatch: (view: TableView) => Patch;
  /** What the API filters by. */
  toFilter: (view: Pick<TableView, 'search' | 'filters'>, timezone: string) => Parameters & Search;
  /** The whole query of the API: filters, sort and page. */
  toQuery: (view: TableView, timezone: string) => Parameters & Search & Paging<Sort>;
};

type Declaration<F extends Filters, Sort extends string> = {
  /** By the ids of the table's filter definitions. */
  filters: F;
  /** The fields that the API sorts by. */
  sorts: readonly Sort[];
  /** The order without a choice; null leaves it to the API. */
  defaultSort?: Sort | `-${Sort}` | null;
  defaultPageSize?: (typeof pageSizes)[number];
};

/** Declares the state of a table. */
export function tableState<const F extends Filters, const Sort extends string>(
  declaration: Declaration<F, Sort>,
): TableState<ParametersOf<F>, Sort> {
  const { filters, sorts, defaultSort = null, defaultPageSize = 50 } = declaration;
  const ids = Object.keys(filters);
  const orders = sorts.flatMap((field) => [field, `-${field}`] as const);
  const findSort = (text: string | null | undefined) => orders.find((each) => each === text) ?? defaultSort;
  const toFilter = ({ search, filters: chosen }: Pick<TableView, 'search' | 'filters'>, timezone: string) => {
    const parameters = ids.map((id) => {
      const value = chosen[id];
      return value === undefined ? {} : filters[id]?.toQuery(value, timezone);
    });
    return Object.assign({}, search === '' ? null : { search }, ...parameters) as ParametersOf<F> & Search;
  };
  return {
    read: (raw) => ({
      search: readText(raw, 'search') ?? '',
      filters: Object.fromEntries(
        ids.flatMap((id) => {
          const value = filters[id]?.read(raw) ?? null;
          return value === null ? [] : [[id, value]];
        }),
      ),
      sort: findSort(readText(raw, 'sort')),
      page: readCount(raw, 'page') ?? 0,
      pageSize: pageSizes.find((size) => size === readCount(raw, 'size')) ?? defaultPageSize,
      cursor: (readCount(raw, 'page') ?? 0) === 0 ? null : (readText(raw, 'cursor') ?? null),
    }),
    toPatch: ({ search, filters: chosen, sort, page, pageSize, cursor }) => {
      const paging: Patch = {
        search: search || null,
        sort: sort === defaultSort ? null : sort,
        page: page === 0 ? null : String(page),
        size: pageSize === defaultPageSize ? null : String(pageSize),
        cursor: page === 0 ? null : cursor,
      };
      return Object.assign(paging, ...ids.map((id) => filters[id]?.toPatch(chosen[id])));
    },
    toFilter,
    toQuery: (view, timezone) => {
      const sort = findSort(view.sort);
      const place = view.cursor === null ? { offset: view.page * view.pageSize } : { cursor: view.cursor };
      const paging = Object.assign({ limit: view.pageSize }, place);
      return Object.assign(toFilter(view, timezone), paging, sort === null ? null : { sort });
    },
  };
}
