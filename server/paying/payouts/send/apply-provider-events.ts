// Applies the events that payout providers send. Repeated events were dropped by their id before; their order doesn't
// matter, because payouts only move forward.
import { sql } from 'kysely';
import type { Provider } from '../../../connections/providers/provider.ts';
import type { RailEvent } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { applyResponses, type PayoutResponse } from '../apply-responses.ts';
import { type ExchangeColumns, hasSameAmount, selectExchange } from '../exchange/payout-exchange.ts';
import { type LockReason, lockProgram } from '../lock.ts';

/** An event about an unknown payout, or with another amount, locks the program until its payouts are reconciled. */
export async function applyProviderEvents(ctx: Context, provider: Provider, events: readonly RailEvent[]): Promise<void> {
  const { programId, id: providerId } = provider;
  const lock = (reason: LockReason) => transact(ctx, (tx) => lockProgram(tx, programId, reason));
  const responses: PayoutResponse[] = [];
  for (const { about } of events) {
    if (!about) continue;
    const payout = await findPayout(ctx, provider, about);
    // Events without an amount are accepted; reconciling compares the amounts.
    if (payout && hasSameAmount(payout, about)) responses.push({ payoutId: payout.id, response: about.outcome });
    else if (payout) await lock('provider_amount_mismatch');
    else if (await isUnknownPayout(ctx, about.paymentId)) await lock('provider_unknown_payout');
  }
  await applyResponses(ctx, programId, responses, { kind: 'provider', id: providerId });
}

type About = NonNullable<RailEvent['about']>;
type Found = { id: string; amountCents: number; currency: string } & ExchangeColumns;

async function findPayout(ctx: Context, { programId, id: providerId }: Provider, { paymentId, reference }: About): Promise<Found | null> {
  const id = paymentId && canonicalUuid(paymentId);
  const { rows } = await sql<Found>`
    select payout.id, payout.amount_cents, payout.currency, ${selectExchange} from payouts as payout
    join payout_batches as batch on batch.program_id = payout.program_id and batch.id = payout.batch_id
    where payout.program_id = ${programId} and batch.provider_id = ${providerId}
      and ${id ? sql`payout.id = ${id}` : sql`payout.provider_reference = ${reference}`}
    limit 2`.execute(ctx.db);
  // A reference that several payouts share, such as the number of a bank run, identifies none of them.
  return rows.length === 1 ? (rows[0] ?? null) : null;
}

/** Whether the event names a payout id that exists in no program of this installation. */
async function isUnknownPayout(ctx: Context, paymentId: string | null): Promise<boolean> {
  const id = paymentId && canonicalUuid(paymentId);
  if (!id) return false;
  const known = await ctx.db.selectFrom('payouts').select('id').where('id', '=', id).executeTakeFirst();
  return known === undefined;
}
