// An order that its new affiliate, or their upline, bought is a self-referral like a reported one.
import type { Tx } from '../../context.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import type { AffiliateAtOrder } from '../commission-rules/earners/affiliate-at-order.ts';
import { lockOrderCommissions } from '../commissions/commission.ts';
import { openHold } from '../commissions/holds.ts';
import type { RecordedOrder } from '../conversions/changing/recorded-order.ts';
import { readSettings } from '../conversions/recording/look-up.ts';
import { createFraudEvents, findSelfReferral } from '../fraud/detect.ts';
import type { DetectedFraud } from '../fraud/fraud-event.ts';
import { findConversionFraud } from '../fraud/fraud-event.ts';
import type { LockedLedger, Transfer } from '../ledger/post.ts';

type Buying = { order: RecordedOrder; affiliate: AffiliateAtOrder; actor: Actor };

/**
 * Opens an alert, which holds the commissions that the order has and those that it gets. An alert about the same affiliate
 * that is open or was resolved is not opened again. The ledger must be open, and the order locked.
 */
export async function flagSelfReferral(
  tx: Tx,
  ledger: LockedLedger,
  { order, affiliate, actor }: Buying,
): Promise<{ alerts: DetectedFraud[]; transfers: Transfer[] }> {
  const { programId } = ledger;
  const earlier = await findConversionFraud(tx, { programId, conversionId: order.id });
  if (earlier.some(({ kind, affiliateId }) => kind === 'self_referral' && affiliateId === affiliate.id))
    return { alerts: [], transfers: [] };
  const alerts = findSelfReferral(order.buyer, affiliate, await readSettings(tx, programId));
  const subject = { affiliateId: affiliate.id, conversionId: order.id, alerts, actor };
  const holds = (await createFraudEvents(tx, programId, [subject])).get(order.id) ?? [];
  const transfers: Transfer[] = [];
  for (const { cause, causeId, reason } of holds) {
    const rows = await lockOrderCommissions(tx, programId, [order.id]);
    transfers.push(...(await openHold(tx, ledger, { rows, cause, causeId }, { actor, reason })).transfers);
  }
  return { alerts, transfers };
}
