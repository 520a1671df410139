// Reconciling a program: every rail's book is compared with ours from the furthest time on, payments that our ledger
// lost are taken in, and when nothing is left to explain the program may pay again.
import { z } from 'zod';
import { openPayoutProvider, type Provider } from '../../../connections/providers/provider.ts';
import { automaticRails, getRailType } from '../../../connections/rails/index.ts';
import type { Context, Tx } from '../../../context.ts';
import { openLedger } from '../../../earning/ledger/post.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampIn, uuidOut } from '../../../platform/http/declaration/fields.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { job } from '../../../platform/queue/job.ts';
import { openMatured } from '../open-matured.ts';
import { readLock, type Standing, told, unlock } from '../safety.ts';
import { followUp } from '../send/follow.ts';
import { adoptDifference } from './adopt.ts';
import { type Compared, reconcileProvider } from './compare.ts';

const furthestDays = 45;
const adoptedAtOnce = 100;

const Result = z
  .object({
    isUnlocked: z.boolean().describe('Whether payouts can be dispatched and sent.'),
    lockReason: z.string().nullable().describe('Why payouts stay locked although nothing else is left to do, such as a wrong clock.'),
    needsAcknowledgement: z
      .boolean()
      .describe(
        'After a restore: send `acknowledge: true`, having looked at what was paid by hand, by file, and by providers that are gone.',
      ),
    openDifferences: countOut,
    adopted: countOut.describe('Payments of a rail that our ledger had lost, taken in.'),
    providers: z.array(
      z.object({ providerId: uuidOut, isComplete: z.boolean(), payments: countOut, booked: countOut, differences: countOut }),
    ),
  })
  .meta({ id: 'Reconciliation' });

export const reconcilePayouts = endpoint({
  id: 'payouts.reconcile',
  route: 'POST /v1/programs/:programId/payouts/reconcile',
  scope: 'write',
  tag: 'Payouts',
  summary: 'Compare with the rails, and unlock',
  description:
    'After a restore, a failover that lost commits, or a change of the clock by more than five minutes, nothing is paid ' +
    'until this has succeeded. It accepts the clock as it is now. ' +
    'Payments that only the rail knows are booked, so that nobody is paid twice.',
  body: z
    .object({
      from: timestampIn.optional().describe('Since when to compare, where 45 days are not enough.'),
      acknowledge: z
        .boolean()
        .default(false)
        .describe('Confirms that you checked manual and file payouts, which no provider can list, against your bank statement.'),
    })
    .meta({ id: 'ReconcilePayouts', example: { acknowledge: true } }),
  statuses: [200],
  result: Result,
  outside: (ctx, { actor, body }) =>
    reconcile(ctx, actor.programId, { from: furthest(ctx, body.from), acknowledged: body.acknowledge, actor }),
});

export const reconcileDaily = job<object>({
  name: 'payouts.reconcile',
  retries: 3,
  cron: '17 3 * * *',
  async run(ctx) {
    for (const provider of await automatic(ctx)) {
      await compareOne(ctx, provider, daysAgo(ctx, 8)).catch((error: unknown) =>
        ctx.log.error({ err: error, providerId: provider.id }, 'payouts were not reconciled'),
      );
    }
  },
});

type How = { from: Date; acknowledged: boolean; actor: Actor };
type Comparison = Compared & { providerId: string };

