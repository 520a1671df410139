// Finds the claims of processes that were killed. The lease of a claim lasts minutes, but whether its process is running can be
// seen immediately, so its payouts don't wait for the lease: they become `unknown` and are looked up at the provider.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { hasProcessEnded } from '../../../platform/db/process-lock.ts';
import { repeat } from '../../../platform/lib/concurrency/repeat.ts';
import { followUp } from './follow-up.ts';

const intervalMs = 2000;

/**
 * Checks every two seconds. Returns a function that stops it. On a cluster, the node that stores a claim doesn't see which processes
 * are connected to the coordinator, so claims end with their lease.
 */
export function watchClaims(ctx: Context): () => Promise<void> {
  if (ctx.allProgramsDb) return async () => {};
  return repeat(intervalMs, async () => {
    await followUpEndedClaims(ctx).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'failed to follow up claims of ended processes'),
    );
  });
}

/** Follows up every program that has such claims. Returns how many programs. */
export async function followUpEndedClaims(ctx: Context): Promise<number> {
  const { rows } = await sql<{ programId: string }>`
    select distinct program_id from payouts where status = 'sending' and ${hasProcessEnded('claimed_by')}`.execute(ctx.db);
  for (const { programId } of rows) await followUp(ctx, programId);
  return rows.length;
}
