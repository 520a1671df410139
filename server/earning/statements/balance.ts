// The amounts owed to an affiliate. As in `GET …/payouts/due`, commissions are available from the moment they mature,
// although the schedule posts them to the ledger up to five minutes later.
import { sql } from 'kysely';
import { z } from 'zod';
import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, currencyOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';

const Balance = z
  .object({
    affiliateId: uuidOut,
    currency: currencyOut,
    pendingCents: centsOut.describe('Earned, but held or not yet matured.'),
    availableCents: centsOut.describe('Payable. If negative, the affiliate owes this amount, and the next payout nets it.'),
    inTransitCents: centsOut.describe('In payouts that have not been paid yet.'),
    paidCents: centsOut.describe('The total amount paid.'),
  })
  .meta({
    id: 'Balance',
    example: {
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      currency: 'USD',
      pendingCents: 349,
      availableCents: 12850,
      inTransitCents: 0,
      paidCents: 48200,
    },
  });

export const getBalance = endpoint({
  id: 'affiliates.balance',
  route: 'GET /v1/programs/:programId/affiliates/:id/balance',
  scope: 'read',
  tag: 'Ledger',
  summary: "Get an affiliate's balance",
  path: { id: affiliateSlot },
  statuses: [200],
  result: Balance,
  async handle(ctx, { actor, params }) {
    const { programId } = actor;
    // A single statement, so that both sums are from the same snapshot.
    const { rows } = await sql<Omit<z.input<typeof Balance>, 'affiliateId'>>`
      select program.currency, coalesce(pending_cents, 0) - matured.cents as pending_cents,
        coalesce(available_cents, 0) + matured.cents as available_cents,
        coalesce(in_transit_cents, 0) as in_transit_cents, coalesce(paid_cents, 0) as paid_cents
      from programs as program
      left join ledger_balances as balance on balance.program_id = ${programId} and balance.affiliate_id = ${params.id}
      cross join lateral (
        select coalesce(sum(amount_cents - reversed_cents - settled_cents), 0)::bigint as cents from commissions
        where program_id = ${programId} and affiliate_id = ${params.id} and status = 'pending' and matures_at <= ${ctx.clock.now()}
      ) as matured
      where program.id = ${programId}`.execute(ctx.db);
    const [balance] = rows;
    if (!balance) throw new NotFound();
    return { affiliateId: params.id, ...balance };
  },
});
