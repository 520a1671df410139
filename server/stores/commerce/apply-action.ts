// Applying the actions of a store event through the functions that the API's endpoints call. One transaction contains
// all actions of an event and its new status.
import { z } from 'zod';
import { parseAs } from '../../connections/stores/payload.ts';
import { type StoreAction, UnreadableEvent } from '../../connections/stores/store.ts';
import type { Tx } from '../../context.ts';
import { inOrderCurrency } from '../../earning/commission-rules/order-facts.ts';
import { openLedger } from '../../earning/ledger/post.ts';
import { getOrder, refundedLines } from '../../earning/refunds/apply.ts';
import { recordDispute } from '../../earning/refunds/record-dispute.ts';
import { ReportedRefund } from '../../earning/refunds/reported-refund.ts';
import { maxCents } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { AmountTooLarge, sumOf } from '../../platform/lib/money.ts';
import { applyStoreRefund, shareOfWhole } from './apply-refund.ts';
import { describeError, recordStoreOrder } from './record-order.ts';
import { findOrder, type KnownOrder, type Store, saveReferences, saveSignals } from './references.ts';

/** What an action did. `order_not_found`: its order has not arrived yet. `exchange_rate_missing`: its order can't be converted yet. */
export const ActionOutcome = z.object({
  action: z.enum(['order', 'signals', 'references', 'refund_total', 'refund', 'reported_refund', 'cancellation', 'edit', 'dispute']),
  status: z.enum([
    'credited',
    'duplicate',
    'unattributed',
    'stored',
    'refunded',
    'unchanged',
    'disputed',
    'order_not_found',
    'exchange_rate_missing',
  ]),
  orderId: z.string().exactOptional(),
  conversionId: z.string().exactOptional(),
  reason: z.string().exactOptional().describe('Why an order is unattributed or waits, or the status of a dispute.'),
});
export type ActionOutcome = z.output<typeof ActionOutcome>;

/** `newReferences`: references that became known, so that events waiting for them can be processed. */
export type AppliedAction = { outcome: ActionOutcome; newReferences: string[] };

/** Applies a valid action. The ledger must be locked. Throws UnreadableEvent for an action that can never be applied. */
export async function applyAction(tx: Tx, store: Store, action: StoreAction): Promise<AppliedAction> {
  try {
    return await applyByKind(tx, store, action);
  } catch (error) {
    if (error instanceof AmountTooLarge) throw new UnreadableEvent(error.message);
    throw error;
  }
}

async function applyByKind(tx: Tx, store: Store, action: StoreAction): Promise<AppliedAction> {
  switch (action.kind) {
    case 'signals': {
      const isNew = await saveSignals(tx, store, action.reference, action.signals);
      return { outcome: { action: action.kind, status: 'stored' }, newReferences: isNew ? [action.reference] : [] };
    }
    case 'references': {
      const newReferences = await saveReferences(tx, store, action.orderId, action.references);
      return { outcome: { action: action.kind, status: 'stored', orderId: action.orderId }, newReferences };
    }
    case 'order': {
      const { newReferences, ...outcome } = await recordStoreOrder(tx, store, action);
      return { outcome: { action: action.kind, ...outcome }, newReferences };
    }
    default:
      return { outcome: await applyToOrder(tx, store, action), newReferences: [] };
  }
}

type LaterAction = Exclude<StoreAction, { kind: 'order' | 'references' | 'signals' }>;

/** Applies a refund or dispute to the order that it refers to. */
async function applyToOrder(tx: Tx, store: Store, action: LaterAction): Promise<ActionOutcome> {
  const known = await findOrder(tx, store, action.references);
  if (!known) return { action: action.kind, status: 'order_not_found' };
  const { orderId } = known;
  const conversions = tx.db.selectFrom('conversions').select('id').where('programId', '=', store.programId);
  const conversion = await conversions.where('orderId', '=', orderId).executeTakeFirst();
  if (!conversion) return { action: action.kind, orderId, status: known.isReported ? 'unattributed' : 'order_not_found' };
  const conversionId = conversion.id;
  const actor: Actor = { kind: 'provider', id: store.id };
  if (action.kind === 'dispute') {
    await recordStoreDispute(tx, store.programId, { known, action, actor });
    return { action: action.kind, orderId, conversionId, status: 'disputed', reason: action.status };
  }
  const isRefunded = await applyStoreRefund(tx, store.programId, { known, action, actor });
  return { action: action.kind, orderId, conversionId, status: isRefunded ? 'refunded' : 'unchanged' };
}

type DisputeAction = Extract<StoreAction, { kind: 'dispute' }>;

async function recordStoreDispute(
  tx: Tx,
  programId: string,
  { known, action, actor }: { known: KnownOrder; action: DisputeAction; actor: Actor },
): Promise<void> {
  const ledger = await openLedger(tx, programId);
  const { id, facts } = await getOrder(tx, ledger, known.orderId);
  const { amountCents } = inOrderCurrency(facts);
  const refundedCents = sumOf([...(await refundedLines(tx, ledger, id)).values()]);
  // Without an amount, the dispute is for the amount it was opened with, or for the whole order.
  const disputedCents = action.amountCents === null ? 0 : shareOfWhole(amountCents, action.amountCents, known.grossCents);
  const leftCents = Math.min(disputedCents, amountCents - refundedCents);
  const { disputeId, status } = action;
  const report = { disputeId, orderId: known.orderId, status, amountCents: leftCents > 0 ? leftCents : undefined };
  try {
    await recordDispute(tx, { programId, actor, report });
  } catch (error) {
    // A dispute of another order: processing the event again would not help.
    if (error instanceof Invalid) throw new UnreadableEvent(`Dispute ${disputeId} was rejected: ${describeError(error)}`);
    throw error;
  }
}

const maxTextLength = 255;

/**
 * Throws UnreadableEvent for an action that could never be applied: with a text that is too long, an amount out of
 * range, or a refund that the API would reject. An order is validated when it is recorded.
 */
export function validateAction(action: StoreAction): void {
  for (const [field, value] of Object.entries(action)) if (field !== 'order' && field !== 'report') requireStorable(field, value);
  if (action.kind === 'reported_refund') parseAs(ReportedRefund, action.report);
}

function requireStorable(field: string, value: unknown): void {
  if (typeof value === 'string' && value.length > maxTextLength)
    throw new UnreadableEvent(`Invalid event: ${field} must not be longer than ${maxTextLength} characters.`);
  if (typeof value === 'number' && !(Number.isSafeInteger(value) && Math.abs(value) <= maxCents))
    throw new UnreadableEvent(`Invalid event: ${field} must be an integer up to ${maxCents}.`);
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) requireStorable(Array.isArray(value) ? field : name, inner);
}
