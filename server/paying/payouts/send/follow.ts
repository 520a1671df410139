// Following up, each minute: claims of dead processes become unknown; payouts without a clear answer are asked for at
// their rail; what is queued is sent. A payout that its rail never saw is sent again under its own key, but only as
// long as the rail surely remembers keys. After that a person decides (mark-paid, cancel).

import { getUsableProvider, openPayoutProvider, type Provider } from '../../../connections/providers/provider.ts';
import { automaticRails, getRailType } from '../../../connections/rails/index.ts';
import type { Found, Rail } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { job } from '../../../platform/queue/job.ts';
import { type Item, openStatuses } from '../payout.ts';
import { findLock } from '../safety.ts';
import { settle } from '../settle.ts';
import { claimUnknown, expireClaims } from './claim.ts';
import { toPayment } from './payment.ts';
import { call, sendQueued } from './send.ts';

const hourMs = 3_600_000;
/** Clocks differ, and calls take a while: keys are trusted two hours less than the rail promises. */
const keyMarginHours = 2;
const looksAtOnce = 8;
const looksInARow = 200;
const programsAtOnce = 8;

export const followPayouts = job<object>({
  name: 'payouts.follow',
  retries: 0,
  cron: '* * * * *',
  async run(ctx) {
    // Side by side: a slow rail of one program must not keep the others waiting.
    const programs = await programsWithOpen(ctx);
    const lane = async () => {
      for (let programId = programs.shift(); programId; programId = programs.shift()) {
        const about = { programId };
        await followUp(ctx, programId).catch((error: unknown) => ctx.log.error({ err: error, ...about }, 'payouts were not followed up'));
      }
    };
    await Promise.all(Array.from({ length: programsAtOnce }, lane));
  },
});

/** What people pay is nothing to follow up. */
async function programsWithOpen(ctx: Context): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('payoutItems as item')
    .innerJoin('payoutBatches as batch', (join) =>
      join.onRef('batch.programId', '=', 'item.programId').onRef('batch.id', '=', 'item.batchId'),
    )
    .select('item.programId')
    .distinct()
    .where('item.status', 'in', openStatuses)
    .where('batch.rail', 'in', automaticRails)
    .execute();
  return rows.map(({ programId }) => programId);
}

/** One round for a program. Returns how many payouts it asked for or sent. */
export async function followUp(ctx: Context, programId: string): Promise<number> {
  await expireClaims(ctx, programId);
  const looked = await lookAtDue(ctx, programId);
  return looked + (await sendQueued(ctx, programId));
}

async function lookAtDue(ctx: Context, programId: string): Promise<number> {
  const items = await dueItems(ctx, programId);
  const rails = new Map<string, { provider: Provider; rail: Rail }>();
  const open = async (providerId: string) => {
    const provider = await getUsableProvider(ctx, programId, providerId);
    return { provider, rail: openPayoutProvider(ctx, provider) };
  };
  for (const providerId of new Set(items.map((item) => item.providerId))) {
    const opened = await open(providerId).catch((error: unknown) => ctx.log.error({ err: error, providerId }, 'a rail was not opened'));
    if (opened) rails.set(providerId, opened);
  }
  const lane = async () => {
    for (let next = items.shift(); next; next = items.shift()) {
      const opened = rails.get(next.providerId);
      const payoutId = next.item.id;
      if (opened)
        await look(ctx, next.item, opened).catch((error: unknown) => ctx.log.error({ err: error, payoutId }, 'a payout was not asked for'));
    }
  };
  const count = items.length;
  await Promise.all(Array.from({ length: looksAtOnce }, lane));
  return count;
}

async function dueItems(ctx: Context, programId: string): Promise<{ item: Item; providerId: string }[]> {
  const rows = await ctx.db
    .selectFrom('payoutItems as item')
    .innerJoin('payoutBatches as batch', (join) =>
      join.onRef('batch.programId', '=', 'item.programId').onRef('batch.id', '=', 'item.batchId'),
    )
    .selectAll('item')
    .select('batch.providerId')
    .where('item.programId', '=', programId)
    .where('item.status', 'in', ['unknown', 'sent'])
    .where('item.nextLookAt', '<=', ctx.clock.now())
    .where('batch.rail', 'in', automaticRails)
    .orderBy('item.nextLookAt')
    .limit(looksInARow)
    .execute();
  return rows.flatMap(({ providerId, ...item }) => (providerId ? [{ item, providerId }] : []));
}

/** Queries the rail for one payout and records its status. */
export async function look(ctx: Context, item: Item, { provider, rail }: { provider: Provider; rail: Rail }): Promise<Found['outcome']> {
  const found = await rail.lookUp(toPayment(ctx, item), item.railReference).catch((error: unknown): Found => {
    ctx.log.error({ err: error, payoutId: item.id }, 'a rail threw');
    return { outcome: 'unknown', reason: 'asking for it failed' };
  });
  const { programId, id: itemId } = item;
  if (found.outcome !== 'not_found') {
    // Asking is never sending: a rail that wants fewer calls leaves it as unknown as it was.
    const answer = found.outcome === 'later' ? { outcome: 'unknown' as const, reason: found.reason } : found;
    await settle(ctx, programId, [{ itemId, answer }], 'look_up');
    return found.outcome;
  }
  const mayPay = provider.status !== 'disabled' && !(await transact(ctx, (tx) => findLock(tx, programId)));
  // Another account of the rail than the first try went to knows nothing of its key.
  const isSameAccount = item.firstTriedAt !== null && item.firstTriedAt > provider.updatedAt;
  const isSafe = mayPay && isSameAccount && item.status === 'unknown' && isWithinKeyWindow(item, provider, ctx.clock.now());
  const [claimed] = isSafe ? await claimUnknown(ctx, programId, itemId) : [];
  const answer = claimed
    ? await call(ctx, claimed, { rail, type: getRailType(provider.type) })
    : {
        outcome: 'unknown' as const,
        reason: 'the rail knows nothing of it, and may have forgotten its key: look at the rail, then mark it paid or cancel it',
      };
  await settle(ctx, programId, [{ itemId, answer }], claimed ? 'rail' : 'look_up');
  return found.outcome;
}

/** Whether the rail surely still knows the key of the first try. */
function isWithinKeyWindow({ firstTriedAt }: Item, { type }: Pick<Provider, 'type'>, now: Date): boolean {
  const { keyWindowHours } = getRailType(type);
  if (keyWindowHours === null || !firstTriedAt) return true;
  return now.getTime() - firstTriedAt.getTime() < (keyWindowHours - keyMarginHours) * hourMs;
}
