// The addresses that the figures of a row lead to.
import { useLinkTo } from '../overview/links.ts';
import type { Insights, InsightsRow } from './insights-types.ts';
import { type RowTargets, toTargets } from './row-links.ts';

export type RowLinks = Partial<Record<keyof RowTargets, string | undefined>>;

/** Returns the addresses of a row; those of screens that the member may not open are left out. */
export function useRowLinks(insights: Insights): (row: Pick<InsightsRow, 'value'>) => RowLinks {
  const linkTo = useLinkTo();
  return (row) => Object.fromEntries(Object.entries(toTargets(insights, row)).map(([name, target]) => [name, linkTo(...target)]));
}
