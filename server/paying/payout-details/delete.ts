import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { PayoutDetailsShape, toPayoutDetails } from './payout-details.ts';
import { removeDestination } from './store.ts';

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
    await removeDestination(tx, { programId: actor.programId, actor, affiliateId: id });
    return toPayoutDetails(id, undefined);
  },
});
