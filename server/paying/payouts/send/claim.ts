// Who sends what: a claim is a row change that has committed before any rail is called. A claim whose process died
// becomes `unknown`, never `queued`: it may have been sent.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { hasProcessEnded } from '../../../platform/db/process-lock.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { Item } from '../payout.ts';

/** Longer than the calls before it and its own may take. */
const leaseSeconds = 300;

type Claimable = { programId: string; providerId: string; limit: number };

/** Takes up to `limit` queued payouts of approved batches of the provider. */
export async function claimQueued(ctx: Context, { programId, providerId, limit }: Claimable): Promise<Item[]> {
  return claim(
    ctx,
    programId,
    sql`
    select item.id from payout_items as item join payout_batches as batch on batch.program_id = item.program_id and batch.id = item.batch_id
    where item.program_id = ${programId} and batch.provider_id = ${providerId} and item.status = 'queued'
      and (not batch.needs_approval or batch.approved_at is not null)
      and (item.next_look_at is null or item.next_look_at <= ${ctx.clock.now()})
    order by item.id limit ${limit} for no key update of item skip locked`,
  );
}

/** Takes one payout whose rail gave no clear answer, to send it again under the same key. */
export async function claimUnknown(ctx: Context, programId: string, itemId: string): Promise<Item[]> {
  return claim(
    ctx,
    programId,
    sql`
    select id from payout_items
    where program_id = ${programId} and id = ${itemId} and status = 'unknown' for no key update skip locked`,
  );
}

async function claim(ctx: Context, programId: string, ids: ReturnType<typeof sql>): Promise<Item[]> {
  const now = ctx.clock.now();
  const leaseUntil = new Date(now.getTime() + leaseSeconds * 1000);
  const claimedBy = ctx.processLock?.id() ?? null;
  return transact(ctx, async (tx) => {
    const { rows } = await sql<Item & { before: string }>`
      with chosen as (${ids})
      update payout_items as item set status = 'sending', lease_until = ${leaseUntil}, claimed_by = ${claimedBy}, next_look_at = null, tries = tries + 1,
        first_tried_at = coalesce(first_tried_at, ${now}), changes = changes + 1, updated_at = ${now}
      from chosen where item.program_id = ${programId} and item.id = chosen.id returning item.*`.execute(tx.db);
    await noteSteps(
      tx,
      rows.map(({ id, changes }) => ({ programId, itemId: id, step: changes })),
      { to: 'sending', now },
    );
    return rows;
  });
}

/** Claims whose process ended, or whose lease is over. Returns how many. */
export async function expireClaims(ctx: Context, programId: string): Promise<number> {
  const now = ctx.clock.now();
  return transact(ctx, async (tx) => {
    const { rows } = await sql<{ id: string; changes: number }>`
      update payout_items set status = 'unknown', lease_until = null, next_look_at = ${now}, changes = changes + 1, updated_at = ${now},
        failure_reason = 'the process that sent it ended before the answer'
      where program_id = ${programId} and status = 'sending' and (lease_until <= ${now} or ${hasProcessEnded('claimed_by')}) returning id, changes`.execute(
      tx.db,
    );
    await noteSteps(
      tx,
      rows.map(({ id, changes }) => ({ programId, itemId: id, step: changes })),
      { to: 'unknown', now },
    );
    return rows.length;
  });
}

type Step = { programId: string; itemId: string; step: number };

/** The history of claims, which move no money: what came before is the step before. */
async function noteSteps(tx: Pick<Context, 'db'>, steps: readonly Step[], { to, now }: { to: string; now: Date }): Promise<void> {
  if (steps.length === 0) return;
  await sql`
    insert into payout_events (program_id, item_id, step, from_status, to_status, source, created_at)
    select step.program_id, step.item_id, step.step, before.to_status, ${to}, 'schedule:payouts.send', ${now}
    from json_to_recordset(${JSON.stringify(steps.map((step) => ({ program_id: step.programId, item_id: step.itemId, step: step.step })))}::json)
      as step (program_id uuid, item_id uuid, step integer)
    join payout_events as before on before.program_id = step.program_id and before.item_id = step.item_id and before.step = step.step - 1`.execute(
    tx.db,
  );
}
