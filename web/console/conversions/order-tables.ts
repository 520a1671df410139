// The tables of orders and of unattributed orders in the URL: the tab, filters, order and page. Pure.
import { days, numbers, oneOf, someOf } from '../../url/table-filters.ts';
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readAll, readOne } from '../../url/url-state.ts';
import { missingOfOrder, type Narrowings, orderNarrowings, readNarrowings } from './narrowings.ts';

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
const flags = ['true', 'false'] as const;

const amount = numbers('amountMinCents', 'amountMaxCents');
const occurred = days('occurredFrom', 'occurredTo', ['from', 'to']);

export const orderTable = tableState({
  filters: {
    status: someOf('status', statuses),
    method: someOf('method', sources),
    conflict: oneOf('conflict', flags),
    refunded: oneOf('refunded', flags),
    amount,
    occurred,
  },
  sorts: ['createdAt', 'occurredAt', 'amountCents', 'commissionCents', 'refundedCents'],
  defaultSort: '-createdAt',
});

export const unattributedTable = tableState({
  filters: { reason: someOf('reason', unattributedReasons), amount, occurred },
  sorts: ['createdAt', 'occurredAt', 'amountCents'],
  defaultSort: '-createdAt',
});

/** What links from other screens narrow the list to. */
export const narrowings = [...orderNarrowings, 'device', 'without'] as const;

/** The tab, and what the orders are narrowed to: several affiliates, or one of anything else. */
export type Listing = {
  tab: Tab;
  affiliateIds: string[];
  only: Narrowings<(typeof orderNarrowings)[number], (typeof missingOfOrder)[number]>;
};

export function readListing(raw: RawSearch): Listing {
  const only = readNarrowings(raw, orderNarrowings, missingOfOrder);
  return { tab: readOne(raw, 'view', tabs) ?? 'all', affiliateIds: readAll(raw, 'affiliateId'), only };
}

type Filter = ReturnType<typeof orderTable.toFilter>;

/** Adds what the tab and the link that led here filter by. */
export function narrow<F extends Filter>(filter: F, { tab, affiliateIds, only }: Listing) {
  return {
    ...filter,
    ...only,
    status: tab === 'held' ? ['held' as const] : filter.status,
    affiliateId: affiliateIds.length === 0 ? undefined : affiliateIds,
    commission: tab === 'none' ? ('none' as const) : undefined,
  };
}
