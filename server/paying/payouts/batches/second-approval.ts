import { sql } from 'kysely';
import { getProgram } from '../../../accounts/programs/program.ts';
import { automaticRails } from '../../../connections/rails/index.ts';
import type { Context } from '../../../context.ts';

const windowHours = 24;

type Read = Pick<Context, 'db' | 'clock'>;

/**
 * Whether a batch of this size needs a second approval. Batches of the last 24 hours without one count too, so that splitting a
 * batch doesn't avoid the approval. To act on it, lock the ledger first, so that concurrent dispatches see each other.
 */
export async function needsSecondApproval(ctx: Read, programId: string, totalCents: number): Promise<boolean> {
  const { payoutApprovalCents } = await getProgram(ctx, programId);
  if (payoutApprovalCents === null) return false;
  return (await sumUnapproved(ctx, programId)) + BigInt(totalCents) > BigInt(payoutApprovalCents);
}

/** Leaves out what was certainly never paid: payouts that failed, or were cancelled before an automatic provider was called. */
async function sumUnapproved({ db, clock }: Read, programId: string): Promise<bigint> {
  const since = new Date(clock.now().getTime() - windowHours * 3_600_000);
  const { rows } = await sql<{ cents: string }>`
    select coalesce(sum(payout.amount_cents), 0)::text as cents from payouts as payout
    join payout_batches as batch on batch.program_id = ${programId} and batch.id = payout.batch_id
    where payout.program_id = ${programId} and batch.created_at > ${since} and not batch.needs_approval and payout.status <> 'failed'
      and not (payout.status = 'cancelled' and payout.first_attempt_at is null and batch.provider_type = any(${automaticRails}))`.execute(
    db,
  );
  return BigInt(rows[0]?.cents ?? 0);
}
