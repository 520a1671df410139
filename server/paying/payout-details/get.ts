import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { findPayoutDetails, PayoutDetailsShape, toPayoutDetails } from './payout-details.ts';

export const getPayoutDetails = endpoint({
  id: 'payoutDetails.get',
  route: 'GET /v1/programs/:programId/affiliates/:id/payout-details',
  scope: 'read',
  tag: 'Payout details',
  summary: "Get an affiliate's payout details",
  description: 'Returns the payout method only; account identifiers are never returned.',
  path: { id: affiliateSlot },
  statuses: [200],
  result: PayoutDetailsShape,
  async handle(ctx, { actor, params: { id } }) {
    return toPayoutDetails(id, await findPayoutDetails(ctx, actor.programId, id));
  },
});
