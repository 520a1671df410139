// Applying a refund under the lock of the ledger: its lines, the refunded total of the order, the reversals on each
// level, lifetime totals, and the ledger entries.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { addToTotals } from '../../partners/affiliates/totals/add-to-totals.ts';
import { toConflict } from '../../platform/db/constraints.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { OrderFacts } from '../commission-rules/order-facts.ts';
import type { Actor } from '../commissions/change.ts';
import { type Reversed, reverse } from '../commissions/reverse.ts';
import { setRefunded, updateVoided } from '../conversions/update-refunded.ts';
import { type LockedLedger, post } from '../ledger/post.ts';
import { convertRefund, type RefundedAmount, type RefundedAmounts, sumRefunded, toOrderCurrency, toProgramCurrency } from './convert.ts';
import { announceRefund } from './events.ts';
import type { RefundLines } from './lines.ts';

export type Order = {
  id: string;
  orderId: string;
  affiliateId: string;
  amountCents: number;
  refundedCents: number;
  occurredAt: Date;
  isCancelled: boolean;
  facts: OrderFacts;
};
type OrderToRefund = Omit<Order, 'isCancelled'>;
export type NewRefund = { externalId: string; reason: string; note: string | null; occurredAt: Date };
/** `amountCents` and `refundedCents`, of the whole order, are in the currency of the program. */
export type Applied = RefundedAmount & { id: string; refundedCents: number; reversed: Reversed[] };

/** The recorded order with this id. Throws NotFound naming `orderId`. The ledger must be open. */
export async function getOrder(tx: Tx, ledger: LockedLedger, orderId: string): Promise<Order> {
  const [order] = await findOrders(tx, ledger, [orderId]);
  if (!order) throw new NotFound('orderId');
  return order;
}

/** Those of the orders that are recorded. The ledger must be open. */
export async function findOrders(tx: Tx, { programId }: LockedLedger, orderIds: readonly string[]): Promise<Order[]> {
  const { rows } = await sql<Omit<Order, 'facts'> & { facts: unknown }>`
    select id, order_id, affiliate_id, amount_cents, refunded_cents, occurred_at, facts,
      exists (select from order_changes as change where change.program_id = ${programId}
        and change.conversion_id = conversion.id and change.kind = 'cancelled') as is_cancelled
    from conversions as conversion
    where program_id = ${programId} and order_id = any(${[...orderIds]}::text[]) order by id
    for no key update of conversion`.execute(tx.db);
  return rows.map((order) => ({ ...order, facts: OrderFacts.parse(order.facts) }));
}

/**
 * What was refunded of each line so far, in the currency of the order, without refunds that were undone. A free line is
 * included, with 0, once it was returned.
 */
export async function refundedLines(tx: Tx, ledger: LockedLedger, conversionId: string): Promise<Map<number, number>> {
  return toOrderCurrency((await readRefundedLines(tx, ledger, [conversionId])).get(conversionId) ?? new Map());
}

/** Like `refundedLines`, in the currency of the program. */
export async function refundedOfProgram(
  tx: Tx,
  ledger: LockedLedger,
  { id, facts }: Pick<Order, 'id' | 'facts'>,
): Promise<Map<number, number>> {
  return toProgramCurrency(facts, (await readRefundedLines(tx, ledger, [id])).get(id) ?? new Map());
}

async function readRefundedLines(
  tx: Tx,
  { programId }: LockedLedger,
  conversionIds: readonly string[],
): Promise<Map<string, RefundedAmounts>> {
  const { rows } = await sql<{ conversionId: string; position: number } & RefundedAmount>`
    select refund.conversion_id, line.position, sum(line.amount_cents)::bigint as amount_cents,
      sum(line.original_cents)::bigint as original_cents
    from refunds as refund join refund_lines as line on line.program_id = ${programId} and line.refund_id = refund.id
    where refund.program_id = ${programId} and refund.conversion_id = any(${[...conversionIds]}::uuid[]) and refund.undone_at is null
    group by refund.conversion_id, line.position`.execute(tx.db);
  const byOrder = Map.groupBy(rows, ({ conversionId }) => conversionId);
  return new Map([...byOrder].map(([id, lines]) => [id, new Map(lines.map(({ position, ...amounts }) => [position, amounts]))]));
}

/** `lines` are in the currency of the order. */
type Refunding = { order: OrderToRefund; lines: RefundLines; fresh: NewRefund };

/** Stores the refund and posts its reversals. Throws 409 for an external id that is already recorded. */
export async function applyRefund(tx: Tx, ledger: LockedLedger, { actor, ...refund }: Refunding & { actor: Actor }): Promise<Applied> {
  const [applied] = await applyRefunds(tx, ledger, [refund], actor);
  if (!applied) throw new Error('The refund was not applied.');
  return applied;
}

