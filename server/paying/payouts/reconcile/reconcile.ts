// Reconciles a program: compares its payouts with the records of every provider, records payments that the database lost,
// and unlocks payouts when nothing is left to resolve.
import { sql } from 'kysely';
import { z } from 'zod';
import { openPayoutProvider, type Provider } from '../../../connections/providers/provider.ts';
import { automaticRails, followsProgramClock, getRailType } from '../../../connections/rails/index.ts';
import type { Context, Tx } from '../../../context.ts';
import { openLedger } from '../../../earning/ledger/post.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampIn, uuidOut } from '../../../platform/http/declaration/fields.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { isAhead, systemTime } from '../../../platform/lib/clock.ts';
import { forEachProgram } from '../../../platform/queue/each-program.ts';
import { job } from '../../../platform/queue/job.ts';
import { LockReason, type LockState, readLock, unlockProgram } from '../lock.ts';
import { openMaturedLedger } from '../open-matured-ledger.ts';
import { followUp } from '../send/follow-up.ts';
import { type Compared, compareProvider } from './compare-provider.ts';
import { countOpenDiscrepancies, selectDiscrepancies } from './discrepancy.ts';
import { recordUnknownPayment } from './record-unknown-payment.ts';
import { closeDiscrepancy } from './resolve-discrepancy.ts';

const leastRangeDays = 45;
const recordedAtOnce = 100;

const ComparedProvider = z.object({
  providerId: uuidOut,
  isComplete: z.boolean().describe("False if the provider's payments could not be listed."),
  payments: countOut.describe("The number of payments in the provider's records."),
  updatedPayouts: countOut.describe("The number of payouts whose status was updated from the provider's records."),
  discrepancies: countOut,
});

const Reconciliation = z
  .object({
    isUnlocked: z.boolean().describe('Whether payouts can be dispatched and sent.'),
    lockReason: LockReason.nullable().describe('Why payouts are still locked.'),
    needsAcknowledgement: z
      .boolean()
      .describe('After a restore: check manual payouts, file payouts and payouts of archived providers, then send `acknowledge: true`.'),
    openDiscrepancies: countOut,
    recordedPayments: countOut.describe('The number of payments that were missing in the database and have now been recorded.'),
    providers: z.array(ComparedProvider),
  })
  .meta({
    id: 'Reconciliation',
    example: {
      isUnlocked: true,
      lockReason: null,
      needsAcknowledgement: false,
      openDiscrepancies: 0,
      recordedPayments: 2,
      providers: [
        {
          providerId: '01980a70-5e6f-7a8b-9c0d-1e2f3a4b5c6d',
          isComplete: true,
          payments: 41,
          updatedPayouts: 1,
          discrepancies: 0,
        },
      ],
    },
  });

export const reconcilePayouts = endpoint({
  id: 'payouts.reconcile',
  route: 'POST /v1/programs/:programId/payouts/reconcile',
  scope: 'write',
  requires: 'payouts.reconcile',
  tag: 'Payouts',
  summary: 'Reconcile payouts',
  description:
    "Compares payouts with the providers' records, and unlocks payouts if no discrepancy is open. After a restore, a failover that " +
    'lost commits, or a change of the server clock by more than five minutes, no payout is sent until reconciliation succeeds. ' +
    'Reconciling accepts the current clock as correct. Payments that only the provider has on record are recorded, so that they ' +
    'are not paid again.',
  body: z
    .object({
      from: timestampIn.optional().describe('Compare payments from this time, if 45 days are not enough.'),
      acknowledge: z
        .boolean()
        .default(false)
        .describe('Confirms that you checked manual and file payouts, which no provider can list, against your bank statement.'),
    })
    .meta({ id: 'ReconcilePayouts', example: { acknowledge: true } }),
  statuses: [200],
  result: Reconciliation,
  outside: (ctx, { actor, body }) =>
    reconcile(ctx, actor.programId, { from: toRangeStart(ctx, body.from), isAcknowledged: body.acknowledge, actor }),
});

export const reconcileDaily = job<object>({
  name: 'payouts.reconcile',
  retries: 3,
  cron: '17 3 * * *',
  async run(ctx) {
    await forEachProgram(ctx, {
      find: (scope) => sql`
        select distinct program_id from providers where kind = 'payout' and type = any(${[...automaticRails]}) and ${scope}`,
      run: (programId, own) => compareDaily(own, programId),
    });
  },
});

/** A provider that can't be compared doesn't stop the others. Throws the first error at the end. */
export async function compareDaily(ctx: Context, programId: string): Promise<void> {
  const errors: unknown[] = [];
  for (const provider of await findAutomaticProviders(ctx, programId)) {
    await compareIfListed(ctx, provider, daysAgo(ctx, 8)).catch((error: unknown) => {
      errors.push(error);
      ctx.log.error({ err: error, providerId: provider.id }, 'failed to reconcile payouts');
    });
  }
  if (errors.length > 0) throw errors[0];
}

type Request = { from: Date; isAcknowledged: boolean; actor: Actor };
type Comparison = Compared & { providerId: string };

