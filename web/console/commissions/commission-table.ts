// The table of commissions in the URL: the view by state, filters, order and page. Pure.
import { days, someOf } from '../../url/table-filters.ts';
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';
import { missingOfOrder, type Narrowings, orderNarrowings, readNarrowings } from '../conversions/narrowings.ts';

export const views = ['all', 'pending', 'held', 'approved', 'paid', 'reversed'] as const;
export type View = (typeof views)[number];

export const kinds = ['order', 'lead', 'adjustment', 'bonus'] as const;

export const commissionTable = tableState({
  filters: {
    kind: someOf('kind', kinds),
    created: days('createdFrom', 'createdTo', ['from', 'to']),
    matures: days('maturesFrom', 'maturesTo'),
    occurred: days('occurredFrom', 'occurredTo'),
  },
  sorts: ['createdAt', 'maturesAt', 'amountCents'],
  defaultSort: '-createdAt',
});

/** What links from other screens narrow the list to. */
export const narrowings = [...orderNarrowings, 'device', 'without'] as const;

/** The view by state, what the list is narrowed to, and what is open: a commission, or the sheet for a bonus. */
export type Place = { view: View; only: Only; commissionId: string | null; isGranting: boolean };
type Only = Narrowings<(typeof orderNarrowings)[number], (typeof missingOfOrder)[number]>;

export function readPlace(raw: RawSearch): Place {
  return {
    view: readOne(raw, 'view', views) ?? 'all',
    only: readNarrowings(raw, orderNarrowings, missingOfOrder),
    commissionId: readText(raw, 'commission') ?? null,
    isGranting: readOne(raw, 'sheet', ['bonus']) === 'bonus',
  };
}

/** The statuses of a view; rejected commissions are among the reversed ones. */
export function statusesOf(view: View) {
  if (view === 'all') return undefined;
  return view === 'reversed' ? ['reversed' as const, 'rejected' as const] : [view];
}
