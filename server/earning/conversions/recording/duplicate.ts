// A report of an order that is recorded already. It changes nothing; a report that differs is stored for review. Pure.
import { AmountTooLarge } from '../../../platform/lib/money.ts';
import { inOrderCurrency, type Line, type OrderFacts } from '../../commission-rules/order-facts.ts';
import type { Conversion } from '../../exchange-rates/exchange.ts';
import { toRateKey } from '../../exchange-rates/find-rates.ts';
import type { ReportedOrder } from '../order.ts';
import { convertReported, type ReportedAmounts } from './convert-order.ts';
import { findWantedRate, type Lookup, type RecordedOrder } from './look-up.ts';

/**
 * `matchesOriginal`: the same amount, over the same quantities of lines. `reported`: the amounts of this report in the currency
 * of the program; null if no exchange rate is known, or they would be too large.
 */
export type DuplicateOrder = {
  kind: 'duplicate';
  order: ReportedOrder;
  conversionId: string;
  matchesOriginal: boolean;
  reported: ReportedAmounts | null;
};

/** Compares a report with the first one of its order. */
export function toDuplicate(order: ReportedOrder, first: RecordedOrder, { settings, rates }: Lookup, now: Date): DuplicateOrder {
  const { conversionId, facts } = first;
  const wanted = findWantedRate(order, settings, now);
  const isOfOrder = (wanted?.currency ?? null) === (facts.exchange?.currency ?? null);
  const rate = wanted && (isOfOrder ? facts.exchange : rates.get(toRateKey(wanted)));
  const exchange = wanted && rate && { rate: rate.rate, from: wanted.currency, to: settings.currency };
  const reported = wanted === null ? order : exchange ? convertIfPossible(order, exchange) : null;
  return { kind: 'duplicate', order, conversionId, matchesOriginal: isOfOrder && matches(order, facts), reported };
}

/** A report that would be too large is still a duplicate, and doesn't fail the batch. */
function convertIfPossible(order: ReportedOrder, exchange: Conversion): ReportedAmounts | null {
  try {
    return convertReported(order, exchange);
  } catch (error) {
    if (error instanceof AmountTooLarge) return null;
    throw error;
  }
}

/** Who is credited may differ: the first report counts. An increased order is reported again as it was, or as it is now. */
function matches({ amountCents, items }: ReportedOrder, recorded: OrderFacts): boolean {
  const { initial, ...facts } = inOrderCurrency(recorded);
  const isSame = (amount: number, lines: readonly Line[]) =>
    amountCents === amount &&
    (items.length === 0 || (items.length === lines.length && lines.every(({ quantity }, index) => items[index]?.quantity === quantity)));
  return (
    isSame(facts.amountCents, facts.lines) || (initial !== undefined && isSame(initial.amountCents, facts.lines.slice(0, initial.lines)))
  );
}
