// Setting where an affiliate is paid, by the program.
import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { PayoutDestination } from './destination.ts';
import { PayoutDetailsShape, toPayoutDetails } from './payout-details.ts';
import { storeDestination, waitHours } from './store.ts';

export const setPayoutDetails = endpoint({
  id: 'payoutDetails.set',
  route: 'POST /v1/programs/:programId/affiliates/:id/payout-details',
  scope: 'write',
  requires: 'payouts.prepare',
  isSensitive: true,
  movesMoney: true,
  tag: 'Payout details',
  summary: "Set an affiliate's payout details",
  description:
    `The first destination is used immediately, and a change ${waitHours} hours later. The affiliate is notified of both by email. ` +
    'Sending the same destination again has no effect. The destination is encrypted and never returned.',
  path: { id: affiliateSlot },
  body: PayoutDestination,
  statuses: [201, 200],
  outcomes: { 200: 'The payout details were changed, or were already the same.' },
  result: PayoutDetailsShape,
  async handle(tx, { actor, params: { id }, body: destination }) {
    const { row, isNew } = await storeDestination(tx, { programId: actor.programId, actor, affiliateId: id }, destination);
    return new Reply(isNew ? 201 : 200, toPayoutDetails(id, row));
  },
});
