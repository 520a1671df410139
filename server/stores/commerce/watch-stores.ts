// Detecting stores that have stopped sending orders, because a webhook was deleted or a plugin broke. Missing
// orders cause no error, so a schedule looks for them. The warning is removed when orders arrive again.

import { sql } from 'kysely';
import { recordProblem } from '../../connections/providers/needs-attention.ts';
import { recordProviderHealth } from '../../connections/providers/provider.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';

const observedHours = 28 * 24;
/** Fewer orders have no regular interval. */
const minOrders = 10;
const minSilenceHours = 6;

/** A time without orders that is much longer than usual. */
export type Silence = { hours: number; usualMinutes: number };

/**
 * Finds a silence at the end of these hourly order counts, the oldest first. It is unusual when it is longer
 * than 1.5 times every earlier one and four times the mean interval. Pure.
 */
export function detectSilence(ordersByHour: readonly number[]): Silence | null {
  const orders = ordersByHour.reduce((all, count) => all + count, 0);
  if (orders < minOrders) return null;
  const last = ordersByHour.findLastIndex((count) => count > 0);
  const hours = ordersByHour.length - 1 - last;
  const first = ordersByHour.findIndex((count) => count > 0);
  const active = ordersByHour.slice(first, last + 1);
  const meanHours = active.length / orders;
  if (hours < minSilenceHours || hours <= findLongestGap(active) * 1.5 || hours <= meanHours * 4) return null;
  return { hours, usualMinutes: Math.max(1, Math.round(meanHours * 60)) };
}

function findLongestGap(counts: readonly number[]): number {
  let longest = 0;
  let gap = 0;
  for (const count of counts) {
    gap = count > 0 ? 0 : gap + 1;
    longest = Math.max(longest, gap);
  }
  return longest;
}

const warningStart = 'No orders for ';

/** "No orders for 30 hours; usually one every 2 hours." */
export function formatWarning({ hours, usualMinutes }: Silence): string {
  const usual = usualMinutes < 120 ? `${usualMinutes} minutes` : `${Math.round(usualMinutes / 60)} hours`;
  return `${warningStart}${hours} hours; usually one every ${usual}.`;
}

const schedule = { kind: 'schedule' as const, id: 'commerce.watch' };

export const watchStores = job<object>({
  name: 'commerce.watch',
  retries: 1,
  cron: '11 * * * *',
  async run(ctx) {
    await forEachProgram(ctx, {
      find: (scope) => sql`select distinct program_id from providers where kind = 'commerce' and status in ${watchedStatuses} and ${scope}`,
      run: (programId, own) => watchProgram(own, programId),
    });
  },
});

const watchedStatuses = sql`('connected', 'needs_attention')`;

export async function watchProgram(ctx: Context, programId: string): Promise<void> {
  const providers = ctx.db.selectFrom('providers').select(['programId', 'id', 'status', 'lastError']).where('programId', '=', programId);
  for (const provider of await providers.where('kind', '=', 'commerce').where(sql<boolean>`status in ${watchedStatuses}`).execute()) {
    const silence = detectSilence(await countOrdersByHour(ctx, provider));
    const hasWarning = provider.status === 'needs_attention' && (provider.lastError?.startsWith(warningStart) ?? false);
    if (silence && (hasWarning || provider.status === 'connected'))
      await transact(ctx, (tx) => recordProblem(tx, provider, formatWarning(silence), schedule));
    else if (!silence && hasWarning) await recordProviderHealth(ctx, provider, { status: 'connected', lastError: null });
  }
}

async function countOrdersByHour(ctx: Context, { programId, id }: { programId: string; id: string }): Promise<number[]> {
  const now = ctx.clock.now().getTime();
  const from = new Date(now - observedHours * 3_600_000);
  const { rows } = await sql<{ hour: number; orders: number }>`
    select floor(extract(epoch from occurred_at - ${from}::timestamptz) / 3600)::integer as hour, count(*) as orders from provider_orders
    where program_id = ${programId} and provider_id = ${id} and amount_cents is not null
      and occurred_at >= ${from} and occurred_at <= ${new Date(now)}
    group by hour`.execute(ctx.db);
  const counts = Array.from({ length: observedHours }, () => 0);
  for (const { hour, orders } of rows) {
    const index = Math.min(hour, observedHours - 1);
    counts[index] = (counts[index] ?? 0) + orders;
  }
  return counts;
}
