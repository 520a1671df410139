// What rails tell by themselves. Repeats were dropped before by the rail's event id; the order in which events come
// means nothing, because payouts only go forward.
import { sql } from 'kysely';
import type { Provider } from '../../../connections/providers/provider.ts';
import type { RailEvent } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { lock, told } from '../safety.ts';
import { settle, type Word } from '../settle.ts';

/** Records the events. One about a payout that we don't know stops the program until its ledger was compared. */
export async function applyRailEvents(ctx: Context, provider: Provider, events: readonly RailEvent[]): Promise<void> {
  const { programId, id: providerId } = provider;
  const words: Word[] = [];
  for (const { about } of events) {
    if (!about) continue;
    const item = await findItem(ctx, provider, about);
    if (item && isSameAmount(item, about)) words.push({ itemId: item.id, answer: about.answer });
    else if (item) await transact(ctx, (tx) => lock(tx, programId, `${told} another amount than was asked for`));
    else if (await isOurs(ctx, about.paymentId))
      await transact(ctx, (tx) => lock(tx, programId, `${told} a payout that is not in the ledger`));
  }
  await settle(ctx, programId, words, `event:${providerId}`);
}

type About = NonNullable<RailEvent['about']>;
type Found = { id: string; amountCents: number; currency: string };

/** Rails that don't say how much it was are believed; reconciling compares the amounts. */
function isSameAmount(item: Found, { amountCents = item.amountCents, currency = item.currency }: About): boolean {
  return amountCents === item.amountCents && currency.toUpperCase() === item.currency;
}

async function findItem(ctx: Context, { programId, id: providerId }: Provider, { paymentId, reference }: About): Promise<Found | null> {
  const id = paymentId && canonicalUuid(paymentId);
  const { rows } = await sql<Found>`
    select item.id, item.amount_cents, item.currency from payout_items as item join payout_batches as batch on batch.program_id = item.program_id and batch.id = item.batch_id
    where item.program_id = ${programId} and batch.provider_id = ${providerId} and ${id ? sql`item.id = ${id}` : sql`item.rail_reference = ${reference}`}
    limit 2`.execute(ctx.db);
  // A reference that several payouts share, as the number of a bank run, tells of none of them.
  return rows.length === 1 ? (rows[0] ?? null) : null;
}

/** A payment with an id of our kind that no program of this installation knows. */
async function isOurs(ctx: Context, paymentId: string | null): Promise<boolean> {
  const id = paymentId && canonicalUuid(paymentId);
  if (!id) return false;
  const known = await ctx.db.selectFrom('payoutItems').select('id').where('id', '=', id).executeTakeFirst();
  return known === undefined;
}
