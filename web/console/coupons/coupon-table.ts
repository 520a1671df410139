// The table of coupons in the URL: the tab, order and page. Pure.
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';

export const tabs = ['active', 'leaks', 'expired', 'archived'] as const;
export type Tab = (typeof tabs)[number];

const sheets = ['create', 'bulk'] as const;
export type OpenSheet = (typeof sheets)[number];

export const couponTable = tableState({ filters: {}, sorts: ['createdAt', 'code', 'redemptions'], defaultSort: '-createdAt' });

export function readOpen(raw: RawSearch) {
  return { tab: readOne(raw, 'tab', tabs) ?? 'active', couponId: readText(raw, 'coupon') ?? null, sheet: readOne(raw, 'sheet', sheets) };
}

/** What a tab filters by. */
export function filterOf(tab: Tab) {
  return tab === 'leaks' ? { leakSuspected: 'true' as const, status: ['active' as const] } : { status: [tab] };
}
