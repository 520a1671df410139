// One payout with the commissions that it pays and every change of its status.
import { z } from 'zod';
import { ActorShape, actorExample } from '../../platform/http/declaration/actor-shape.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { getPayout, isOpen, PayoutShape, PayoutStatus, payoutExample, payoutSlot, toPayout, toPayoutStatus } from './payout.ts';

const Line = z.object({ commissionId: uuidOut, amountCents: centsOut.describe('Negative if a debt was netted.') });
const Step = z.object({
  status: PayoutStatus,
  actor: ActorShape,
  reason: z.string().nullable(),
  createdAt: timestampOut,
});

const PayoutDetail = PayoutShape.omit({ affiliate: true, batch: true })
  .extend({
    sentAt: timestampOut.nullable().describe('When the payment was first sent to the provider.'),
    nextCheckAt: timestampOut.nullable().describe('When the provider is next asked about a payment without a final outcome.'),
    lines: z.array(Line).describe('The commissions that this payout pays.'),
    history: z.array(Step).describe('Every change of status, oldest first.'),
  })
  .meta({
    id: 'PayoutDetail',
    example: {
      ...payoutExample,
      sentAt: '2026-11-02T09:30:02.000Z',
      nextCheckAt: null,
      lines: [{ commissionId: '01980a62-90ab-7c1d-8e2f-3a4b5c6d7e8f', amountCents: 12_850 }],
      history: [
        {
          status: 'queued',
          actor: actorExample,
          reason: null,
          createdAt: '2026-11-02T09:30:00.000Z',
        },
        {
          status: 'sending',
          actor: { kind: 'schedule', id: 'payouts.send' },
          reason: null,
          createdAt: '2026-11-02T09:30:02.000Z',
        },
        {
          status: 'paid',
          actor: { kind: 'provider', id: '01980a70-5e6f-7a8b-9c0d-1e2f3a4b5c6d' },
          reason: null,
          createdAt: '2026-11-02T09:30:04.000Z',
        },
      ],
    },
  });

export const readPayout = endpoint({
  id: 'payouts.get',
  route: 'GET /v1/programs/:programId/payouts/:id',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Get a payout with its commissions and history',
  path: { id: payoutSlot },
  statuses: [200],
  result: PayoutDetail,
  async handle(ctx, { actor: { programId }, params: { id } }) {
    const payout = await getPayout(ctx, programId, id);
    const lines = ctx.db.selectFrom('payoutLines').select(['commissionId', 'cents as amountCents']).where('programId', '=', programId);
    const events = ctx.db.selectFrom('payoutEvents').selectAll().where('programId', '=', programId).where('payoutId', '=', id);
    const steps = await events.orderBy('step').execute();
    return {
      ...toPayout(payout),
      sentAt: payout.firstAttemptAt?.toISOString() ?? null,
      nextCheckAt: isOpen(payout.status) ? (payout.nextCheckAt?.toISOString() ?? null) : null,
      lines: await lines.where('payoutId', '=', id).orderBy('commissionId').execute(),
      history: steps.map(({ toStatus, actorKind, actorId, reason, createdAt }) => ({
        status: toPayoutStatus(toStatus),
        actor: ActorShape.parse({ kind: actorKind, id: actorId }),
        reason,
        createdAt: createdAt.toISOString(),
      })),
    };
  },
});
