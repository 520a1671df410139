// What the database says about the health of the service, read whenever metrics are: emails, payouts, webhooks, stores
// and background jobs that need attention.
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Service } from '../../compose.ts';
import type { Context } from '../../context.ts';
import { alertKinds } from '../../messaging/emails/kinds/alert.ts';
import { forAllPrograms } from '../../platform/queue/each-program.ts';

/** Adds gauges of the database's state. Call the returned function before the registry is read: it sets them. */
export function measureState(registry: Registry, { ctx, pool, boss }: Pick<Service, 'ctx' | 'pool' | 'boss'>): () => Promise<void> {
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `tributary_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const emails = gauge('emails', 'Emails of the last day that are not sent.', ['status']);
  const payouts = gauge('payouts_open', 'Payouts that are neither paid nor ended.', ['status']);
  const locked = gauge('programs_with_locked_payouts', 'Programs whose dispatch of payouts is locked until they are reconciled.');
  const deliveries = gauge('webhook_deliveries_overdue', 'Webhook deliveries whose next attempt is more than a minute late.');
  const providers = gauge('providers_needing_attention', 'Payout methods and stores that need attention.');
  const alerts = gauge('alerts_open', 'Open alerts of all programs.', ['kind']);
  const frozen = gauge('frozen', '1 while payouts, emails and webhooks are frozen.');
  const connections = gauge('database_connections', 'Connections of the pool.', ['state']);
  const jobs = gauge('background_jobs', 'Background jobs.', ['queue', 'state']);
  const up = gauge('up', '1 if the database responds.');
  return async () => {
    connections.set({ state: 'open' }, pool.totalCount);
    connections.set({ state: 'idle' }, pool.idleCount);
    connections.set({ state: 'waiting' }, pool.waitingCount);
    const state = await readState(ctx).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'metrics could not be read from the database');
      return null;
    });
    up.set(state === null ? 0 : 1);
    if (state === null) return;
    for (const [status, count] of Object.entries(state.emails)) emails.set({ status }, count);
    for (const [status, count] of Object.entries(state.payouts)) payouts.set({ status }, count);
    locked.set(state.locked);
    deliveries.set(state.deliveries);
    providers.set(state.providers);
    frozen.set(state.frozen);
    for (const [kind, count] of Object.entries(state.alerts)) alerts.set({ kind }, count);
    const waiting = await countWaiting(ctx);
    for (const { name, queuedCount, activeCount } of await boss.getQueues()) {
      jobs.set({ queue: name, state: 'queued' }, queuedCount + (waiting.get(name) ?? 0));
      jobs.set({ queue: name, state: 'active' }, activeCount);
    }
  };
}

/** The jobs that wait to be handed to the queue, by their name. */
async function countWaiting(ctx: Pick<Context, 'db' | 'allProgramsDb'>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`select name, count(*)::int as count from job_outbox group by name`.execute(
    forAllPrograms(ctx),
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

type State = {
  emails: Record<string, number>;
  payouts: Record<string, number>;
  locked: number;
  deliveries: number;
  providers: number;
  frozen: number;
  alerts: Record<string, number>;
};

const none: State = { emails: {}, payouts: {}, locked: 0, deliveries: 0, providers: 0, frozen: 0, alerts: {} };

async function readState(ctx: Pick<Context, 'db' | 'allProgramsDb' | 'clock'>): Promise<State> {
  const now = ctx.clock.now();
  const dayAgo = new Date(now.getTime() - 86_400_000);
  const minuteAgo = new Date(now.getTime() - 60_000);
  const { rows } = await sql<State>`
    select
      (select jsonb_object_agg(status, coalesce(emails, 0)) from unnest(array['queued', 'failed', 'unconfirmed']) as status
        left join (
          select status, count(*) as emails from emails
          where status in ('queued', 'failed', 'unconfirmed') and created_at > ${dayAgo} group by status
        ) as counted using (status)) as emails,
      (select jsonb_object_agg(status, coalesce(payouts, 0)) from unnest(array['queued', 'sending', 'sent', 'unknown']) as status
        left join (
          select status, count(*) as payouts from payouts where status in ('queued', 'sending', 'sent', 'unknown') group by status
        ) as counted using (status)) as payouts,
      (select count(*)::int from payout_safety where locked_at is not null) as locked,
      (select count(*)::int from webhook_deliveries where status = 'pending' and next_attempt_at < ${minuteAgo}) as deliveries,
      (select count(*)::int from providers where status = 'needs_attention') as providers,
      (select count(*)::int from service_freeze) as frozen,
      (select jsonb_object_agg(kind, coalesce(alerts, 0)) from unnest(${alertKinds}::text[]) as kind
        left join (select kind, count(*) as alerts from alerts where status = 'open' group by kind) as counted using (kind)) as alerts`.execute(
    forAllPrograms(ctx),
  );
  return rows[0] ?? none;
}
