// Follows up open payouts every minute: claims of ended processes become unknown, payouts without a clear outcome are
// looked up at their provider, and queued payouts are sent.
import { sql } from 'kysely';
import { getUsableProvider, openPayoutProvider, type Provider } from '../../../connections/providers/provider.ts';
import { automaticRails } from '../../../connections/rails/index.ts';
import type { Rail } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { forEachProgram } from '../../../platform/queue/each-program.ts';
import { job } from '../../../platform/queue/job.ts';
import { openStatuses, type Payout } from '../payout.ts';
import { checkPayout } from './check-payout.ts';
import { expireClaims } from './claim.ts';
import { sendQueued } from './send.ts';

const checksAtOnce = 8;
const checksPerRound = 200;
const programsAtOnce = 8;

const schedule: Actor = { kind: 'schedule', id: 'payouts.follow' };

export const followPayouts = job<object>({
  name: 'payouts.follow',
  retries: 0,
  cron: '* * * * *',
  async run(ctx) {
    await forEachProgram(ctx, {
      // Payouts that are paid manually need no follow-up.
      find: (scope) => sql`
        select distinct program_id from payouts join payout_batches as batch using (program_id)
        where batch.id = payouts.batch_id and payouts.status = any(${[...openStatuses]})
          and batch.provider_type = any(${[...automaticRails]}) and ${scope}`,
      run: (programId, own) => followUp(own, programId),
      // So that a slow provider of one program doesn't delay the others.
      atOnce: programsAtOnce,
    });
  },
});

/** Runs one round for a program. Returns how many payouts were looked up or sent. */
export async function followUp(ctx: Context, programId: string): Promise<number> {
  await expireClaims(ctx, programId);
  const checked = await checkDuePayouts(ctx, programId);
  return checked + (await sendQueued(ctx, programId));
}

async function checkDuePayouts(ctx: Context, programId: string): Promise<number> {
  const due = await findDueChecks(ctx, programId);
  const providers = new Map<string, { provider: Provider; rail: Rail }>();
  const open = async (providerId: string) => {
    const provider = await getUsableProvider(ctx, programId, providerId);
    return { provider, rail: openPayoutProvider(ctx, provider) };
  };
  for (const providerId of new Set(due.map((one) => one.providerId))) {
    const opened = await open(providerId).catch((error: unknown) =>
      ctx.log.error({ err: error, providerId }, 'failed to open a payout provider'),
    );
    if (opened) providers.set(providerId, opened);
  }
  const count = due.length;
  const work = async () => {
    for (let next = due.shift(); next; next = due.shift()) {
      const opened = providers.get(next.providerId);
      const payoutId = next.payout.id;
      if (!opened) continue;
      await checkPayout(ctx, next.payout, { ...opened, actor: schedule }).catch((error: unknown) =>
        ctx.log.error({ err: error, payoutId }, 'failed to check a payout'),
      );
    }
  };
  await Promise.all(Array.from({ length: checksAtOnce }, work));
  return count;
}

async function findDueChecks(ctx: Context, programId: string): Promise<{ payout: Payout; providerId: string }[]> {
  const rows = await ctx.db
    .selectFrom('payouts as payout')
    .innerJoin('payoutBatches as batch', (join) =>
      join.onRef('batch.programId', '=', 'payout.programId').onRef('batch.id', '=', 'payout.batchId'),
    )
    .selectAll('payout')
    .select('batch.providerId')
    .where('payout.programId', '=', programId)
    .where('payout.status', 'in', ['unknown', 'sent'])
    .where('payout.nextCheckAt', '<=', ctx.clock.now())
    .where('batch.providerType', 'in', automaticRails)
    .orderBy('payout.nextCheckAt')
    .limit(checksPerRound)
    .execute();
  return rows.flatMap(({ providerId, ...payout }) => (providerId ? [{ payout, providerId }] : []));
}
