// Applying the refunds of a store. Each source states the total refunded so far, and the missing part is refunded;
// never more than is left, so that two overlapping sources lead to the same result in either order.
import { sql } from 'kysely';
import { type StoreAction, type Units, UnreadableEvent } from '../../connections/stores/store.ts';
import type { Tx } from '../../context.ts';
import { inOrderCurrency } from '../../earning/commission-rules/order-facts.ts';
import { type LockedLedger, openLedger } from '../../earning/ledger/post.ts';
import { applyRefund, getOrder, type Order, refundedLines } from '../../earning/refunds/apply.ts';
import { type RefundLines, refundLines } from '../../earning/refunds/lines.ts';
import { ReportedRefund } from '../../earning/refunds/reported-refund.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { ApiError } from '../../platform/lib/errors.ts';
import { allocate, divideRounded } from '../../platform/lib/money.ts';
import { allocateTotal } from './allocate-total.ts';
import type { KnownOrder } from './references.ts';

export type RefundAction = Extract<StoreAction, { kind: 'refund_total' | 'refund' | 'reported_refund' | 'cancellation' | 'edit' }>;
type Refund = { externalId: string; reason: string; lines: RefundLines };

/** Refunds what is missing and left. Returns whether anything was refunded. */
export async function applyStoreRefund(
  tx: Tx,
  programId: string,
  { known, action, actor }: { known: KnownOrder; action: RefundAction; actor: Actor },
): Promise<boolean> {
  const ledger = await openLedger(tx, programId);
  // Before the refund is computed: one that was applied may exceed what is left by now, which is not an error.
  const refundId = getRefundId(action);
  if (refundId !== null && (await isApplied(tx, ledger, refundId))) return false;
  const recorded = await getOrder(tx, ledger, known.orderId);
  // A store states the amounts of an order in the currency in which it reported the order.
  const facts = inOrderCurrency(recorded.facts);
  const order = { ...recorded, facts, amountCents: facts.amountCents };
  const refunded = await refundedLines(tx, ledger, order.id);
  const refund = await computeRefund(tx, ledger, { order, known, action, refunded });
  if (!refund || (refundId === null && (await isApplied(tx, ledger, refund.externalId)))) return false;
  const lines = limitToRemaining(order, refunded, refund.lines);
  if (lines.size === 0) return false;
  const fresh = { externalId: refund.externalId, reason: refund.reason, note: null, occurredAt: tx.clock.now() };
  await applyRefund(tx, ledger, { order: recorded, lines, fresh, actor });
  return true;
}

/** The refund's id where the action has one. Null: the id follows from the total. */
function getRefundId(action: RefundAction): string | null {
  if (action.kind === 'reported_refund') return ReportedRefund.parse(action.report).refundId;
  return action.kind === 'refund' || action.kind === 'cancellation' ? action.refundId : null;
}

type Situation = { order: Order; known: KnownOrder; action: RefundAction; refunded: ReadonlyMap<number, number> };

async function computeRefund(tx: Tx, ledger: LockedLedger, { order, known, action, refunded }: Situation): Promise<Refund | null> {
  const { amountCents } = order;
  switch (action.kind) {
    case 'refund_total': {
      const grossCents = known.grossCents ?? action.grossCents;
      const totalCents = shareOfWhole(amountCents, action.refundedCents, grossCents);
      const isFull = isWhole(action.refundedCents, grossCents ?? amountCents);
      return computeMissing(tx, ledger, order, { source: action.source, totalCents, isFull });
    }
    case 'edit':
      return computeMissing(tx, ledger, order, {
        source: action.source,
        totalCents: Math.max(0, amountCents - action.amountCents),
        isFull: false,
      });
    case 'cancellation':
      return { externalId: action.refundId, reason: action.reason, lines: allLines(order) };
    case 'refund':
      return { externalId: action.refundId, reason: action.reason, lines: computeRefundLines(order, known, action) };
    case 'reported_refund':
      return computeReportedRefund(order, refunded, action.report);
  }
}

/** The share of `cents` that corresponds to a part of a total. Cumulative parts have cumulative shares. */
export function shareOfWhole(cents: number, part: number, whole: number | null): number {
  if (whole === null) return Math.min(part, cents);
  if (part >= whole) return cents;
  return Number(divideRounded(BigInt(cents) * BigInt(part), BigInt(whole)));
}

function isWhole(part: number, whole: number): boolean {
  return part > 0 && part >= whole;
}

/** `isFull`: lines that cost nothing are refunded too. */
type Total = { source: string; totalCents: number; isFull: boolean };

