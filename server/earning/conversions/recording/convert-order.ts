// An order in another currency, converted into the currency of the program. Everything after this calculates in the
// currency of the program; `exchange` keeps the original amounts. Pure.
import { maxCents } from '../../../platform/http/declaration/fields.ts';
import { AmountTooLarge, allocate } from '../../../platform/lib/money.ts';
import type { Line } from '../../commission-rules/order-facts.ts';
import { type Conversion, convertCents, type Exchange } from '../../exchange-rates/exchange.ts';
import type { DatedRate } from '../../exchange-rates/find-rates.ts';
import type { ReportedOrder } from '../order.ts';

/**
 * The lines, and the amounts of the order except those of its items, are in the currency of the program. `exchange` is absent
 * if they already were.
 */
export type ConvertedOrder = { order: ReportedOrder; lines: Line[]; exchange?: Exchange };

/**
 * Converts an order and its lines at `rate`. The amount of the order is rounded once, and then split over the lines in
 * proportion. Throws AmountTooLarge if the converted amount can't be recorded.
 */
export function convertOrder(
  order: ReportedOrder & { currency: string },
  lines: readonly Line[],
  { rate, to }: { rate: DatedRate; to: string },
): Required<ConvertedOrder> {
  const { amountCents, currency, discountCents, taxCents, shippingCents } = order;
  const convert = (cents: number) => {
    const converted = convertCents(cents, { rate: rate.rate, from: currency, to });
    if (converted > maxCents) throw new AmountTooLarge('The converted amount of this order');
    return converted;
  };
  const optional = (cents: number | null | undefined) => (typeof cents === 'number' ? convert(cents) : cents);
  const converted = {
    ...order,
    currency: to,
    amountCents: convert(amountCents),
    discountCents: optional(discountCents),
    taxCents: optional(taxCents),
    shippingCents: optional(shippingCents),
  };
  const lineCents = lines.map((line) => line.amountCents);
  return { order: converted, lines: convertLines(lines, converted.amountCents), exchange: { currency, amountCents, lineCents, ...rate } };
}

/** The amounts of a report. */
export type ReportedAmounts = Pick<ReportedOrder, 'amountCents' | 'items'>;

/** The amounts of a report, each converted separately: nothing is calculated from them. Throws AmountTooLarge. */
export function convertReported({ amountCents, items }: ReportedAmounts, exchange: Conversion): ReportedAmounts {
  const convert = (cents: number) => convertCents(cents, exchange);
  const converted = items.map((item) => ({
    ...item,
    amountCents: convert(item.amountCents),
    discountCents: convert(item.discountCents),
  }));
  return { amountCents: convert(amountCents), items: converted };
}

/** The lines with `totalCents` split over them in proportion. */
export function convertLines(lines: readonly Line[], totalCents: number): Line[] {
  const parts = allocate(
    totalCents,
    lines.map(({ amountCents }) => amountCents),
  );
  return lines.map((line, index) => ({ ...line, amountCents: parts[index] ?? 0 }));
}
