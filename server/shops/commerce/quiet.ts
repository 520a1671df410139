// When a shop falls silent: its webhook was deleted, its plugin broke. Nobody complains of orders that don't come,
// so the clock looks; it takes the warning back by itself when orders come again.
import { sql } from 'kysely';
import { recordProviderHealth } from '../../connections/providers/provider.ts';
import type { Context } from '../../context.ts';
import { job } from '../../platform/queue/job.ts';

const hoursLooked = 28 * 24;
/** Fewer orders have no rhythm. */
const fewestOrders = 10;
const shortestSilenceHours = 6;

/** A silence that is much longer than usual. */
export type Silence = { hours: number; usualMinutes: number };

/**
 * What is wrong with these counts of orders by the hour, the oldest first; null for a usual stretch. A silence is
 * unusual when it is longer than any before it by half, and than four times the mean pause. Pure.
 */
export function silenceIn(ordersByHour: readonly number[]): Silence | null {
  const orders = ordersByHour.reduce((all, count) => all + count, 0);
  const last = ordersByHour.findLastIndex((count) => count > 0);
  if (orders < fewestOrders) return null;
  const hours = ordersByHour.length - 1 - last;
  const first = ordersByHour.findIndex((count) => count > 0);
  const active = ordersByHour.slice(first, last + 1);
  const meanHours = active.length / orders;
  if (hours < shortestSilenceHours || hours <= longestGap(active) * 1.5 || hours <= meanHours * 4) return null;
  return { hours, usualMinutes: Math.max(1, Math.round(meanHours * 60)) };
}

function longestGap(counts: readonly number[]): number {
  let [longest, gap] = [0, 0];
  for (const count of counts) {
    gap = count > 0 ? 0 : gap + 1;
    longest = Math.max(longest, gap);
  }
  return longest;
}

const opening = 'No order for ';

/** "No order for 30 hours; usually one every 2 hours." */
export function wordsFor({ hours, usualMinutes }: Silence): string {
  const usual = usualMinutes < 120 ? `${usualMinutes} minutes` : `${Math.round(usualMinutes / 60)} hours`;
  return `${opening}${hours} hours; usually one every ${usual}.`;
}

export const watchShops = job<object>({
  name: 'commerce.watch',
  retries: 1,
  cron: '11 * * * *',
  async run(ctx) {
    const providers = ctx.db.selectFrom('providers').select(['programId', 'id', 'status', 'lastError']).where('kind', '=', 'commerce');
    for (const provider of await providers.where('status', 'not in', ['disabled', 'archived']).execute()) {
      const silence = silenceIn(await ordersByHour(ctx, provider));
      const isWarned = provider.status === 'needs_attention' && (provider.lastError?.startsWith(opening) ?? false);
      if (silence && (isWarned || provider.status === 'connected'))
        await recordProviderHealth(ctx, provider, { status: 'needs_attention', lastError: wordsFor(silence) });
      else if (!silence && isWarned) await recordProviderHealth(ctx, provider, { status: 'connected', lastError: null });
    }
  },
});

async function ordersByHour(ctx: Context, { programId, id }: { programId: string; id: string }): Promise<number[]> {
  const now = ctx.clock.now().getTime();
  const from = new Date(now - hoursLooked * 3_600_000);
  const { rows } = await sql<{ hour: number; orders: number }>`
    select floor(extract(epoch from occurred_at - ${from}::timestamptz) / 3600)::integer as hour, count(*) as orders from provider_orders
    where program_id = ${programId} and provider_id = ${id} and amount_cents is not null
      and occurred_at >= ${from} and occurred_at <= ${new Date(now)}
    group by hour`.execute(ctx.db);
  const counts = Array.from({ length: hoursLooked }, () => 0);
  for (const { hour, orders } of rows) counts[Math.min(hour, hoursLooked - 1)] = (counts[Math.min(hour, hoursLooked - 1)] ?? 0) + orders;
  return counts;
}