/** What is missing to the total of a source. Totals only grow: a smaller one is outdated and changes nothing. */
async function computeMissing(
  tx: Tx,
  { programId }: LockedLedger,
  { id, facts }: Order,
  { source, totalCents, isFull }: Total,
): Promise<Refund | null> {
  const { rows } = await sql<{ position: number; cents: number }>`
    select line.position, sum(coalesce(line.original_cents, line.amount_cents))::bigint as cents
    from refunds as refund join refund_lines as line on line.program_id = refund.program_id and line.refund_id = refund.id
    where refund.program_id = ${programId} and refund.conversion_id = ${id} and starts_with(refund.external_id, ${`${source}:`})
    group by line.position`.execute(tx.db);
  const applied = new Map(rows.map(({ position, cents }) => [position, cents]));
  const parts = allocateTotal(
    totalCents,
    facts.lines.map(({ amountCents }) => amountCents),
  );
  const missing = facts.lines.map(({ position }, index) => [position, (parts[index] ?? 0) - (applied.get(position) ?? 0)] as const);
  const isRefunded = (position: number, cents: number) => cents > 0 || (isFull && cents === 0 && !applied.has(position));
  const lines = new Map(missing.filter(([position, cents]) => isRefunded(position, cents)));
  return lines.size === 0 ? null : { externalId: `${source}:${totalCents}`, reason: 'refund', lines };
}

/** By units where the store lists items and each is a line of the order, otherwise by the amount's share of the total. */
function computeRefundLines(
  { amountCents: orderCents, facts }: Order,
  known: KnownOrder,
  { units, amountCents }: Extract<StoreAction, { kind: 'refund' }>,
): RefundLines {
  const refundedUnits = units.flatMap((unit) => {
    const line = facts.lines[known.lineIds.indexOf(unit.lineId)];
    return line ? [{ line, unit }] : [];
  });
  const hasLineOfEachItem = known.lineIds.length === facts.lines.length;
  if (hasLineOfEachItem && units.length > 0 && refundedUnits.length === units.length) return sumUnits(refundedUnits);
  const parts = allocate(
    shareOfWhole(orderCents, amountCents ?? 0, known.grossCents),
    facts.lines.map((line) => line.amountCents),
  );
  const isFull = isWhole(amountCents ?? 0, known.grossCents ?? orderCents);
  const allocated = facts.lines.map(({ position }, index) => [position, parts[index] ?? 0] as const);
  return new Map(allocated.filter(([, cents]) => cents > 0 || isFull));
}

function sumUnits(units: readonly { line: Order['facts']['lines'][number]; unit: Units }[]): RefundLines {
  const lines: RefundLines = new Map();
  for (const { line, unit } of units) {
    const cents = priceOf(line, unit);
    if (cents !== null) lines.set(line.position, (lines.get(line.position) ?? 0) + cents);
  }
  return lines;
}

/** The amount of the units of a line; null for a part of a free line. */
function priceOf({ amountCents, quantity }: Order['facts']['lines'][number], unit: Units): number | null {
  if ('amountCents' in unit) return unit.amountCents > 0 || amountCents === 0 ? unit.amountCents : null;
  const isAllUnits = unit.quantity >= quantity;
  if (amountCents === 0 && !isAllUnits) return null;
  return isAllUnits ? amountCents : Number(divideRounded(BigInt(amountCents) * BigInt(unit.quantity), BigInt(quantity)));
}

function computeReportedRefund(order: Order, refunded: ReadonlyMap<number, number>, report: Record<string, unknown>): Refund {
  const { refundId, amountCents, items, reason } = ReportedRefund.parse(report);
  if (amountCents === undefined && items === undefined) return { externalId: refundId, reason, lines: allLines(order) };
  try {
    return { externalId: refundId, reason, lines: refundLines(order.facts.lines, items ? refunded : new Map(), { amountCents, items }) };
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return { externalId: refundId, reason, lines: new Map() };
    if (error instanceof ApiError)
      throw new UnreadableEvent(`Invalid refund: ${error.details?.[0]?.path.join('.')} ${error.details?.[0]?.message}.`);
    throw error;
  }
}

function allLines({ facts }: Order): RefundLines {
  return new Map(facts.lines.map(({ position, amountCents }) => [position, amountCents]));
}

/** Limits each line to its remaining amount; the excess is taken from the other lines in their order. Free lines have 0. */
function limitToRemaining({ facts }: Order, refunded: ReadonlyMap<number, number>, requested: RefundLines): RefundLines {
  const remaining = new Map(facts.lines.map(({ position, amountCents }) => [position, amountCents - (refunded.get(position) ?? 0)]));
  const lines: RefundLines = new Map();
  let excess = 0;
  for (const [position, cents] of requested) {
    const limited = Math.min(cents, remaining.get(position) ?? 0);
    excess += cents - limited;
    lines.set(position, limited);
  }
  for (const [position, left] of remaining) {
    const more = Math.min(excess, left - (lines.get(position) ?? 0));
    excess -= more;
    lines.set(position, (lines.get(position) ?? 0) + more);
  }
  const isFree = (position: number) => facts.lines.find((line) => line.position === position)?.amountCents === 0;
  return new Map(
    [...lines].filter(([position, cents]) => cents > 0 || (isFree(position) && requested.has(position) && !refunded.has(position))),
  );
}

async function isApplied(tx: Tx, { programId }: LockedLedger, externalId: string): Promise<boolean> {
  const refunds = tx.db.selectFrom('refunds').select('id').where('programId', '=', programId);
  return (await refunds.where('externalId', '=', externalId).executeTakeFirst()) !== undefined;
}
