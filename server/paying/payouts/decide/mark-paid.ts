import { z } from 'zod';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { line } from '../../../platform/http/declaration/fields.ts';
import { PayoutShape, payoutExample, payoutSlot } from '../payout.ts';
import { endPayout } from './end-payout.ts';
import { findPaymentWarnings, PaymentWarning } from './late-payment.ts';

const MarkedPayout = PayoutShape.extend({
  warnings: z.array(PaymentWarning).describe('What to check. The payout was marked as paid.'),
}).meta({ id: 'MarkedPayout', example: { ...payoutExample, warnings: [] } });

export const markPaid = endpoint({
  id: 'payouts.markPaid',
  route: 'POST /v1/programs/:programId/payouts/:id/mark-paid',
  scope: 'write',
  requires: 'payouts.approve',
  isSensitive: true,
  movesMoney: true,
  tag: 'Payouts',
  summary: 'Mark a payout as paid',
  description:
    'For payouts that are paid manually or from a file, for payouts whose outcome is unknown, and for payouts that were cancelled or ' +
    'failed but turn out to be paid: their amount is no longer owed, and `warnings` say if another payout includes it. A payout that ' +
    'is marked as paid is never sent.',
  path: { id: payoutSlot },
  body: z
    .object({ reference: line(100).optional().describe("The bank's reference for the payment.") })
    .meta({ id: 'MarkPaid', example: { reference: 'SEPA 2026-11-02' } }),
  statuses: [200],
  result: MarkedPayout,
  errors: [
    { status: 400, code: 'awaiting_approval', when: 'The batch is awaiting approval.' },
    { status: 400, code: 'payout_ended', when: 'The payout was returned. Retry it.' },
    { status: 422, code: 'payout_not_open', when: 'The payout is already paid.' },
  ],
  async handle(tx, { actor, params, body }) {
    const { before, payout } = await endPayout(tx, actor, params.id, {
      to: 'paid',
      toChange: (open) => ({ payout: open, to: 'paid', reference: body.reference, isMarkedPaid: true }),
    });
    return { ...payout, warnings: await findPaymentWarnings(tx, before) };
  },
});
