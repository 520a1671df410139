import { affiliateSlot, lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import { setPayoutDetailsFigure } from '../../partners/affiliates/totals/figures.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { notifyChange, removedAction } from './notify-change.ts';
import { decryptDestination, findPayoutDetails, PayoutDetailsShape, toPayoutDetails } from './payout-details.ts';

export const deletePayoutDetails = endpoint({
  id: 'payoutDetails.delete',
  route: 'DELETE /v1/programs/:programId/affiliates/:id/payout-details',
  scope: 'write',
  requires: 'payouts.prepare',
  isSensitive: true,
  movesMoney: true,
  tag: 'Payout details',
  summary: "Delete an affiliate's payout details",
  description: 'The affiliate is not paid until new details are set. Setting them counts as a change. The affiliate is notified by email.',
  path: { id: affiliateSlot },
  statuses: [200],
  result: PayoutDetailsShape,
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    const affiliate = await lockAffiliate(tx, programId, id);
    const former = await findPayoutDetails(tx, programId, id);
    if (!former) return toPayoutDetails(id, undefined);
    await tx.db.deleteFrom('payoutDetails').where('programId', '=', programId).where('affiliateId', '=', id).execute();
    await setPayoutDetailsFigure(tx, { programId, affiliateId: id }, false);
    const before = { method: former.method };
    const changeId = await recordChange(tx, { programId, actor, action: removedAction, subjectId: id, before });
    const formerDestination = decryptDestination(tx.vault, former.encryptedDestination, id);
    await notifyChange(tx, { affiliate, changeId, actor, former: formerDestination, method: null, effectiveAt: null });
    return toPayoutDetails(id, undefined);
  },
});
