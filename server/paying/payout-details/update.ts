// Changing the currency in which an affiliate is paid, by the program. The destination is unaffected, so nothing waits.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { PayoutDetailsShape, toPayoutDetails } from './payout-details.ts';
import { PayoutDetailsChange, payoutDetailsMissing, storePayoutCurrency } from './store-currency.ts';

export const updatePayoutDetails = endpoint({
  id: 'payoutDetails.update',
  route: 'PATCH /v1/programs/:programId/affiliates/:id/payout-details',
  scope: 'write',
  requires: 'payouts.prepare',
  isSensitive: true,
  movesMoney: true,
  tag: 'Payout details',
  summary: 'Change the currency in which an affiliate is paid',
  description:
    'One of `payoutCurrencies` of the program. It applies to payouts that are created from now on; a payout that was created keeps its ' +
    'amount. A bank account can only be paid in its currency, or in that of the program.',
  path: { id: affiliateSlot },
  body: z.object(PayoutDetailsChange).meta({ id: 'PayoutDetailsUpdate', example: { payoutCurrency: 'EUR' } }),
  statuses: [200],
  result: PayoutDetailsShape,
  errors: [payoutDetailsMissing],
  async handle(tx, { actor, params: { id }, body: { payoutCurrency } }) {
    const { programId } = actor;
    const { payoutCurrencies } = await getProgram(tx, programId);
    const row = await storePayoutCurrency(tx, { programId, actor, affiliateId: id, allowed: payoutCurrencies }, payoutCurrency);
    return toPayoutDetails(id, row);
  },
});
