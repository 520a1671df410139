import type { AttributedOrder } from './decide.ts';
import type { ProgramSettings } from './look-up.ts';

/** When the commissions of the affiliate and their upline mature: their groups can have hold periods of their own. */
export function findMaturity(
  { affiliate, at }: Pick<AttributedOrder, 'affiliate' | 'at'>,
  settings: Pick<ProgramSettings, 'holdDays'>,
): Map<string, Date> {
  const addHoldPeriod = (holdDays: number | null) => new Date(at.getTime() + (holdDays ?? settings.holdDays) * 86_400_000);
  const earners = affiliate.upline ? [affiliate, affiliate.upline] : [affiliate];
  return new Map(earners.map(({ id, holdDays }) => [id, addHoldPeriod(holdDays)]));
}