export async function reconcile(ctx: Context, programId: string, { from, acknowledged, actor }: How): Promise<z.input<typeof Result>> {
  const startedAt = ctx.clock.now();
  const compareAll = async () => {
    const compared: Comparison[] = [];
    for (const provider of await automatic(ctx, programId)) compared.push(...(await compareOne(ctx, provider, from)));
    return compared;
  };
  let compared = await compareAll();
  let adopted = 0;
  for (let more = await adoptSome(ctx, programId); more > 0; more = await adoptSome(ctx, programId)) adopted += more;
  // What was taken in counts as paid; a second look tells what of it came back, or is still on its way.
  if (adopted > 0) compared = await compareAll();
  const outcome = await transact(ctx, async (tx) => {
    await openLedger(tx, programId);
    const open = await tx.db
      .selectFrom('payoutDifferences')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('programId', '=', programId)
      .where('resolvedAt', 'is', null)
      .executeTakeFirstOrThrow();
    const standing = await readLock(tx, programId);
    const needsAcknowledgement = standing.isRestored && !acknowledged;
    const isComplete = compared.every((one) => one.isComplete) && !(await isTooEarly(tx, programId, standing));
    const isReady = open.count === 0 && !needsAcknowledgement && isComplete && !wasTold(standing, startedAt);
    const lockReason = isReady ? await unlock(tx, programId) : null;
    const isUnlocked = isReady && lockReason === null;
    const after = { isUnlocked, openDifferences: open.count, adopted, acknowledged };
    await recordChange(tx, { programId, actor, action: 'payouts.reconciled', subjectId: programId, after });
    return { isUnlocked, lockReason, needsAcknowledgement, openDifferences: open.count };
  });
  if (outcome.isUnlocked) await followUp(ctx, programId);
  return { ...outcome, adopted, providers: compared };
}

/** What a rail told while we compared may not be in what we compared. */
function wasTold({ lockedAt, lockReason }: Standing, since: Date): boolean {
  return lockedAt !== null && lockedAt > since && lockReason?.startsWith(told) === true;
}

/** Nothing for a rail whose book can't be read by anybody: that is what the acknowledgement is for. */
async function compareOne(ctx: Context, provider: Provider, from: Date): Promise<Comparison[]> {
  // An archived provider has no secrets any more.
  if (provider.status === 'archived') return [];
  const rail = openPayoutProvider(ctx, provider);
  return rail.list ? [{ providerId: provider.id, ...(await reconcileProvider(ctx, provider, rail, from)) }] : [];
}

/** After a restore, a book that lags behind may not show yet what was paid just before. */
async function isTooEarly(tx: Tx, programId: string, { isRestored, lockedAt }: Standing): Promise<boolean> {
  if (!isRestored || !lockedAt) return false;
  const lags = (await automatic(tx, programId)).map(({ type }) => getRailType(type).bookLagHours);
  const waitHours = lags.some((hours) => hours > 1) ? 4 : 0;
  return tx.clock.now().getTime() - lockedAt.getTime() < waitHours * 3_600_000;
}

/** Callers may look further back, never less far. */
function furthest(ctx: Pick<Context, 'clock'>, from: Date | undefined): Date {
  const usual = daysAgo(ctx, furthestDays);
  return from && from < usual ? from : usual;
}

function daysAgo({ clock }: Pick<Context, 'clock'>, days: number): Date {
  return new Date(clock.now().getTime() - days * 86_400_000);
}

/** The providers that pay by themselves. */
async function automatic(ctx: Pick<Context, 'db'>, programId?: string): Promise<Provider[]> {
  const providers = ctx.db.selectFrom('providers').selectAll().where('kind', '=', 'payout').where('type', 'in', automaticRails);
  return (programId ? providers.where('programId', '=', programId) : providers).execute();
}

/** Takes in some of what only a rail knows, where it can be told whose it was. Returns how many. */
async function adoptSome(ctx: Context, programId: string): Promise<number> {
  return transact(ctx, async (tx) => {
    const ledger = await openMatured(tx, programId);
    const differences = await tx.db
      .selectFrom('payoutDifferences')
      .selectAll()
      .where('programId', '=', programId)
      .where('kind', '=', 'unknown_payment')
      .where('resolvedAt', 'is', null)
      .where('affiliateId', 'is not', null)
      .orderBy('id')
      .limit(adoptedAtOnce)
      .execute();
    let adopted = 0;
    for (const { id, affiliateId, ...told } of differences) {
      if (!affiliateId || (await adoptDifference(tx, ledger, told, affiliateId))) continue;
      adopted += 1;
      await tx.db
        .updateTable('payoutDifferences')
        .set({ resolvedAt: tx.clock.now(), resolution: 'adopted', resolvedBy: 'reconcile' })
        .where('programId', '=', programId)
        .where('id', '=', id)
        .execute();
    }
    return adopted;
  });
}
