// The state of the table in the URL, in the names of the API, and the query that follows from it. Pure.
import type { Filters, FilterValue, TableView } from '../../ui/table/table-types.ts';
import { type RawSearch, readAll, readCount, readText } from '../../url/url-state.ts';
import { startOfDay } from './start-of-day.ts';

/** How a filter of the table is sent: as values, or as two ends. */
type Parameter = { kind: 'values'; name: string } | { kind: 'range'; from: string; to: string; isDay: boolean };

const range = (name: string): Parameter => ({ kind: 'range', from: `${name}Min`, to: `${name}Max`, isDay: false });

/** The parameters of each filter, by its id. */
export const parameters: Readonly<Record<string, Parameter>> = {
  status: { kind: 'values', name: 'status' },
  group: { kind: 'values', name: 'groupId' },
  tags: { kind: 'values', name: 'tags' },
  page: { kind: 'values', name: 'pageState' },
  payoutDetails: { kind: 'values', name: 'hasPayoutDetails' },
  invited: { kind: 'values', name: 'wasInvited' },
  joined: { kind: 'range', from: 'createdFrom', to: 'createdTo', isDay: true },
  lastSale: { kind: 'range', from: 'lastSaleFrom', to: 'lastSaleTo', isDay: true },
  clicks: range('clicks'),
  conversions: range('conversions'),
  sales: range('salesCents'),
  commission: range('commissionCents'),
  balance: range('balanceCents'),
  epc: range('earningsPerClickCents'),
  conversionRate: range('conversionRate'),
};

const defaultPageSize = 50;

/** The filters, sort and page in the URL. */
export function readView(search: RawSearch): TableView {
  const size = readCount(search, 'size', 1) ?? defaultPageSize;
  return {
    search: readText(search, 'search') ?? '',
    filters: readFilters(search),
    sort: readText(search, 'sort') ?? null,
    page: readCount(search, 'page') ?? 0,
    pageSize: [25, 50, 100, 200].includes(size) ? size : defaultPageSize,
  };
}

function readFilters(search: RawSearch): Filters {
  const found = Object.entries(parameters).flatMap(([id, parameter]): [string, FilterValue][] => {
    if (parameter.kind === 'values') {
      const values = readAll(search, parameter.name);
      return values.length === 0 ? [] : [[id, { kind: 'options', operator: 'is', values }]];
    }
    const [from, to] = [readText(search, parameter.from) ?? null, readText(search, parameter.to) ?? null];
    return from === null && to === null ? [] : [[id, { kind: 'range', from, to }]];
  });
  return Object.fromEntries(found);
}

export type Patch = Record<string, string | readonly string[] | null>;

/** The URL's parameters for a view; those that it doesn't have are null. */
export function toPatch({ search, filters, sort, page, pageSize }: TableView): Patch {
  const patch: Patch = {
    search: search || null,
    sort,
    page: page === 0 ? null : String(page),
    size: pageSize === defaultPageSize ? null : String(pageSize),
  };
  for (const [id, parameter] of Object.entries(parameters)) {
    const value = filters[id];
    if (parameter.kind === 'values') patch[parameter.name] = value?.kind === 'options' ? value.values : null;
    else {
      patch[parameter.from] = value?.kind === 'range' ? value.from : null;
      patch[parameter.to] = value?.kind === 'range' ? value.to : null;
    }
  }
  return patch;
}

export type Filter = Record<string, string | readonly string[]>;

/** What the API filters by. Days start in the program's time zone; the last day is included. */
export function toFilter({ search, filters }: Pick<TableView, 'search' | 'filters'>, timezone: string): Filter {
  const filter: Filter = search === '' ? {} : { search };
  for (const [id, value] of Object.entries(filters)) {
    const parameter = parameters[id];
    if (parameter === undefined) continue;
    if (parameter.kind === 'values') {
      if (value.kind === 'options') filter[parameter.name] = isFlag(id) ? (value.values[0] ?? '') : value.values;
    } else if (value.kind === 'range') {
      if (value.from !== null) filter[parameter.from] = parameter.isDay ? startOfDay(value.from, timezone) : value.from;
      if (value.to !== null) filter[parameter.to] = parameter.isDay ? startOfDay(value.to, timezone, 1) : value.to;
    }
  }
  return filter;
}

function isFlag(id: string): boolean {
  return id === 'payoutDetails' || id === 'invited';
}