export async function reconcile(ctx: Context, programId: string, request: Request): Promise<z.input<typeof Reconciliation>> {
  const startedAt = systemTime(ctx);
  let providers = await compareAll(ctx, programId, request.from);
  let recordedPayments = 0;
  for (let more = await recordPayments(ctx, programId); more > 0; more = await recordPayments(ctx, programId)) recordedPayments += more;
  // Recorded payments count as paid; comparing again finds those that were returned or are still in transit.
  if (recordedPayments > 0) providers = await compareAll(ctx, programId, request.from);
  const isComplete = providers.every((provider) => provider.isComplete);
  const result = await transact(ctx, (tx) => tryUnlock(tx, programId, { startedAt, isComplete, recordedPayments }, request));
  if (result.isUnlocked) await followUp(ctx, programId);
  return { ...result, recordedPayments, providers };
}

async function compareAll(ctx: Context, programId: string, from: Date): Promise<Comparison[]> {
  const compared: Comparison[] = [];
  for (const provider of await findAutomaticProviders(ctx, programId)) compared.push(...(await compareIfListed(ctx, provider, from)));
  return compared;
}

type Progress = { startedAt: Date; isComplete: boolean; recordedPayments: number };

async function tryUnlock(tx: Tx, programId: string, progress: Progress, { isAcknowledged, actor }: Request) {
  await openLedger(tx, programId);
  const openDiscrepancies = await countOpenDiscrepancies(tx, programId);
  const state = await readLock(tx, programId);
  const needsAcknowledgement = state.isRestored && !isAcknowledged;
  const isComplete = progress.isComplete && !(await isTooEarly(tx, programId, state));
  const isReady = openDiscrepancies === 0 && !needsAcknowledgement && isComplete && !wasLockedByProvider(state, progress.startedAt);
  const present = state.isRestored ? 'database_restored' : state.lockReason;
  const lockReason = isReady ? await unlockProgram(tx, programId) : present;
  const isUnlocked = isReady && lockReason === null;
  const after = { isUnlocked, openDiscrepancies, recordedPayments: progress.recordedPayments, isAcknowledged };
  await recordChange(tx, { programId, actor, action: 'payouts.reconciled', subjectId: programId, after });
  return { isUnlocked, lockReason, needsAcknowledgement, openDiscrepancies };
}

/** A report of the provider during the comparison may not be part of what was compared. */
function wasLockedByProvider({ lockedAt, lockReason }: LockState, since: Date): boolean {
  const isReport = lockReason === 'provider_amount_mismatch' || lockReason === 'provider_unknown_payout';
  return isReport && lockedAt !== null && lockedAt > since;
}

/** Empty for a provider whose payments can't be listed: the acknowledgement covers those. */
async function compareIfListed(ctx: Context, provider: Provider, from: Date): Promise<Comparison[]> {
  // The secrets of archived providers were erased.
  if (provider.status === 'archived') return [];
  const rail = openPayoutProvider(ctx, provider);
  return rail.list ? [{ providerId: provider.id, ...(await compareProvider(ctx, provider, rail, from)) }] : [];
}

/** After a restore, a list that lags may not contain the latest payments yet. */
async function isTooEarly(tx: Tx, programId: string, { isRestored, lockedAt }: LockState): Promise<boolean> {
  if (!isRestored || !lockedAt) return false;
  const lags = (await findAutomaticProviders(tx, programId)).map(({ type }) => getRailType(type).listDelayHours);
  const waitHours = lags.some((hours) => hours > 1) ? 4 : 0;
  return systemTime(tx).getTime() - lockedAt.getTime() < waitHours * 3_600_000;
}

/** Callers can extend the range but not shorten it. */
function toRangeStart(ctx: Pick<Context, 'clock'>, from: Date | undefined): Date {
  const usual = daysAgo(ctx, leastRangeDays);
  return from && from < usual ? from : usual;
}

function daysAgo({ clock }: Pick<Context, 'clock'>, days: number): Date {
  return new Date(clock.now().getTime() - days * 86_400_000);
}

/** While the program's clock is ahead, records of external systems can't be compared: they have the real time. */
async function findAutomaticProviders({ db, clock }: Pick<Context, 'db' | 'clock'>, programId: string): Promise<Provider[]> {
  const providers = db.selectFrom('providers').selectAll().where('programId', '=', programId).where('kind', '=', 'payout');
  return providers.where('type', 'in', isAhead(clock) ? automaticRails.filter(followsProgramClock) : automaticRails).execute();
}

/** Records some of the unknown payments whose affiliate is known. Returns how many. */
async function recordPayments(ctx: Context, programId: string): Promise<number> {
  return transact(ctx, async (tx) => {
    const ledger = await openMaturedLedger(tx, programId);
    const discrepancies = await selectDiscrepancies(tx, programId)
      .where('kind', '=', 'unknown_payment')
      .where('resolvedAt', 'is', null)
      .where('affiliateId', 'is not', null)
      .orderBy('id')
      .limit(recordedAtOnce)
      .execute();
    let recorded = 0;
    for (const discrepancy of discrepancies) {
      const { id, affiliateId, providerId } = discrepancy;
      const actor: Actor = { kind: 'provider', id: providerId };
      if (!affiliateId || (await recordUnknownPayment(tx, ledger, { discrepancy, affiliateId }, actor))) continue;
      recorded += 1;
      await closeDiscrepancy(tx, programId, { id, resolution: 'payment_recorded', note: null }, actor);
    }
    return recorded;
  });
}
