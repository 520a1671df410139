// Applying a refund under the lock of the ledger: its lines, the refunded total of the order, the reversals on each
// level, lifetime totals, and the ledger entries.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { addToTotals } from '../../partners/affiliates/totals/add-to-totals.ts';
import { toConflict } from '../../platform/db/constraints.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { OrderFacts } from '../commission-rules/order-facts.ts';
import type { Actor } from '../commissions/change.ts';
import { type Reversed, reverse } from '../commissions/reverse.ts';
import { setRefunded, updateVoided } from '../conversions/update-refunded.ts';
import { type LockedLedger, post } from '../ledger/post.ts';
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
export type Applied = { id: string; amountCents: number; refundedCents: number; reversed: Reversed[] };

/** The recorded order with this id. Throws NotFound naming `orderId`. The ledger must be open. */
export async function getOrder(tx: Tx, { programId }: LockedLedger, orderId: string): Promise<Order> {
  const { rows } = await sql<Omit<Order, 'facts'> & { facts: unknown }>`
    select id, order_id, affiliate_id, amount_cents, refunded_cents, occurred_at, facts,
      exists (select from order_changes as change where change.program_id = ${programId}
        and change.conversion_id = conversion.id and change.kind = 'cancelled') as is_cancelled
    from conversions as conversion
    where program_id = ${programId} and order_id = ${orderId} for no key update of conversion`.execute(tx.db);
  const [order] = rows;
  if (!order) throw new NotFound('orderId');
  return { ...order, facts: OrderFacts.parse(order.facts) };
}

/** The refunded cents of each line so far, without refunds that were undone. A free line is included, with 0, once it was returned. */
export async function refundedLines(tx: Tx, { programId }: LockedLedger, conversionId: string): Promise<Map<number, number>> {
  const { rows } = await sql<{ position: number; cents: number }>`
    select line.position, sum(line.amount_cents)::bigint as cents
    from refunds as refund join refund_lines as line on line.program_id = ${programId} and line.refund_id = refund.id
    where refund.program_id = ${programId} and refund.conversion_id = ${conversionId} and refund.undone_at is null
    group by line.position`.execute(tx.db);
  return new Map(rows.map(({ position, cents }) => [position, cents]));
}

/** Stores the refund and posts its reversals. Throws 409 for an external id that is already recorded. */
export async function applyRefund(
  tx: Tx,
  ledger: LockedLedger,
  { order, lines, fresh, actor }: { order: OrderToRefund; lines: RefundLines; fresh: NewRefund; actor: Actor },
): Promise<Applied> {
  const id = tx.ids.uuid();
  const amountCents = sumOf([...lines.values()]);
  const { programId } = ledger;
  const inserted = await tx.db
    .insertInto('refunds')
    .values({ programId, id, conversionId: order.id, amountCents, createdAt: tx.clock.now(), ...fresh })
    .onConflict((conflict) => conflict.columns(['programId', 'externalId']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) throw toConflict('refunds_external_id_unique');
  await insertRows(
    tx,
    'refundLines',
    [...lines].map(([position, cents]) => ({ programId, refundId: id, position, amountCents: cents })),
  );
  const reversed = await applyReversal(tx, ledger, order, { cause: id, reason: fresh.reason, actor });
  await announceRefund(tx, { programId, actor }, { id, affiliateId: order.affiliateId });
  return { id, amountCents, refundedCents: order.refundedCents + amountCents, reversed };
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
  return applyReversal(tx, ledger, order, { cause: refundId, reason: 'dispute won', actor });
}

/** A cancelled order stays refunded: what the dispute had refunded now counts as cancelled. */
async function refundAgain(tx: Tx, { programId }: LockedLedger, refundId: string): Promise<void> {
  const id = tx.ids.uuid();
  const now = tx.clock.now();
  await sql`
    insert into refunds (program_id, id, external_id, conversion_id, amount_cents, reason, note, occurred_at, created_at)
    select program_id, ${id}, ${`cancellation:${id}`}, conversion_id, amount_cents, 'cancelled', null, ${now}, ${now}
    from refunds where program_id = ${programId} and id = ${refundId}`.execute(tx.db);
  await sql`
    insert into refund_lines (program_id, refund_id, position, amount_cents)
    select program_id, ${id}, position, amount_cents from refund_lines
    where program_id = ${programId} and refund_id = ${refundId}`.execute(tx.db);
}

type Because = { cause: string; reason: string; actor: Actor };

async function applyReversal(tx: Tx, ledger: LockedLedger, order: OrderToRefund, { cause, reason, actor }: Because): Promise<Reversed[]> {
  const { programId } = ledger;
  const refundedByPosition = await refundedLines(tx, ledger, order.id);
  const refundedCents = sumOf([...refundedByPosition.values()]);
  await setRefunded(tx, programId, { conversionId: order.id, refundedCents });
  await updateVoided(tx, programId, order.id);
  const isFullyRefunded = order.amountCents > 0 && refundedCents === order.amountCents;
  const reversal = { conversionId: order.id, refundedByPosition, isFullyRefunded, cause, reason };
  const { reversed, transfers } = await reverse(tx, ledger, reversal, actor);
  const day = localDate(order.occurredAt, ledger.timezone);
  await addToTotals(tx, programId, [
    { affiliateId: order.affiliateId, day, refundsCents: refundedCents - order.refundedCents },
    ...reversed.map(({ row, cents }) => ({ affiliateId: row.affiliateId, day, reversalsCents: cents })),
  ]);
  await post(tx, ledger, transfers);
  return reversed;
}
