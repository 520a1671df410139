import { affiliateSlot, lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { removedAction, tellOfChange } from './notify-change.ts';
import { findPayoutDetails, openDestination, PayoutDetailsShape, toPayoutDetails } from './payout-detail.ts';

export const deletePayoutDetails = endpoint({
  id: 'payoutDetails.delete',
  route: 'DELETE /v1/programs/:programId/affiliates/:id/payout-details',
  scope: 'write',
  tag: 'Payout details',
  summary: 'Remove how an affiliate is paid',
  description: 'They are paid no more until details are set again, which then count as a change. The affiliate is told by mail.',
  path: { id: affiliateSlot },
  statuses: [200],
  result: PayoutDetailsShape,
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    const affiliate = await lockAffiliate(tx, programId, id);
    const former = await findPayoutDetails(tx, programId, id);
    if (!former) return toPayoutDetails(id, undefined);
    await tx.db.deleteFrom('payoutDetails').where('programId', '=', programId).where('affiliateId', '=', id).execute();
    const before = { method: former.method };
    const changeId = await recordChange(tx, { programId, actor, action: removedAction, subjectId: id, before });
    const formerDestination = openDestination(tx.vault, former.sealed, id);
    await tellOfChange(tx, { affiliate, changeId, actor, former: formerDestination, method: null, usableFrom: null });
    return toPayoutDetails(id, undefined);
  },
});