/** Like `applyRefund`, for refunds of different orders. */
export async function applyRefunds(tx: Tx, ledger: LockedLedger, refunds: readonly Refunding[], actor: Actor): Promise<Applied[]> {
  if (refunds.length === 0) return [];
  const { programId } = ledger;
  const foreign = refunds.filter(({ order }) => order.facts.exchange).map(({ order }) => order.id);
  const before: Map<string, RefundedAmounts> = foreign.length === 0 ? new Map() : await readRefundedLines(tx, ledger, foreign);
  const stored = refunds.map(({ lines, ...refund }) => {
    const converted = convertRefund(refund.order.facts, before.get(refund.order.id) ?? new Map(), lines);
    return { ...refund, ...sumRefunded(converted.values()), id: tx.ids.uuid(), lines: converted };
  });
  await insertRefunds(tx, programId, stored);
  const changes = stored.map(({ id, order, fresh }) => ({ order, cause: id, reason: fresh.reason }));
  const reversed = Map.groupBy(await applyReversals(tx, ledger, changes, actor), ({ row }) => row.conversionId);
  for (const { id, order } of stored) await announceRefund(tx, { programId, actor }, { id, affiliateId: order.affiliateId });
  return stored.map(({ id, order, amountCents, originalCents }) => {
    const refundedCents = order.refundedCents + amountCents;
    return { id, amountCents, originalCents, refundedCents, reversed: reversed.get(order.id) ?? [] };
  });
}

type NewRow = Omit<Refunding, 'lines'> & RefundedAmount & { id: string; lines: RefundedAmounts };

async function insertRefunds(tx: Tx, programId: string, refunds: readonly NewRow[]): Promise<void> {
  const createdAt = tx.clock.now();
  const rows = refunds.map(({ id, order, amountCents, originalCents, fresh }) => ({
    programId,
    id,
    conversionId: order.id,
    amountCents,
    originalCents,
    createdAt,
    ...fresh,
  }));
  const inserted = await tx.db
    .insertInto('refunds')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['programId', 'externalId']).doNothing())
    .returning('id')
    .execute();
  if (inserted.length < rows.length) throw toConflict('refunds_external_id_unique');
  const lines = refunds.flatMap(({ id, lines }) =>
    [...lines].map(([position, amounts]) => ({ programId, refundId: id, position, ...amounts })),
  );
  await insertRows(tx, 'refundLines', lines);
}

/** Undoes a refund: the commissions are restored as far as other refunds allow, unless the order was cancelled. */
export async function undoRefund(
  tx: Tx,
  ledger: LockedLedger,
  { order, refundId, actor }: { order: Order; refundId: string; actor: Actor },
): Promise<Reversed[]> {
  const undone = await tx.db
    .updateTable('refunds')
    .set({ undoneAt: tx.clock.now() })
    .where('programId', '=', ledger.programId)
    .where('id', '=', refundId)
    .where('undoneAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (undone && order.isCancelled) await refundAgain(tx, ledger, refundId);
  return applyReversals(tx, ledger, [{ order, cause: refundId, reason: 'dispute won' }], actor);
}

/** A cancelled order stays refunded: what the dispute had refunded now counts as cancelled. */
async function refundAgain(tx: Tx, { programId }: LockedLedger, refundId: string): Promise<void> {
  const id = tx.ids.uuid();
  const now = tx.clock.now();
  await sql`
    insert into refunds (program_id, id, external_id, conversion_id, amount_cents, original_cents, reason, note, occurred_at, created_at)
    select program_id, ${id}, ${`cancellation:${id}`}, conversion_id, amount_cents, original_cents, 'cancelled', null,
      ${now}, ${now}
    from refunds where program_id = ${programId} and id = ${refundId}`.execute(tx.db);
  await sql`
    insert into refund_lines (program_id, refund_id, position, amount_cents, original_cents)
    select program_id, ${id}, position, amount_cents, original_cents from refund_lines
    where program_id = ${programId} and refund_id = ${refundId}`.execute(tx.db);
}

/** An order whose refunds have changed. `cause` identifies the change in the `ref` of the ledger entries. */
type ChangedOrder = { order: OrderToRefund; cause: string; reason: string };

async function applyReversals(tx: Tx, ledger: LockedLedger, changes: readonly ChangedOrder[], actor: Actor): Promise<Reversed[]> {
  const { programId, timezone } = ledger;
  const ids = changes.map(({ order }) => order.id);
  const refunded = await readRefundedLines(tx, ledger, ids);
  const reversals = changes.map(({ order, cause, reason }) => {
    const refundedByPosition = toProgramCurrency(order.facts, refunded.get(order.id) ?? new Map());
    const refundedCents = sumOf([...refundedByPosition.values()]);
    const isFullyRefunded = order.amountCents > 0 && refundedCents === order.amountCents;
    return { order, conversionId: order.id, refundedByPosition, refundedCents, isFullyRefunded, cause, reason };
  });
  await setRefunded(tx, programId, reversals);
  await updateVoided(tx, programId, ids);
  const { reversed, transfers } = await reverse(tx, ledger, reversals, actor);
  const days = new Map(changes.map(({ order }) => [order.id, localDate(order.occurredAt, timezone)]));
  await addToTotals(tx, ledger, [
    ...reversals.map(({ order, refundedCents }) => ({
      affiliateId: order.affiliateId,
      day: days.get(order.id) ?? '',
      refundsCents: refundedCents - order.refundedCents,
    })),
    ...reversed.map(({ row, cents }) => ({
      affiliateId: row.affiliateId,
      day: days.get(row.conversionId ?? '') ?? '',
      reversalsCents: cents,
    })),
  ]);
  await post(tx, ledger, transfers);
  return reversed;
}
