// The list of conversions in the URL: the tab, filters, order and page, and how the API is asked for them. Pure.
import { type FilterValue, pageSizes, type TableView } from '../../ui/table/table-types.ts';
import { type RawSearch, readAll, readCount, readOne, readSome, readText } from '../../url/url-state.ts';

export const tabs = ['all', 'unattributed', 'none', 'held'] as const;
export type Tab = (typeof tabs)[number];

export const statuses = ['pending', 'held', 'approved', 'paid', 'reversed', 'rejected'] as const;
export const sources = ['affiliate', 'coupon', 'click', 'referral_code', 'customer'] as const;
export const unattributedReasons = [
  'no_signal',
  'outranked',
  'unknown',
  'affiliate_not_active',
  'outside_the_window',
  'after_the_order',
  'click_has_priority',
  'checkout_hijack',
  'archived',
  'not_started',
  'ended',
  'used_up',
  'below_minimum',
  'other_products',
] as const;
const sorts = ['createdAt', 'occurredAt', 'amountCents', 'commissionCents', 'refundedCents'] as const;
const flags = ['true', 'false'] as const;

export type ListState = { tab: Tab; affiliateIds: string[]; view: TableView };

/** Reads the URL; values that it doesn't know are dropped. */
export function readList(raw: RawSearch): ListState {
  const sort = sorts.flatMap((name) => [`-${name}`, name]).find((each) => each === readText(raw, 'sort')) ?? '-createdAt';
  const options = (name: string, values: readonly string[]): [string, FilterValue][] =>
    values.length === 0 ? [] : [[name, { kind: 'options', operator: 'is', values }]];
  const range = (name: string, from: string | undefined, to: string | undefined): [string, FilterValue][] =>
    from === undefined && to === undefined ? [] : [[name, { kind: 'range', from: from ?? null, to: to ?? null }]];
  const cents = (name: string) => readCount(raw, name)?.toString();
  const day = (name: string) => [readText(raw, name)].find((text) => text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text));
  const filters = Object.fromEntries([
    ...options('status', readSome(raw, 'status', statuses)),
    ...options('method', readSome(raw, 'method', sources)),
    ...options('reason', readSome(raw, 'reason', unattributedReasons)),
    ...options('conflict', readSome(raw, 'conflict', flags)),
    ...options('refunded', readSome(raw, 'refunded', flags)),
    ...range('amount', cents('amountMinCents'), cents('amountMaxCents')),
    ...range('occurred', day('from'), day('to')),
  ]);
  const pageSize = pageSizes.find((size) => size === readCount(raw, 'rows')) ?? 50;
  return {
    tab: readOne(raw, 'view', tabs) ?? 'all',
    affiliateIds: readAll(raw, 'affiliateId'),
    view: { search: readText(raw, 'search') ?? '', filters, sort, page: readCount(raw, 'page') ?? 0, pageSize },
  };
}

/** What changes in the URL for a view of the table. */
export function toPatch({ search, filters, sort, page, pageSize }: TableView) {
  const values = (name: string) => {
    const filter = filters[name];
    return filter?.kind === 'options' ? filter.values : [];
  };
  const end = (name: string, which: 'from' | 'to') => {
    const filter = filters[name];
    return filter?.kind === 'range' ? filter[which] : null;
  };
  return {
    search,
    status: values('status'),
    method: values('method'),
    reason: values('reason'),
    conflict: values('conflict'),
    refunded: values('refunded'),
    amountMinCents: end('amount', 'from'),
    amountMaxCents: end('amount', 'to'),
    from: end('occurred', 'from'),
    to: end('occurred', 'to'),
    sort: sort === '-createdAt' ? null : sort,
    page: page === 0 ? null : page,
    rows: pageSize === 50 ? null : pageSize,
  };
}

type Flag = (typeof flags)[number];

/** The filters of the API. Days begin and end in the time zone of the program. */
export function toFilters({ tab, affiliateIds, view }: ListState, timezone: string) {
  const { search } = view;
  const raw = toPatch(view) as unknown as RawSearch;
  const status = tab === 'held' ? ['held' as const] : readSome(raw, 'status', statuses);
  return {
    search: search === '' ? undefined : search,
    status: status.length === 0 ? undefined : status,
    method: emptyToUndefined(readSome(raw, 'method', sources)),
    affiliateId: emptyToUndefined(affiliateIds),
    commission: tab === 'none' ? ('none' as const) : undefined,
    conflict: readOne(raw, 'conflict', flags) satisfies Flag | undefined,
    refunded: readOne(raw, 'refunded', flags) satisfies Flag | undefined,
    ...toRanges(view, timezone),
  };
}

/** The filters of unattributed orders, without those that only a conversion has. */
export function toUnattributedFilters({ view }: ListState, timezone: string) {
  const reason = emptyToUndefined(readSome(toPatch(view) as unknown as RawSearch, 'reason', unattributedReasons));
  return { search: view.search === '' ? undefined : view.search, reason, resolved: 'false' as const, ...toRanges(view, timezone) };
}

function toRanges({ filters }: TableView, timezone: string) {
  const { amount, occurred } = filters;
  const [min, max] = amount?.kind === 'range' ? [amount.from, amount.to] : [null, null];
  const [from, to] = occurred?.kind === 'range' ? [occurred.from, occurred.to] : [null, null];
  return {
    amountMinCents: min === null ? undefined : Number(min),
    amountMaxCents: max === null ? undefined : Number(max),
    occurredFrom: from === null ? undefined : startOfDay(from, timezone),
    occurredTo: to === null ? undefined : startOfDay(nextDay(to), timezone),
  };
}

function emptyToUndefined<T>(values: T[]): T[] | undefined {
  return values.length === 0 ? undefined : values;
}

export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** The instant at which a day begins in a time zone. */
export function startOfDay(day: string, timezone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const guess = midnight - offsetAt(midnight, timezone);
  // Around a change of the clock, the offset at that instant differs from the one at midnight UTC.
  return new Date(midnight - offsetAt(guess, timezone)).toISOString();
}

/** How far the clocks of a time zone are ahead of UTC at an instant, in milliseconds. */
function offsetAt(instant: number, timezone: string): number {
  const options = { timeZone: timezone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' } as const;
  const local = new Intl.DateTimeFormat('sv-SE', options).format(instant);
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;
}
