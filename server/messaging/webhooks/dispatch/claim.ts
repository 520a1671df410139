// Claims decide which process sends a delivery. A claim commits before the request is sent. When the process of a claim
// has ended, or its lease, others send the delivery again: it may arrive twice, but is never lost.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { hasProcessEnded } from '../../../platform/db/process-lock.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { mayReceive } from '../postbacks/postback.ts';
import type { Candidate } from './plan-claims.ts';
import { type Claimed, prepareRequests } from './prepare.ts';

/** Longer than an attempt can take, with its recording. */
const leaseSeconds = 60;

/** The active webhooks with deliveries that are due. */
export async function findCandidates(ctx: Context): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select webhook.program_id, webhook.id, webhook.failing_since is not null as is_failing, due.next_attempt_at as due_since
    from webhooks as webhook cross join lateral (
      select next_attempt_at from webhook_deliveries as delivery
      where delivery.program_id = webhook.program_id and delivery.webhook_id = webhook.id and delivery.status = 'pending'
        and delivery.next_attempt_at <= ${ctx.clock.now()}
      order by delivery.next_attempt_at limit 1) as due
    where ${mayReceive}`.execute(ctx.db);
  return rows;
}

/** Claims up to `limit` due deliveries of each webhook, and reads what their attempts need. */
export async function claimDeliveries(
  ctx: Context,
  shares: readonly { programId: string; id: string; limit: number }[],
): Promise<Claimed[]> {
  const now = ctx.clock.now();
  const leaseUntil = new Date(now.getTime() + leaseSeconds * 1000);
  const claimedBy = ctx.processLock?.id() ?? null;
  const { rows } = await sql<Delivery>`
    with chosen as (
      select due.program_id, due.id from unnest(${shares.map(({ programId }) => programId)}::uuid[], ${shares.map(({ id }) => id)}::uuid[],
        ${shares.map(({ limit }) => limit)}::integer[]) as share (program_id, webhook_id, places)
      cross join lateral (
        select delivery.program_id, delivery.id from webhook_deliveries as delivery
        where delivery.program_id = share.program_id and delivery.webhook_id = share.webhook_id and delivery.status = 'pending'
          and delivery.next_attempt_at <= ${now}
        order by delivery.next_attempt_at, delivery.id limit share.places for no key update skip locked) as due
    )
    update webhook_deliveries as delivery set status = 'sending', lease_until = ${leaseUntil}, claimed_by = ${claimedBy},
      attempts = attempts + 1, last_attempt_at = ${now}
    from chosen where delivery.program_id = chosen.program_id and delivery.id = chosen.id returning delivery.*`.execute(ctx.db);
  return rows.length === 0 ? [] : prepareRequests(ctx, rows);
}

/** Returns claims to the queue whose deliveries were not sent. */
export async function releaseClaims(ctx: Context, deliveries: readonly Delivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const keys = deliveries.map(({ programId, id, attempts }) => ({ program_id: programId, id, attempts }));
  await sql`
    update webhook_deliveries as delivery set status = 'pending', lease_until = null, claimed_by = null, attempts = delivery.attempts - 1
    from json_to_recordset(${JSON.stringify(keys)}::json) as key (program_id uuid, id uuid, attempts integer)
    where delivery.program_id = key.program_id and delivery.id = key.id and delivery.status = 'sending'
      and delivery.attempts = key.attempts`.execute(ctx.db);
}

/** Returns claims of ended processes and leases to the queue. Returns how many. */
export async function expireClaims(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  return transact(ctx, async (tx) => {
    const { rows } = await sql<Delivery & { url: string }>`
      update webhook_deliveries as delivery set status = 'pending', lease_until = null, claimed_by = null, next_attempt_at = ${now}, updated_at = ${now}
      from webhooks as webhook
      where webhook.program_id = delivery.program_id and webhook.id = delivery.webhook_id and delivery.status = 'sending'
        and (delivery.lease_until <= ${now} or ${hasProcessEnded('claimed_by')})
      returning delivery.*, webhook.url`.execute(tx.db);
    if (rows.length === 0) return 0;
    const interrupted = rows.map(({ programId, id, attempts, url, lastAttemptAt }) => ({
      programId,
      deliveryId: id,
      number: attempts,
      outcome: 'interrupted',
      url,
      durationMs: 0,
      createdAt: lastAttemptAt ?? now,
    }));
    await tx.db
      .insertInto('webhookAttempts')
      .values(interrupted)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return rows.length;
  });
}
