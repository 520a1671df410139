// Reconciling a program: every rail's book is compared with ours from the furthest time on, payments that our books
// lost are taken in, and when nothing is left to explain the program may pay again.
import { z } from 'zod';
import { recordChange } from '../../audit/record.ts';
import { matureSome } from '../../commissions/mature.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../db/transact.ts';
import { endpoint } from '../../http/endpoint.ts';
import { countOut, timestampIn, uuidOut } from '../../http/fields.ts';
import { job } from '../../jobs/job.ts';
import { openBooks } from '../../ledger/books.ts';
import { openRail, type Provider } from '../../providers/provider.ts';
import { railTypes } from '../../rails/index.ts';
import { unlock } from '../safety.ts';
import { followUp } from '../send/follow.ts';
import { adopt } from './adopt.ts';
import { type Compared, reconcileProvider } from './compare.ts';

const furthestDays = 45;

const Result = z
  .object({
    isUnlocked: z.boolean().describe('Whether the program may pay (again).'),
    needsAcknowledgement: z
      .boolean()
      .describe('Payouts by hand or file can’t be compared: send `acknowledge: true` after looking at them.'),
    openDifferences: countOut,
    adopted: countOut.describe('Payments of a rail that our books had lost, taken in.'),
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
    'After a restore, a failover that lost commits, or a step of the clock nothing is paid until this has succeeded. ' +
    'Payments that only the rail knows are booked, so that nobody is paid twice.',
  body: z
    .object({
      from: timestampIn.optional().describe('Since when to compare. Default: 45 days.'),
      acknowledge: z.boolean().default(false).describe('You compared what is paid by hand or by file with your bank.'),
    })
    .meta({ id: 'ReconcilePayouts', example: { acknowledge: true } }),
  statuses: [200],
  result: Result,
  outside: (ctx, { actor: { programId, keyId }, body }) =>
    reconcile(ctx, programId, { from: body.from ?? daysAgo(ctx, furthestDays), acknowledged: body.acknowledge, keyId }),
});

export const reconcileDaily = job<object>({
  name: 'payouts.reconcile',
  retries: 3,
  cron: '17 3 * * *',
  async run(ctx) {
    for (const provider of await listable(ctx)) {
      await reconcileProvider(ctx, provider, openRail(ctx, provider), daysAgo(ctx, 8)).catch((error: unknown) =>
        ctx.log.error({ err: error, providerId: provider.id }, 'payouts were not reconciled'),
      );
    }
  },
});

type How = { from: Date; acknowledged: boolean; keyId: string };

export async function reconcile(ctx: Context, programId: string, { from, acknowledged, keyId }: How): Promise<z.input<typeof Result>> {
  const providers = await listable(ctx, programId);
  const compared: (Compared & { providerId: string })[] = [];
  for (const provider of providers) {
    compared.push({ providerId: provider.id, ...(await reconcileProvider(ctx, provider, openRail(ctx, provider), from)) });
  }
  const adopted = await adoptAll(ctx, programId);
  const outcome = await transact(ctx, async (tx) => {
    await openBooks(tx, programId);
    const open = await tx.db
      .selectFrom('payoutDifferences')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('programId', '=', programId)
      .where('resolvedAt', 'is', null)
      .executeTakeFirstOrThrow();
    const needsAcknowledgement = !acknowledged && (await paysByHand(tx, programId));
    const isUnlocked = open.count === 0 && !needsAcknowledgement && compared.every(({ isComplete }) => isComplete);
    if (isUnlocked) await unlock(tx, programId);
    const doer = { kind: 'api_key' as const, id: keyId };
    const after = { isUnlocked, openDifferences: open.count, adopted, acknowledged };
    await recordChange(tx, { programId, doer, action: 'payouts.reconciled', subjectId: programId, after });
    return { isUnlocked, needsAcknowledgement, openDifferences: open.count };
  });
  if (outcome.isUnlocked) await followUp(ctx, programId);
  return { ...outcome, adopted, providers: compared };
}

function daysAgo({ clock }: Pick<Context, 'clock'>, days: number): Date {
  return new Date(clock.now().getTime() - days * 86_400_000);
}

/** Providers whose book can be read, archived ones too: they may have paid. */
async function listable(ctx: Context, programId?: string): Promise<Provider[]> {
  const providers = ctx.db.selectFrom('providers').selectAll().where('kind', '=', 'payout');
  const rows = await (programId ? providers.where('programId', '=', programId) : providers).execute();
  const isAutomatic = ({ type }: Provider) => Object.values(railTypes).some((known) => known.type === type && known.isAutomatic);
  return rows.filter((provider) => isAutomatic(provider) && openRail(ctx, provider).list !== null);
}

/** Batches whose payments no rail can list. */
async function paysByHand(ctx: Pick<Context, 'db'>, programId: string): Promise<boolean> {
  const batches = ctx.db.selectFrom('payoutBatches').select('id').where('programId', '=', programId);
  return (await batches.where('rail', 'in', ['manual', 'csv']).limit(1).executeTakeFirst()) !== undefined;
}

/** Takes in what only a rail knows, where it can be told whose it was. Returns how many. */
async function adoptAll(ctx: Context, programId: string): Promise<number> {
  return transact(ctx, async (tx) => {
    const books = await openBooks(tx, programId);
    while ((await matureSome(tx, programId)) > 0) Object.assign(books, await openBooks(tx, programId));
    const differences = await tx.db
      .selectFrom('payoutDifferences as difference')
      .innerJoin('providers as provider', (join) =>
        join.onRef('provider.programId', '=', 'difference.programId').onRef('provider.id', '=', 'difference.providerId'),
      )
      .selectAll('difference')
      .select('provider.type')
      .where('difference.programId', '=', programId)
      .where('difference.kind', '=', 'unknown_payment')
      .where('difference.resolvedAt', 'is', null)
      .orderBy('difference.id')
      .execute();
    let adopted = 0;
    for (const { id, itemId, affiliateId, amountCents, currency, providerId, type, reference, foundAt } of differences) {
      if (!itemId || !affiliateId || amountCents === null || currency !== books.currency) continue;
      const unknown = { itemId, affiliateId, amountCents, providerId, rail: type, reference, paidAt: foundAt };
      if (!(await adopt(tx, books, unknown, `reconcile:${providerId}`))) continue;
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
