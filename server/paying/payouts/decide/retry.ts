// Retries a payout. One that may have been paid is only looked up at the provider. One that certainly was not is owed
// again: a new payout pays it, with everything else that is due, to the affiliate's current payout details.
import { z } from 'zod';
import { getUsableProvider, openPayoutProvider } from '../../../connections/providers/provider.ts';
import { getRailType } from '../../../connections/rails/index.ts';
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint, type Principal, Reply } from '../../../platform/http/declaration/endpoint.ts';
import { ApiError, InvalidState, NothingToDo } from '../../../platform/lib/errors.ts';
import { sumOf } from '../../../platform/lib/money.ts';
import { needsSecondApproval } from '../batches/second-approval.ts';
import { chooseProvider } from '../choose-provider.ts';
import { addPeriods, findDue } from '../due/find-due.ts';
import { SkippedShape } from '../due/list-due.ts';
import { findLock, PayoutsLocked, payoutsLocked } from '../lock.ts';
import { openMaturedLedger } from '../open-matured-ledger.ts';
import { getPayout, type Payout, PayoutShape, payoutSlot, toPayout, toPayoutStatus } from '../payout.ts';
import { reserveBatch } from '../reserve.ts';
import { checkPayout } from '../send/check-payout.ts';
import { sendPayoutsJob } from '../send/send-job.ts';

export const retryPayout = endpoint({
  id: 'payouts.retry',
  route: 'POST /v1/programs/:programId/payouts/:id/retry',
  scope: 'write',
  requires: 'payouts.approve',
  isSensitive: true,
  movesMoney: true,
  tag: 'Payouts',
  summary: 'Retry a payout',
  description:
    'For `reconcile_required` and `sent`: looks up the payment at the provider now (200). For `failed`, `returned` and ' +
    '`cancelled`: creates a new payout of everything that is due to the affiliate (201); the original payout does not change.',
  path: { id: payoutSlot },
  body: z.object({}).meta({ id: 'RetryPayout', example: {} }),
  statuses: [200, 201],
  outcomes: { 201: 'A new payout was created.' },
  result: PayoutShape,
  errors: [
    { status: 400, code: 'paid_manually', when: 'The payout is paid manually: mark it as paid, or cancel it.' },
    { status: 422, code: 'nothing_to_retry', when: 'The payout is paid, or has not been sent yet.' },
    {
      status: 422,
      code: 'nothing_due',
      when: 'Nothing is due to the affiliate.',
      facts: z.object({ skipped: z.array(SkippedShape) }),
    },
    payoutsLocked,
  ],
  async outside(ctx, { actor, params }) {
    const payout = await getPayout(ctx, actor.programId, params.id);
    if (payout.status === 'unknown' || payout.status === 'sent') return checkNow(ctx, actor, payout);
    if (['failed', 'returned', 'cancelled'].includes(payout.status)) return new Reply(201, await payAgain(ctx, actor, payout));
    const status = toPayoutStatus(payout.status);
    throw new NothingToDo('nothing_to_retry', `This payout is ${status}.`, { status });
  },
});

async function checkNow(ctx: Context, actor: Principal, payout: Payout) {
  const { programId } = payout;
  const batches = ctx.db.selectFrom('payoutBatches').select(['providerId', 'providerType']).where('programId', '=', programId);
  const { providerId, providerType } = await batches.where('id', '=', payout.batchId).executeTakeFirstOrThrow();
  if (!providerId || !payout.destination || !getRailType(providerType).isAutomatic) {
    throw new InvalidState('paid_manually', 'This payout is paid manually: mark it as paid, or cancel it.');
  }
  const provider = await getUsableProvider(ctx, programId, providerId);
  await checkPayout(ctx, payout, { provider, rail: openPayoutProvider(ctx, provider), actor });
  return toPayout(await getPayout(ctx, programId, payout.id));
}

/** As in a dispatch, errors are thrown after the commit, which stores a lock of the payouts and what matured. */
async function payAgain(ctx: Context, actor: Principal, { affiliateId, batchId, id }: Payout) {
  const { programId } = actor;
  const paid = await transact(ctx, async (tx) => {
    const ledger = await openMaturedLedger(tx, programId);
    const lockReason = await findLock(tx, programId);
    if (lockReason) return new PayoutsLocked(lockReason);
    const batches = tx.db.selectFrom('payoutBatches').selectAll().where('programId', '=', programId);
    const before = await batches.where('id', '=', batchId).executeTakeFirstOrThrow();
    const isConnected = before.providerId !== null && (await isProviderConnected(tx, programId, before.providerId));
    // The default provider replaces one that was archived.
    const provider = await chooseProvider(tx, programId, isConnected ? (before.providerId ?? undefined) : undefined);
    const cutoffAt = tx.clock.now();
    // The minimum does not apply, because the caller chose this payout.
    const { due, skipped } = await findDue(tx, programId, { cutoffAt, affiliateIds: [affiliateId], minimumPayoutCents: 0 }, provider);
    if (due.length === 0) return new NothingToDo('nothing_due', 'Nothing is due to this affiliate.', { skipped });
    const isLarge = await needsSecondApproval(tx, programId, sumOf(due.map(({ amountCents }) => amountCents)));
    const needsApproval = before.needsApproval || isLarge;
    const note = `Retry of payout ${id}`;
    const planned = await addPeriods(tx, programId, { due, cutoffAt });
    const newBatchId = await reserveBatch(tx, ledger, planned, { provider, cutoffAt, note, dispatchedBy: actor, needsApproval });
    await recordChange(tx, { programId, actor, action: 'payout.retried', subjectId: id, after: { batchId: newBatchId } });
    if (provider.isAutomatic && !needsApproval) await tx.jobs.enqueue(tx, sendPayoutsJob, { programId });
    const payouts = tx.db.selectFrom('payouts').selectAll().where('programId', '=', programId);
    return toPayout(await payouts.where('batchId', '=', newBatchId).executeTakeFirstOrThrow());
  });
  if (paid instanceof ApiError) throw paid;
  return paid;
}

async function isProviderConnected(tx: Tx, programId: string, providerId: string): Promise<boolean> {
  const providers = tx.db.selectFrom('providers').select('id').where('programId', '=', programId).where('status', '<>', 'archived');
  return (await providers.where('id', '=', providerId).executeTakeFirst()) !== undefined;
}
