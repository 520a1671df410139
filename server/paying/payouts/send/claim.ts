// Claims decide which process sends a payout: a claim commits before a provider is called. A claim whose process ended
// becomes `unknown`, never `queued`, because the payment may have been sent.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { hasProcessEnded } from '../../../platform/db/process-lock.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import type { Payout } from '../payout.ts';

/** Longer than the calls of the payouts claimed before and its own can take. */
const leaseSeconds = 300;

const sender: Actor = { kind: 'schedule', id: 'payouts.send' };

type Claimable = { programId: string; providerId: string; limit: number };

/** Claims up to `limit` queued payouts of the provider's approved batches. */
export async function claimQueued(ctx: Context, { programId, providerId, limit }: Claimable): Promise<Payout[]> {
  const ids = sql`
    select payout.id from payouts as payout join payout_batches as batch on batch.program_id = payout.program_id and batch.id = payout.batch_id
    where payout.program_id = ${programId} and batch.provider_id = ${providerId} and payout.status = 'queued'
      and (not batch.needs_approval or batch.approved_at is not null)
      and (payout.next_check_at is null or payout.next_check_at <= ${ctx.clock.now()})
    order by payout.id limit ${limit} for no key update of payout skip locked`;
  return claim(ctx, programId, ids, sender);
}

/** Claims one payout whose outcome is unknown, to send it again under the same idempotency key. */
export async function claimUnknown(ctx: Context, { programId, id }: Payout, actor: Actor): Promise<Payout[]> {
  const ids = sql`
    select id from payouts
    where program_id = ${programId} and id = ${id} and status = 'unknown' for no key update skip locked`;
  return claim(ctx, programId, ids, actor);
}

async function claim(ctx: Context, programId: string, ids: ReturnType<typeof sql>, actor: Actor): Promise<Payout[]> {
  const now = ctx.clock.now();
  const leaseUntil = new Date(now.getTime() + leaseSeconds * 1000);
  const claimedBy = ctx.processLock?.id() ?? null;
  return transact(ctx, async (tx) => {
    const { rows } = await sql<Payout>`
      with chosen as (${ids})
      update payouts as payout set status = 'sending', lease_until = ${leaseUntil}, claimed_by = ${claimedBy}, next_check_at = null,
        attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${now}), changes = changes + 1, updated_at = ${now}
      from chosen where payout.program_id = ${programId} and payout.id = chosen.id returning payout.*`.execute(tx.db);
    await insertEvents(tx, { programId, changed: rows, status: 'sending', reason: null, now }, actor);
    return rows;
  });
}

/** Makes claims `unknown` whose process or lease has ended. Returns how many. */
export async function expireClaims(ctx: Context, programId: string): Promise<number> {
  const now = ctx.clock.now();
  const reason = 'the process that sent the payment ended before it received a response';
  return transact(ctx, async (tx) => {
    const { rows } = await sql<Changed>`
      update payouts set status = 'unknown', lease_until = null, next_check_at = ${now}, changes = changes + 1, updated_at = ${now},
        failure_reason = ${reason}
      where program_id = ${programId} and status = 'sending' and (lease_until <= ${now} or ${hasProcessEnded('claimed_by')})
      returning id, changes`.execute(tx.db);
    await insertEvents(tx, { programId, changed: rows, status: 'unknown', reason, now }, sender);
    return rows.length;
  });
}

type Changed = { id: string; changes: number };
type Events = { programId: string; changed: readonly Changed[]; status: string; reason: string | null; now: Date };

/** The events of claims, which move no money. The status before is that of the previous event. */
async function insertEvents(
  tx: Pick<Context, 'db'>,
  { programId, changed, status, reason, now }: Events,
  { kind, id: actorId }: Actor,
): Promise<void> {
  if (changed.length === 0) return;
  const steps = changed.map(({ id, changes }) => ({ id, step: changes }));
  await sql`
    insert into payout_events (program_id, payout_id, step, from_status, to_status, actor_kind, actor_id, reason, created_at)
    select ${programId}, changed.id, changed.step, before.to_status, ${status}, ${kind}, ${actorId}, ${reason}, ${now}
    from json_to_recordset(${JSON.stringify(steps)}::json) as changed (id uuid, step integer)
    join payout_events as before
      on before.program_id = ${programId} and before.payout_id = changed.id and before.step = changed.step - 1`.execute(tx.db);
}
