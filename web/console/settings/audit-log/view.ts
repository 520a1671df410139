// The state of the audit log in the URL, in the names of the API, and the query that follows from it. Pure.
import type { FilterValue, TableView } from '../../../ui/table/table-types.ts';
import { type RawSearch, readAll, readCount, readSome, readText } from '../../../url/url-state.ts';
import { nextDay, startOfDay } from '../../conversions/view.ts';

export const actorKinds = ['user', 'api_key', 'provider', 'schedule', 'command'] as const;

const defaultPageSize = 50;
const sizes = [25, 50, 100, 200];
const defaultSort = '-createdAt';

export function readView(search: RawSearch): TableView {
  const size = readCount(search, 'size', 1) ?? defaultPageSize;
  const options = (id: string, values: readonly string[]): [string, FilterValue][] =>
    values.length === 0 ? [] : [[id, { kind: 'options', operator: 'is', values }]];
  const day = (name: string) => [readText(search, name)].find((text) => text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text)) ?? null;
  const [from, to] = [day('from'), day('to')];
  const created: [string, FilterValue][] = from === null && to === null ? [] : [['created', { kind: 'range', from, to }]];
  return {
    search: readText(search, 'search') ?? '',
    filters: Object.fromEntries([
      ...options('actorKind', readSome(search, 'actorKind', actorKinds)),
      ...options('actorId', readAll(search, 'actorId').slice(0, 1)),
      ...created,
    ]),
    sort: readText(search, 'sort') === 'createdAt' ? 'createdAt' : defaultSort,
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
  const { created } = filters;
  return {
    search: search || null,
    actorKind: values('actorKind'),
    actorId: values('actorId'),
    from: created?.kind === 'range' ? created.from : null,
    to: created?.kind === 'range' ? created.to : null,
    sort: sort === defaultSort ? null : sort,
    page: page === 0 ? null : String(page),
    size: pageSize === defaultPageSize ? null : String(pageSize),
  };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The filters of the API: the search is an id, or the name of an action. Days begin in the time zone of the program. */
export function toFilters(view: TableView, timezone: string) {
  const { actorKind, actorId, from, to } = toPatch(view) as Record<string, string | string[] | null>;
  const text = view.search.trim();
  return {
    subjectId: uuid.test(text) ? text : undefined,
    action: text === '' || uuid.test(text) ? undefined : text,
    actorKind: actorKind ?? undefined,
    actorId: actorId?.[0],
    createdFrom: typeof from === 'string' ? startOfDay(from, timezone) : undefined,
    createdTo: typeof to === 'string' ? startOfDay(nextDay(to), timezone) : undefined,
  };
}
