import { z } from 'zod';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { line } from '../../../platform/http/declaration/fields.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { PayoutShape, payoutSlot } from '../payout.ts';
import { endPayout } from './end-payout.ts';

export const cancelPayout = endpoint({
  id: 'payouts.cancel',
  route: 'POST /v1/programs/:programId/payouts/:id/cancel',
  scope: 'write',
  requires: 'payouts.prepare',
  tag: 'Payouts',
  summary: 'Cancel a payout',
  description:
    'The commissions of the payout are owed again and included in the next batch. A payout that may have been paid (`sent`, ' +
    '`reconcile_required`) is cancelled only with `confirmNotPaid: true`, after you checked with the provider. If it is paid ' +
    'after all, mark it as paid: it is not paid again.',
  path: { id: payoutSlot },
  body: z
    .object({
      note: line(200).optional(),
      confirmNotPaid: z.boolean().default(false).describe('Confirms that this payout was not paid and will not be.'),
    })
    .meta({ id: 'CancelPayout', example: { note: 'Wrong bank account' } }),
  statuses: [200],
  result: PayoutShape,
  errors: [
    { status: 400, code: 'payout_ended', when: 'The payout has another final status.' },
    { status: 422, code: 'payout_not_open', when: 'The payout is already cancelled.' },
  ],
  async handle(tx, { actor, params, body }) {
    const { payout: cancelled } = await endPayout(tx, actor, params.id, {
      to: 'cancelled',
      toChange(payout) {
        const mayBePaid = payout.status === 'sent' || payout.status === 'unknown';
        if (mayBePaid && !body.confirmNotPaid) {
          throw new Invalid([{ path: ['confirmNotPaid'], message: 'must be true, because this payout may have been paid' }]);
        }
        return { payout, to: 'cancelled', note: body.note };
      },
    });
    return cancelled;
  },
});
