// Trying again. A payout that may have been paid is only asked for, under its own key. One that surely was not is
// owed again already: it is paid by a new payout, with whatever else has become due, to where its owner wants it now.
import { z } from 'zod';
import { getUsableProvider, openPayoutProvider } from '../../../connections/providers/provider.ts';
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint, type Principal, Reply } from '../../../platform/http/declaration/endpoint.ts';
import { NothingToDo } from '../../../platform/lib/errors.ts';
import { sumOf } from '../../../platform/lib/money.ts';
import { findDue } from '../due.ts';
import { openMatured } from '../open-matured.ts';
import { payBy } from '../pay-by.ts';
import { type Item, PayoutShape, payoutSlot, readPayout, shownStatus } from '../payout.ts';
import { reserve } from '../reserve.ts';
import { DispatchLocked, findLock } from '../safety.ts';
import { look } from '../send/follow.ts';
import { sendPayoutsJob } from '../send/job-name.ts';
import { needsSecondApproval } from './approve.ts';

export const retryPayout = endpoint({
  id: 'payouts.retry',
  route: 'POST /v1/programs/:programId/payouts/:id/retry',
  scope: 'write',
  tag: 'Payouts',
  summary: 'Try a payout again',
  description:
    '`reconcile_required` and `sent`: the rail is asked now (200). `failed`, `returned`, `cancelled`: a new payout to the ' +
    'affiliate of everything that is due now (201); the old one stays as it is.',
  path: { id: payoutSlot },
  body: z.object({}).meta({ id: 'RetryPayout', example: {} }),
  statuses: [200, 201],
  result: PayoutShape,
  refusals: { 422: 'There is nothing to try: it is paid, or nothing is owed to the affiliate.' },
  async outside(ctx, { actor, params }) {
    const { programId } = actor;
    const items = ctx.db.selectFrom('payoutItems').selectAll().where('programId', '=', programId);
    const item = await items.where('id', '=', params.id).executeTakeFirstOrThrow();
    if (item.status === 'unknown' || item.status === 'sent') return askNow(ctx, item);
    if (['failed', 'returned', 'cancelled'].includes(item.status)) return new Reply(201, await payAnew(ctx, actor, item));
    throw new NothingToDo('nothing_to_retry', `This payout is ${shownStatus(item.status)}.`, { status: shownStatus(item.status) });
  },
});

async function askNow(ctx: Context, item: Item) {
  const { programId } = item;
  const batches = ctx.db.selectFrom('payoutBatches').select('providerId').where('programId', '=', programId);
  const { providerId } = await batches.where('id', '=', item.batchId).executeTakeFirstOrThrow();
  if (!providerId || !item.destination) throw new NothingToDo('paid_by_hand', 'This payout is paid by hand: mark it paid, or cancel it.');
  const provider = await getUsableProvider(ctx, programId, providerId);
  await look(ctx, item, { provider, rail: openPayoutProvider(ctx, provider) });
  return readPayout(ctx, programId, item.id);
}

async function payAnew(ctx: Context, actor: Principal, { affiliateId, batchId, id }: Item) {
  const { programId } = actor;
  return transact(ctx, async (tx) => {
    const ledger = await openMatured(tx, programId);
    const lockReason = await findLock(tx, programId);
    if (lockReason) throw new DispatchLocked(lockReason);
    const batches = tx.db.selectFrom('payoutBatches').selectAll().where('programId', '=', programId);
    const before = await batches.where('id', '=', batchId).executeTakeFirstOrThrow();
    const by = await payBy(
      tx,
      programId,
      (await isConnected(tx, programId, before.providerId)) ? (before.providerId ?? undefined) : undefined,
    );
    const asOf = tx.clock.now();
    // Whoever asks for this one payout again has seen that it is small.
    const { due, skipped } = await findDue(tx, programId, { asOf, affiliateIds: [affiliateId], minimumPayoutCents: 0 }, by);
    if (due.length === 0) throw new NothingToDo('nothing_due', 'Nothing is due to this affiliate.', { skipped });
    const isLarge = await needsSecondApproval(tx, programId, sumOf(due.map(({ amountCents }) => amountCents)));
    const needsApproval = before.needsApproval || isLarge;
    const frame = { by, asOf, note: `Again, after ${id}`, dispatchedBy: actor.id, needsApproval };
    const newBatch = await reserve(tx, ledger, due, frame);
    await recordChange(tx, { programId, actor, action: 'payout.retried', subjectId: id, after: { batchId: newBatch } });
    if (by.isAutomatic && !needsApproval) await tx.jobs.enqueue(tx, sendPayoutsJob, { programId });
    const items = tx.db.selectFrom('payoutItems').select('id').where('programId', '=', programId);
    const made = await items.where('batchId', '=', newBatch).executeTakeFirstOrThrow();
    return readPayout(tx, programId, made.id);
  });
}

/** What a provider that was archived meanwhile could not pay is paid by the default one. */
async function isConnected(tx: Tx, programId: string, providerId: string | null): Promise<boolean> {
  const providers = tx.db.selectFrom('providers').select('id').where('programId', '=', programId).where('status', '<>', 'archived');
  return (await providers.where('id', '=', providerId).executeTakeFirst()) !== undefined;
}
