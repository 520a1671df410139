import { z } from 'zod';
import { affiliateSlot } from '../affiliates/affiliate.ts';
import { endpoint } from '../http/endpoint.ts';
import { centsOut, uuidOut } from '../http/fields.ts';

export const getBalance = endpoint({
  id: 'affiliates.balance',
  route: 'GET /v1/programs/:programId/affiliates/:id/balance',
  scope: 'read',
  tag: 'Ledger',
  summary: "Get an affiliate's balance",
  path: { id: affiliateSlot },
  statuses: [200],
  result: z
    .object({
      affiliateId: uuidOut,
      currency: z.string(),
      pendingCents: centsOut.describe('Earned, and not yet matured or held.'),
      availableCents: centsOut.describe('Payable. Below 0: owed back, and netted by the next payout.'),
      inTransitCents: centsOut.describe('On its way to the affiliate.'),
      paidCents: centsOut.describe('Arrived, in all.'),
    })
    .meta({ id: 'Balance' }),
  async handle(ctx, { actor, params }) {
    const { programId } = actor;
    const { currency } = await ctx.db.selectFrom('programs').select('currency').where('id', '=', programId).executeTakeFirstOrThrow();
    const balance = await ctx.db
      .selectFrom('ledgerBalances')
      .select(['pendingCents', 'availableCents', 'inTransitCents', 'paidCents'])
      .where('programId', '=', programId)
      .where('affiliateId', '=', params.id)
      .executeTakeFirst();
    const nothing = { pendingCents: 0, availableCents: 0, inTransitCents: 0, paidCents: 0 };
    return { affiliateId: params.id, currency, ...(balance ?? nothing) };
  },
});
