// Disputes: the buyer's bank reclaims a payment. While one is open it holds the commissions of its order; a lost one
// reverses them like a refund; a won one restores what an earlier loss reversed. Reports repeat and arrive out of
// order: a final status never returns to `opened`.

import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import type { Disputes } from '../../platform/db/schema.gen.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { inOrderCurrency } from '../commission-rules/order-facts.ts';
import { lockOrderCommissions } from '../commissions/commission.ts';
import { closeHold, openHold } from '../commissions/holds.ts';
import type { Reversed } from '../commissions/reverse.ts';
import { convertRefunded } from '../exchange-rates/exchange.ts';
import { type LockedLedger, openLedger, post } from '../ledger/post.ts';
import { applyRefund, getOrder, type Order, refundedLines, undoRefund } from './apply.ts';
import { isFullyRefunded, refundLines } from './lines.ts';

export const DisputeStatus = z.enum(['opened', 'won', 'lost']).meta({ id: 'DisputeStatus' });
export type DisputeStatus = z.infer<typeof DisputeStatus>;
export type Dispute = Selectable<Disputes>;

/** `amountCents`: in the currency of the order; by default the amount reported before, or all that is left of the order. */
export type ReportedDispute = { disputeId: string; orderId: string; status: DisputeStatus; amountCents?: number | undefined };

/** `reversed`: the commissions that this report reversed or restored. */
export type RecordedDispute = { dispute: Dispute; order: Order; isNew: boolean; reversed: readonly Reversed[] };

/** Records a dispute or its new status. Throws NotFound for an unknown order, Invalid when the dispute belongs to another order. */
export async function recordDispute(
  tx: Tx,
  { programId, actor, report }: { programId: string; actor: Actor; report: ReportedDispute },
): Promise<RecordedDispute> {
  const ledger = await openLedger(tx, programId);
  const order = await getOrder(tx, ledger, report.orderId);
  const before = await lockDispute(tx, programId, report.disputeId);
  if (!before) {
    const id = tx.ids.uuid();
    const effect = await applyStatus(tx, ledger, { id, order, before, report, actor });
    return { dispute: await insertDispute(tx, { programId, id, order, report, effect }), order, isNew: true, reversed: effect.reversed };
  }
  if (before.conversionId !== order.id)
    throw new Invalid([{ path: ['orderId'], message: 'must be the order that this dispute was reported for' }]);
  if (before.status === report.status || report.status === 'opened') return { dispute: before, order, isNew: false, reversed: [] };
  const effect = await applyStatus(tx, ledger, { id: before.id, order, before, report, actor });
  return { dispute: await updateDispute(tx, before, { order, report, effect }), order, isNew: false, reversed: effect.reversed };
}

type Change = { id: string; order: Order; before: Dispute | null; report: ReportedDispute; actor: Actor };
/** The refund that a loss applied or a win undid, and the commissions it changed. */
type Effect = { refundId: string | null; reversed: readonly Reversed[] };
const noEffect: Effect = { refundId: null, reversed: [] };

async function applyStatus(tx: Tx, ledger: LockedLedger, change: Change): Promise<Effect> {
  const { id, order, report, actor } = change;
  const because = { actor, reason: `dispute ${report.status}` };
  const hold = { cause: 'dispute' as const, causeId: id };
  if (report.status === 'opened') {
    const rows = await lockOrderCommissions(tx, ledger.programId, [order.id]);
    const { transfers } = await openHold(tx, ledger, { rows, ...hold }, because);
    await post(tx, ledger, transfers);
    return noEffect;
  }
  const effect = report.status === 'lost' ? await reverseLost(tx, ledger, change) : await restoreWon(tx, ledger, change);
  const { transfers } = await closeHold(tx, ledger, hold, because);
  await post(tx, ledger, transfers);
  return effect;
}

async function restoreWon(tx: Tx, ledger: LockedLedger, { order, before, actor }: Change): Promise<Effect> {
  const refundId = before?.refundId ?? null;
  if (refundId === null) return noEffect;
  return { refundId, reversed: await undoRefund(tx, ledger, { order, refundId, actor }) };
}

/** Without an amount, a loss reverses the amount that was disputed, or its remaining part. */
async function reverseLost(tx: Tx, ledger: LockedLedger, { order, before, report, actor }: Change): Promise<Effect> {
  const refunded = await refundedLines(tx, ledger, order.id);
  const { amountCents, lines: orderLines } = inOrderCurrency(order.facts);
  if (isFullyRefunded(orderLines, refunded)) return noEffect;
  const leftCents = amountCents - sumOf([...refunded.values()]);
  const openedCents = before?.originalCents ?? before?.amountCents;
  const disputedCents = openedCents && leftCents > 0 ? Math.min(openedCents, leftCents) : undefined;
  const lines = refundLines(orderLines, refunded, { amountCents: report.amountCents ?? disputedCents });
  const fresh = { externalId: `dispute:${tx.ids.uuid()}`, reason: 'chargeback', note: null, occurredAt: tx.clock.now() };
  const applied = await applyRefund(tx, ledger, { order, lines, fresh, actor });
  return { refundId: applied.id, reversed: applied.reversed };
}

async function lockDispute(tx: Tx, programId: string, externalId: string): Promise<Dispute | null> {
  const disputes = tx.db.selectFrom('disputes').selectAll().where('programId', '=', programId).where('externalId', '=', externalId);
  return (await disputes.forNoKeyUpdate().executeTakeFirst()) ?? null;
}

type NewDispute = { programId: string; id: string; order: Order; report: ReportedDispute; effect: Effect };

async function insertDispute(tx: Tx, { programId, id, order, report, effect }: NewDispute): Promise<Dispute> {
  const now = tx.clock.now();
  const dispute = await tx.db
    .insertInto('disputes')
    .values({
      programId,
      id,
      externalId: report.disputeId,
      conversionId: order.id,
      status: report.status,
      ...toAmounts(order, report),
      refundId: effect.refundId,
      createdAt: now,
      updatedAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordValues(tx, 'disputes', programId, [id]);
  return dispute;
}

/** The disputed amount, which is null for the whole order: in the currency of the program, and of an order that was converted. */
function toAmounts({ facts }: Order, { amountCents }: ReportedDispute) {
  if (amountCents === undefined) return { amountCents: null, originalCents: null };
  if (!facts.exchange) return { amountCents, originalCents: null };
  const whole = { originalCents: facts.exchange.amountCents, amountCents: facts.amountCents };
  return { amountCents: convertRefunded(amountCents, whole), originalCents: amountCents };
}

type NewStatus = { order: Order; report: ReportedDispute; effect: Effect };

async function updateDispute(tx: Tx, before: Dispute, { order, report, effect }: NewStatus): Promise<Dispute> {
  const { amountCents, originalCents } = report.amountCents === undefined ? before : toAmounts(order, report);
  const dispute = await tx.db
    .updateTable('disputes')
    .set({
      status: report.status,
      amountCents,
      originalCents,
      refundId: effect.refundId ?? before.refundId,
      updatedAt: tx.clock.now(),
    })
    .where('programId', '=', before.programId)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordValues(tx, 'disputes', before.programId, [before.id]);
  return dispute;
}
