// Records the outcomes of attempts, many in one transaction: the log, the next try, and the health of the webhooks.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { groupByNode, isOnNode, toNodeContext } from '../../../platform/db/cluster/of-program.ts';
import { transact } from '../../../platform/db/transact.ts';
import { readTestClocks, toProgramContext } from '../../../platform/test-clocks/program-clock.ts';
import { markDeliveries } from '../deliveries/delivery.ts';
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

/** How long a success is not written to the webhook again: many deliveries must not wait for one row. */
const healthMs = 10_000;

/** Returns a function that records attempts together. It remembers which webhooks it has reported as healthy. */
export function createRecorder(ctx: Context): (recorded: readonly Recorded[]) => Promise<readonly null[]> {
  const reportedAt = new Map<string, number>();
  const recordAt = async (ctx: Context, recorded: readonly Recorded[]): Promise<void> => {
    const now = ctx.clock.now();
    const health = planHealth(recorded).filter(({ id, failures }) => failures > 0 || now.getTime() - (reportedAt.get(id) ?? 0) >= healthMs);
    await transact(ctx, async (tx) => {
      const next = recorded.map((one) => planNext(one, now));
      await Promise.all([insertAttempts(tx, recorded), updateDeliveries(tx, next), updateHealth(tx, health, now)]);
      if (health.some(({ failures }) => failures > 0)) await disableFailing(tx, recorded, now);
      await markDeliveries(
        tx,
        next.filter(({ status }) => status === 'pending'),
      );
    });
    for (const [id, at] of reportedAt) if (now.getTime() - at >= healthMs) reportedAt.delete(id);
    for (const { id, failures } of health)
      if (failures > 0) reportedAt.delete(id);
      else reportedAt.set(id, now.getTime());
  };
  return async (recorded) => {
    for (const [own, ofClock] of await groupByClock(ctx, recorded))
      for (const ofNode of groupByNode(own, ofClock, programOf)) await recordAt(toNodeContext(own, programOf(ofNode[0])), ofNode);
    return recorded.map(() => null);
  };
}

function programOf(recorded: Recorded | undefined): string {
  return recorded?.claimed.delivery.programId ?? '';
}

/** The attempts of all live programs together, and of each program in test mode with its clock. */
async function groupByClock(ctx: Context, recorded: readonly Recorded[]): Promise<[Context, readonly Recorded[]][]> {
  const clocks = await readTestClocks(ctx);
  const groups = Map.groupBy(recorded, ({ claimed: { delivery } }) => (clocks.has(delivery.programId) ? delivery.programId : ''));
  const contexts = [...groups].map(
    async ([programId, ofClock]): Promise<[Context, readonly Recorded[]]> => [
      programId === '' ? ctx : await toProgramContext(ctx, programId),
      ofClock,
    ],
  );
  return Promise.all(contexts);
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
  const rows = recorded.map(({ claimed: { delivery, url }, attempted: { response, ...attempted } }) => ({
    program_id: delivery.programId,
    delivery_id: delivery.id,
    number: delivery.attempts,
    outcome: attempted.outcome,
    url,
    signature: attempted.signature,
    duration_ms: attempted.durationMs,
    response_status: response?.status ?? null,
    response_headers: response?.headers ?? null,
    response_body: response?.body ?? null,
    created_at: attempted.at,
  }));
  await sql`
    insert into webhook_attempts select * from json_populate_recordset(null::webhook_attempts, ${JSON.stringify(rows)}::json)
    on conflict on constraint webhook_attempts_pkey do update set outcome = excluded.outcome, signature = excluded.signature,
      duration_ms = excluded.duration_ms, response_status = excluded.response_status, response_headers = excluded.response_headers,
      response_body = excluded.response_body`.execute(tx.db);
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
      or (next.status = 'delivered' and delivery.status in ('sending', 'pending')))
      and ${isOnNode(tx, 'delivery.programId', next[0]?.programId ?? '')}`.execute(tx.db);
}

type Health = { programId: string; id: string; hasSucceeded: boolean; failures: number };

/** What these attempts say about their webhooks (pure). */
function planHealth(recorded: readonly Recorded[]): Health[] {
  const counted = recorded.filter(({ attempted }) => attempted.outcome !== 'interrupted');
  const byWebhook = Map.groupBy(counted, ({ claimed }) => claimed.delivery.webhookId);
  return [...byWebhook]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, attempts]) => ({
      programId: attempts[0]?.claimed.delivery.programId ?? '',
      id,
      hasSucceeded: attempts.some(({ attempted }) => attempted.outcome === 'succeeded'),
      failures: attempts.filter(({ attempted }) => attempted.outcome !== 'succeeded').length,
    }));
}

async function updateHealth(tx: Tx, health: readonly Health[], now: Date): Promise<void> {
  if (health.length === 0) return;
  const list = sql`json_to_recordset(${JSON.stringify(health)}::json) as health ("programId" uuid, id uuid, "hasSucceeded" boolean, failures integer)`;
  await sql`
    update webhooks as webhook set
      failing_since = case when health."hasSucceeded" then null else coalesce(webhook.failing_since, ${now}) end,
      failures = case when health."hasSucceeded" then 0 else webhook.failures + health.failures end,
      last_succeeded_at = case when health."hasSucceeded" then ${now}::timestamptz else webhook.last_succeeded_at end,
      last_failed_at = case when health.failures > 0 then ${now}::timestamptz else webhook.last_failed_at end
    from ${list}
    where webhook.program_id = health."programId" and webhook.id = health.id
      and ${isOnNode(tx, 'webhook.programId', health[0]?.programId ?? '')}`.execute(tx.db);
}
