// The views that every program has: sets of filters for the questions that members ask most.
import { addDays } from '../../../ui/figures/days.ts';
import type { Filters } from '../../../ui/table/table-types.ts';

export const builtInViews = ['all', 'active', 'applied', 'invited', 'noSales', 'cantBePaid'] as const;
export type BuiltInView = (typeof builtInViews)[number];

const is = (...values: string[]) => ({ kind: 'options', operator: 'is', values }) as const;
const quietDays = 90;

/** The filters of a view on this day (`YYYY-MM-DD`). */
export function filtersOf(view: BuiltInView, today: string): Filters {
  const views: Record<BuiltInView, Filters> = {
    all: {},
    active: { status: is('active') },
    applied: { status: is('pending'), invited: is('false') },
    invited: { status: is('pending'), invited: is('true') },
    noSales: { status: is('active'), lastSale: { kind: 'range', from: null, to: addDays(today, -quietDays) } },
    cantBePaid: { payoutDetails: is('false'), balance: { kind: 'range', from: '1', to: null } },
  };
  return views[view];
}

/** The view whose filters these are, if the list is not narrowed otherwise. */
export function matchingView(filters: Filters, today: string): BuiltInView | null {
  const text = (given: Filters) => JSON.stringify(Object.entries(given).sort(([a], [b]) => a.localeCompare(b)));
  return builtInViews.find((view) => text(filtersOf(view, today)) === text(filters)) ?? null;
}
