// Refunds of an order in another currency are stated in the currency of the order. The refunded amount of a line so far is
// converted as its share of the line, and a refund changes it by the difference: so any number of refunds, even if some are
// undone, end at exactly the amount of the line. Pure.
import { sumOf } from '../../platform/lib/money.ts';
import { inOrderCurrency, type OrderFacts } from '../commission-rules/order-facts.ts';
import { convertRefunded } from '../exchange-rates/exchange.ts';
import type { RefundLines } from './lines.ts';

/** An amount in the currency of the program, and in that of the order; null for an order that was not converted. */
export type RefundedAmount = { amountCents: number; originalCents: number | null };

/** By line position. */
export type RefundedAmounts = ReadonlyMap<number, RefundedAmount>;

/** The lines of a refund, with their amounts in both currencies. `refunded`: the refunded amounts before it. */
export function convertRefund(facts: OrderFacts, refunded: RefundedAmounts, lines: RefundLines): Map<number, RefundedAmount> {
  if (!facts.exchange) return new Map([...lines].map(([position, amountCents]) => [position, { amountCents, originalCents: null }]));
  const originals = new Map(inOrderCurrency(facts).lines.map((line) => [line.position, line.amountCents]));
  const converted = new Map(facts.lines.map((line) => [line.position, line.amountCents]));
  return new Map(
    [...lines].map(([position, originalCents]) => {
      const before = refunded.get(position);
      const line = { originalCents: originals.get(position) ?? 0, amountCents: converted.get(position) ?? 0 };
      const total = convertRefunded((before?.originalCents ?? 0) + originalCents, line);
      // The total only decreases if an earlier refund was undone and a later one contains its rounded cents.
      return [position, { originalCents, amountCents: Math.max(0, total - (before?.amountCents ?? 0)) }];
    }),
  );
}

/** The refunded amount of each line in the currency of the order, which limits further refunds. */
export function toOrderCurrency(refunded: RefundedAmounts): Map<number, number> {
  return new Map([...refunded].map(([position, { amountCents, originalCents }]) => [position, originalCents ?? amountCents]));
}

/**
 * The refunded amount of each line in the currency of the program. A line of less than a cent is free there: it is included
 * once all of it was refunded, like a free line that was returned.
 */
export function toProgramCurrency(facts: OrderFacts, refunded: RefundedAmounts): Map<number, number> {
  const originals = new Map(inOrderCurrency(facts).lines.map((line) => [line.position, line.amountCents]));
  const isReturned = (position: number, originalCents: number | null) =>
    originalCents === null || originalCents >= (originals.get(position) ?? 0);
  const counted = [...refunded].filter(
    ([position, { amountCents, originalCents }]) => amountCents > 0 || isReturned(position, originalCents),
  );
  return new Map(counted.map(([position, { amountCents }]) => [position, amountCents]));
}

/** The sum of amounts in both currencies. */
export function sumRefunded(amounts: Iterable<RefundedAmount>): RefundedAmount {
  const all = [...amounts];
  const originals = all.flatMap(({ originalCents }) => originalCents ?? []);
  return { amountCents: sumOf(all.map(({ amountCents }) => amountCents)), originalCents: originals.length === 0 ? null : sumOf(originals) };
}
