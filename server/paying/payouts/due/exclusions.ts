// Affiliates who are left out of a batch on purpose. The reason is stored until a batch pays the affiliate, so that it is
// known when the next one is prepared.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import { line, timestampOut, uuid } from '../../../platform/http/declaration/fields.ts';

/** An affiliate to leave out of a batch. */
export const Exclusion = z.object({ affiliateId: uuid, note: line(200) }).meta({ id: 'PayoutExclusion' });
export type Exclusion = z.output<typeof Exclusion>;

/** Why an affiliate was left out of the last batch. */
export const StoredExclusion = z
  .object({ note: z.string(), excludedAt: timestampOut.describe('When the batch was dispatched.') })
  .meta({ id: 'StoredPayoutExclusion' });

type Batch = { exclusions: readonly Exclusion[]; paidIds: readonly string[] };

/** Stores why affiliates were left out of a batch, and deletes the reasons of those whom the batch pays. */
export async function recordExclusions(tx: Tx, programId: string, { exclusions, paidIds }: Batch): Promise<void> {
  await sql`delete from payout_exclusions where program_id = ${programId} and affiliate_id = any(${[...paidIds]}::uuid[])`.execute(tx.db);
  const notes = new Map(exclusions.map(({ affiliateId, note }) => [affiliateId, note]));
  if (notes.size === 0) return;
  await sql`
    insert into payout_exclusions (program_id, affiliate_id, reason, excluded_at)
    select ${programId}::uuid, given.affiliate_id, given.reason, ${tx.clock.now()}::timestamptz
    from unnest(${[...notes.keys()]}::uuid[], ${[...notes.values()]}::text[]) as given (affiliate_id, reason)
    on conflict (program_id, affiliate_id) do update set reason = excluded.reason, excluded_at = excluded.excluded_at`.execute(tx.db);
}

/** Why affiliates were left out of the last batch, by their ids. */
export async function findExclusions(
  ctx: Pick<Context, 'db'>,
  programId: string,
  affiliateIds: readonly string[],
): Promise<Map<string, z.input<typeof StoredExclusion>>> {
  if (affiliateIds.length === 0) return new Map();
  const { rows } = await sql<{ affiliateId: string; note: string; excludedAt: Date }>`
    select affiliate_id, reason as note, excluded_at from payout_exclusions
    where program_id = ${programId} and affiliate_id = any(${[...affiliateIds]}::uuid[])`.execute(ctx.db);
  return new Map(rows.map(({ affiliateId, note, excludedAt }) => [affiliateId, { note, excludedAt: excludedAt.toISOString() }]));
}
