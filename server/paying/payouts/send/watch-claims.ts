// Claims of processes that were killed. The lease of a claim lasts minutes; whether its process still lives can be seen at
// once, so its payouts don't wait for the lease: they become `unknown` and are looked up at the provider. Sent again is
// only what the provider doesn't know, under the same idempotency key (follow.ts).
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { hasProcessEnded } from '../../../platform/db/process-lock.ts';
import { followUp } from './follow.ts';

const lookEveryMs = 2000;

/** Looks for them every two seconds. Returns how to stop. */
export function watchClaims(ctx: Context): () => Promise<void> {
  let isStopped = false;
  let looking: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking
      .then(() => (isStopped ? undefined : followDeadClaims(ctx)))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'claims of ended processes were not followed up'));
  }, lookEveryMs).unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await looking;
  };
}

/** Follows up the programs that have such claims. Returns how many programs. */
export async function followDeadClaims(ctx: Context): Promise<number> {
  const { rows } = await sql<{ programId: string }>`
    select distinct program_id from payout_items where status = 'sending' and ${hasProcessEnded('claimed_by')}`.execute(ctx.db);
  for (const { programId } of rows) await followUp(ctx, programId);
  return rows.length;
}
