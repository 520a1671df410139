import { z } from 'zod';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { line } from '../../../platform/http/declaration/fields.ts';
import { PayoutShape, payoutSlot } from '../payout.ts';
import { endPayout, payoutEnded } from './end-payout.ts';

export const markPaid = endpoint({
  id: 'payouts.markPaid',
  route: 'POST /v1/programs/:programId/payouts/:id/mark-paid',
  scope: 'write',
  requires: 'payouts.approve',
  isSensitive: true,
  tag: 'Payouts',
  summary: 'Mark a payout as paid',
  description:
    'For payouts that are paid manually or from a file, and for payouts whose outcome is unknown. A payout that is marked as paid ' +
    'is never sent.',
  path: { id: payoutSlot },
  body: z
    .object({ reference: line(100).optional().describe("The bank's reference for the payment.") })
    .meta({ id: 'MarkPaid', example: { reference: 'SEPA 2026-11-02' } }),
  statuses: [200],
  result: PayoutShape,
  errors: [
    { status: 400, code: 'awaiting_approval', when: 'The batch is awaiting approval.' },
    payoutEnded,
    { status: 422, code: 'payout_not_open', when: 'The payout is already paid.' },
  ],
  handle: (tx, { actor, params, body }) =>
    endPayout(tx, actor, params.id, {
      to: 'paid',
      action: 'marked_paid',
      toChange: (payout) => ({ payout, to: 'paid', reference: body.reference }),
    }),
});
