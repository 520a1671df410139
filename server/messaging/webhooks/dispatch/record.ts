// Records the outcomes of attempts, many in one transaction: the log, the next try, and the health of the webhooks.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { insertRows } from '../../../platform/db/insert-rows.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { Recorded } from './attempt.ts';
import { disableFailing } from './disable.ts';
import { toPauseMs } from './retry-schedule.ts';

/** The state of a delivery after an attempt (pure). */
type Next = {
  programId: string;
  id: string;
  number: number;
  status: string;
  tries: number;
  nextAttemptAt: Date | null;
  responseStatus: number | null;
};

export async function recordAttempts(ctx: Context, recorded: readonly Recorded[]): Promise<readonly null[]> {
  const now = ctx.clock.now();
  await transact(ctx, async (tx) => {
    await insertAttempts(tx, recorded);
    await updateDeliveries(
      tx,
      recorded.map((one) => planNext(one, now)),
    );
    await updateHealth(tx, recorded, now);
    await disableFailing(tx, recorded, now);
  });
  return recorded.map(() => null);
}

function planNext({ claimed: { delivery }, attempted }: Recorded, now: Date): Next {
  const { programId, id, attempts: number } = delivery;
  const key = { programId, id, number, responseStatus: attempted.response?.status ?? null };
  if (attempted.outcome === 'succeeded') return { ...key, status: 'delivered', tries: delivery.tries, nextAttemptAt: null };
  if (attempted.outcome === 'interrupted') return { ...key, status: 'pending', tries: delivery.tries, nextAttemptAt: now };
  const tries = delivery.tries + 1;
  const pauseMs = attempted.isGone ? null : toPauseMs(id, tries);
  if (pauseMs === null) return { ...key, status: 'failed', tries, nextAttemptAt: null };
  return { ...key, status: 'pending', tries, nextAttemptAt: new Date(now.getTime() + pauseMs) };
}

/** An attempt that another process took for interrupted is replaced by what really happened. */
async function insertAttempts(tx: Tx, recorded: readonly Recorded[]): Promise<void> {
  const rows = recorded.map(({ claimed: { delivery, url }, attempted }) => ({
    programId: delivery.programId,
    deliveryId: delivery.id,
    number: delivery.attempts,
    outcome: attempted.outcome,
    url,
    signature: attempted.signature,
    durationMs: attempted.durationMs,
    responseStatus: attempted.response?.status ?? null,
    responseHeaders: attempted.response?.headers ?? null,
    responseBody: attempted.response?.body ?? null,
    createdAt: attempted.at,
  }));
  const keys = rows.map(({ programId, deliveryId, number }) => ({ program_id: programId, delivery_id: deliveryId, number }));
  await sql`
    delete from webhook_attempts as attempt using json_to_recordset(${JSON.stringify(keys)}::json) as key (program_id uuid, delivery_id uuid, number integer)
    where attempt.program_id = key.program_id and attempt.delivery_id = key.delivery_id and attempt.number = key.number`.execute(tx.db);
  await insertRows(tx, 'webhookAttempts', rows);
}

/** A success always counts. A failure counts only if no other process has claimed the delivery since. */
async function updateDeliveries(tx: Tx, next: readonly Next[]): Promise<void> {
  await sql`
    update webhook_deliveries as delivery set status = next.status, tries = next.tries, next_attempt_at = next."nextAttemptAt",
      response_status = next."responseStatus", lease_until = null, claimed_by = null, updated_at = ${tx.clock.now()}
    from json_to_recordset(${JSON.stringify(next)}::json) as next ("programId" uuid, id uuid, number integer, status text, tries integer,
      "nextAttemptAt" timestamptz, "responseStatus" integer)
    where delivery.program_id = next."programId" and delivery.id = next.id and (
      (delivery.status = 'sending' and delivery.attempts = next.number)
      or (next.status = 'delivered' and delivery.status in ('sending', 'pending')))`.execute(tx.db);
}

/** Written only if it changes, or once a minute: many deliveries must not wait for one row. */
async function updateHealth(tx: Tx, recorded: readonly Recorded[], now: Date): Promise<void> {
  const counted = recorded.filter(({ attempted }) => attempted.outcome !== 'interrupted');
  const byWebhook = Map.groupBy(counted, ({ claimed }) => claimed.delivery.webhookId);
  const health = [...byWebhook]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, attempts]) => ({
      programId: attempts[0]?.claimed.delivery.programId,
      id,
      hasSucceeded: attempts.some(({ attempted }) => attempted.outcome === 'succeeded'),
      failures: attempts.filter(({ attempted }) => attempted.outcome !== 'succeeded').length,
    }));
  const list = sql`json_to_recordset(${JSON.stringify(health)}::json) as health ("programId" uuid, id uuid, "hasSucceeded" boolean, failures integer)`;
  const minuteAgo = new Date(now.getTime() - 60_000);
  await sql`
    update webhooks as webhook set
      failing_since = case when health."hasSucceeded" then null else coalesce(webhook.failing_since, ${now}) end,
      failures = case when health."hasSucceeded" then 0 else webhook.failures + health.failures end,
      last_succeeded_at = case when health."hasSucceeded" then ${now}::timestamptz else webhook.last_succeeded_at end,
      last_failed_at = case when health.failures > 0 then ${now}::timestamptz else webhook.last_failed_at end
    from ${list}
    where webhook.program_id = health."programId" and webhook.id = health.id and (not health."hasSucceeded" or webhook.failing_since is not null
      or webhook.last_succeeded_at is null or webhook.last_succeeded_at < ${minuteAgo}
      or (health.failures > 0 and (webhook.last_failed_at is null or webhook.last_failed_at < ${minuteAgo})))`.execute(tx.db);
}
