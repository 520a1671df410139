// The table of commissions in the URL: the view by state, filters, order and page. Pure.
import { days, someOf } from '../../url/table-filters.ts';
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';

export const views = ['all', 'pending', 'held', 'approved', 'paid', 'reversed'] as const;
export type View = (typeof views)[number];

export const kinds = ['order', 'lead', 'adjustment', 'bonus'] as const;

export const commissionTable = tableState({
  filters: {
    kind: someOf('kind', kinds),
    created: days('createdFrom', 'createdTo', ['from', 'to']),
    matures: days('maturesFrom', 'maturesTo'),
  },
  sorts: ['createdAt', 'maturesAt', 'amountCents'],
  defaultSort: '-createdAt',
});

/** The view by state, and what is open: a commission, or the sheet for a bonus. */
export type Place = { view: View; affiliateId: string | null; commissionId: string | null; isGranting: boolean };

export function readPlace(raw: RawSearch): Place {
  return {
    view: readOne(raw, 'view', views) ?? 'all',
    affiliateId: readText(raw, 'affiliateId') ?? null,
    commissionId: readText(raw, 'commission') ?? null,
    isGranting: readOne(raw, 'sheet', ['bonus']) === 'bonus',
  };
}

/** The statuses of a view; rejected commissions are among the reversed ones. */
export function statusesOf(view: View) {
  if (view === 'all') return undefined;
  return view === 'reversed' ? ['reversed' as const, 'rejected' as const] : [view];
}
