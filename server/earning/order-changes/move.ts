// Moving an order to another affiliate: the commissions of the previous one are reversed permanently, including what was paid, and
// the new one earns by the rules that were valid when the order occurred, less what was refunded.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { addToTotals } from '../../partners/affiliates/totals/add-to-totals.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { stopClock } from '../../platform/lib/clock.ts';
import { InvalidState, NotFound, NothingToDo } from '../../platform/lib/errors.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { toStoredLines } from '../commission-rules/choose-rule.ts';
import type { Earned } from '../commissions/accrue.ts';
import { lockOrderCommissions } from '../commissions/commission.ts';
import { rejectCommissions } from '../commissions/reject.ts';
import { type Reversed, reverse } from '../commissions/reverse.ts';
import { creditTo, lockRecordedOrder, type NewCredit, type RecordedOrder } from '../conversions/changing/recorded-order.ts';
import { releaseCoupon, rewriteOrder } from '../conversions/changing/rewrite.ts';
import { conversionSlot } from '../conversions/conversion.ts';
import { type LockedLedger, openLedger, post } from '../ledger/post.ts';
import { queueFirstSales } from '../orders/email-first-sale.ts';
import { updateOrders } from '../orders/write-orders.ts';
import { refundedOfProgram } from '../refunds/apply.ts';
import { holdAgain, readManualHolds } from './causes.ts';
import { changeOrder, dryRun, note, OrderChange, type Requested, recordOrderChange, toEarned, toReversal } from './change.ts';
import { earnAgain } from './earn.ts';
import { flagSelfReferral } from './flag-self-referral.ts';

