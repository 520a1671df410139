import type { Result } from '../../api/call.ts';
import type { RateValue } from '../../ui/figures/rate.tsx';

/** The fields that say what a rule pays. */
type Rule = Pick<Result<'commissionRules.list'>['commissionRules'][number], 'event' | 'type' | 'rate' | 'amountCents' | 'per' | 'currency'>;

/** What a rule pays, or null for one without an amount. */
export function toRateValue({ event, type, rate, amountCents, per, currency }: Rule): RateValue | null {
  if (type === 'percentage') return rate === null ? null : { type, rate };
  if (amountCents === null) return null;
  return { type, amountCents, currency, per: event === 'lead' ? 'lead' : per === 'unit' ? 'item' : 'order' };
}
