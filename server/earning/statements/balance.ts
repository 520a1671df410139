// What is owed to an affiliate, as `GET …/payouts/due` counts it: matured commissions are available from the moment they
// mature, although the schedule moves them in the ledger only within the next five minutes.
import { sql } from 'kysely';
import { z } from 'zod';
import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';

const Balance = z
  .object({
    affiliateId: uuidOut,
    currency: z.string(),
    pendingCents: centsOut.describe('Earned, and either not matured yet or held.'),
    availableCents: centsOut.describe('Payable. Below 0: owed back, and netted by the next payout.'),
    inTransitCents: centsOut.describe('On its way to the affiliate.'),
    paidCents: centsOut.describe('Arrived, in all.'),
  })
  .meta({ id: 'Balance' });

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
    // One statement, so that both sums are of the same moment.
    const { rows } = await sql<Omit<z.input<typeof Balance>, 'affiliateId'>>`
      select program.currency, coalesce(pending_cents, 0) - matured.cents as pending_cents,
        coalesce(available_cents, 0) + matured.cents as available_cents,
        coalesce(in_transit_cents, 0) as in_transit_cents, coalesce(paid_cents, 0) as paid_cents
      from programs as program
      left join ledger_balances as balance on balance.program_id = program.id and balance.affiliate_id = ${params.id}
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