export const moveOrder = endpoint({
  id: 'conversions.move',
  route: 'POST /v1/programs/:programId/conversions/:id/move',
  scope: 'write',
  requires: 'conversions.write',
  tag: 'Conversions',
  summary: 'Move an order to another affiliate',
  description:
    'Reverses the commissions of the affiliate who was credited, and of their upline; what was already paid is netted by their next ' +
    'payout. The new affiliate and their upline earn by the rules, overrides and groups that were in effect when the order ' +
    'occurred, less what was refunded; an upline must be active now, too. Adjustments are not moved. Later refunds concern the new commissions only. The order keeps ' +
    'its id, and the affiliate of its customer stays. An order that the new affiliate or their upline bought is held with a fraud alert ' +
    'for self-referral, as a reported one is.',
  path: { id: conversionSlot },
  body: z
    .object({ affiliateId: uuid, note, dryRun })
    .meta({ id: 'OrderMove', example: { affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', note: 'The buyer named her at checkout' } }),
  statuses: [200],
  result: OrderChange,
  errors: [
    { status: 400, code: 'affiliate_not_active', when: 'The affiliate is not active, so no order can be credited to them.' },
    { status: 400, code: 'amount_too_large', when: 'The commission of the order would exceed the largest amount that can be stored.' },
    { status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' },
    {
      status: 422,
      code: 'nothing_to_move',
      when: 'The order is already credited to this affiliate, or it is fully refunded, cancelled or fraud.',
    },
  ],
  handle: (tx, { actor, params, body: { affiliateId, note: text, dryRun: isRehearsal } }) => {
    const requested = { conversionId: params.id, actor, note: text };
    return changeOrder(tx, isRehearsal, (inner) => move(inner, actor.programId, { ...requested, affiliateId }));
  },
});

async function move(opening: Tx, programId: string, requested: Requested & { affiliateId: string }) {
  const { actor, affiliateId } = requested;
  const ledger = await openLedger(opening, programId);
  const tx = stopClock(opening);
  const order = await lockRecordedOrder(tx, ledger, requested.conversionId);
  rejectMove(order, affiliateId);
  const id = tx.ids.uuid();
  const manual = await readManualHolds(tx, programId, order.id);
  const rows = await lockOrderCommissions(tx, programId, [order.id]);
  const rejected = await rejectCommissions(tx, ledger, rows, { actor, reason: 'moved', moveId: id });
  await releaseCoupon(tx, ledger, order);
  const credit = await findCredit(tx, programId, order, affiliateId);
  const flagged = await flagSelfReferral(tx, ledger, { order, affiliate: credit.affiliate, actor });
  const since = order.occurredAt;
  const { calculation, earned, transfers } = await earnAgain(tx, ledger, { order, ...credit, since, actor });
  const { drafts, unpaid, capCents } = calculation;
  const warnings = [...order.decision.warnings.filter(({ code }) => code !== 'affiliate_terms_changed'), ...credit.warnings];
  const lines = toStoredLines(calculation.lines);
  const decision = { ...order.decision, drafts, unpaid, capCents, lines, warnings, alerts: [...order.decision.alerts, ...flagged.alerts] };
  await rewriteOrder(tx, ledger, order, { facts: credit.facts, decision, credit });
  const refunded = await reverseRefunded(tx, ledger, { order, id, actor });
  const held = await holdAgain(tx, ledger, { fresh: earned, holds: manual }, { actor });
  await updateOrders(tx, programId, [order.id]);
  await moveTotals(tx, ledger, { order, affiliateId, reversals: rejected.reversals, earned, refunded: refunded.reversed });
  await post(tx, ledger, [...rejected.transfers, ...flagged.transfers, ...transfers, ...refunded.transfers, ...held]);
  const { method, clickId, clickedAt, couponId } = order;
  const before = { method, clickId, clickedAt: clickedAt?.toISOString() ?? null, couponId };
  const change = { id, kind: 'moved' as const, toAffiliateId: affiliateId, amountCents: 0, before };
  const conversion = await recordOrderChange(tx, programId, { order, change, requested });
  const lost = rejected.rows.map((row) => toReversal(row, row.amountCents - row.reversedCents));
  const reversedOf = new Map(refunded.reversed.map(({ row, cents }) => [row.id, cents]));
  const won = earned.map((one) => toEarned(one, one.amountCents - (reversedOf.get(one.id) ?? 0)));
  return { id, conversion, adjustments: [...lost.filter(({ amountCents }) => amountCents !== 0), ...won] };
}

function rejectMove(order: RecordedOrder, affiliateId: string): void {
  const reject = (message: string): never => {
    throw new NothingToDo('nothing_to_move', message);
  };
  if (order.affiliateId === affiliateId) reject('This order is already credited to this affiliate.');
  if (order.isCancelled) reject('This order was cancelled.');
  if (order.isVoid) reject('This order is fully refunded.');
  if (order.isFraud) reject('This order was rejected as fraud.');
}

async function findCredit(tx: Tx, programId: string, order: RecordedOrder, affiliateId: string): Promise<NewCredit> {
  const credit = await creditTo(tx, programId, order, affiliateId);
  if (!credit) throw new NotFound('affiliateId');
  if (credit.status !== 'active')
    throw new InvalidState('affiliate_not_active', 'This affiliate is not active, so no order can be moved to them.');
  return credit;
}

/** What was refunded before the move is reversed for the new commissions too. */
async function reverseRefunded(
  tx: Tx,
  ledger: LockedLedger,
  { order, id, actor }: { order: RecordedOrder; id: string } & Pick<Requested, 'actor'>,
) {
  const refundedByPosition = await refundedOfProgram(tx, ledger, order);
  if (refundedByPosition.size === 0) return { reversed: [], transfers: [] };
  const reversal = { conversionId: order.id, refundedByPosition, isFullyRefunded: false, cause: id, reason: 'refund' };
  return reverse(tx, ledger, [reversal], actor);
}

type Moved = {
  order: RecordedOrder;
  affiliateId: string;
  reversals: readonly { affiliateId: string; reversalsCents?: number }[];
  earned: readonly Earned[];
  refunded: readonly Reversed[];
};

/** The order counts for the new affiliate, on the same day. */
async function moveTotals(tx: Tx, ledger: LockedLedger, { order, affiliateId, reversals, earned, refunded }: Moved): Promise<void> {
  const day = localDate(order.occurredAt, ledger.timezone);
  const { amountCents, refundedCents } = order;
  const beginners = await addToTotals(tx, ledger, [
    { affiliateId: order.affiliateId, day, conversions: -1, salesCents: -amountCents, refundsCents: -refundedCents },
    { affiliateId, day, conversions: 1, salesCents: amountCents, refundsCents: refundedCents },
    ...reversals.map((reversal) => ({ ...reversal, day })),
    ...earned.map((one) => ({ affiliateId: one.affiliateId, day, commissionsCents: one.amountCents })),
    ...refunded.map(({ row, cents }) => ({ affiliateId: row.affiliateId, day, reversalsCents: cents })),
  ]);
  const { id, occurredAt } = order;
  await queueFirstSales(tx, ledger.programId, { beginners, orders: [{ id, affiliateId, occurredAt }] });
}
