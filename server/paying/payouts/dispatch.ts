// Dispatch: one batch of everything that is due (Contract §4.6, §7 rules 1 and 5). One transaction sets the money
// aside; only after it has committed is any rail called (send/). Of two at once, the second finds the rest or 422.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { openLedger } from '../../earning/ledger/post.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { extendStatementTimeout } from '../../platform/db/statement-timeout.ts';
import { endpoint, type Principal, Reply } from '../../platform/http/declaration/endpoint.ts';
import { cents, centsOut, countOut, line, timestampIn, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { ApiError, Invalid, NothingToDo } from '../../platform/lib/errors.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { BatchShape, BatchStatus, readBatch } from './batch.ts';
import { needsSecondApproval } from './decide/approve.ts';
import { type Due, findDue, minimum, momentOf, SkippedShape, type Wanted } from './due.ts';
import { openMatured } from './open-matured.ts';
import { type PayBy, payBy } from './pay-by.ts';
import { PayoutShape, PayoutStatus, toPayout } from './payout.ts';
import { reserve } from './reserve.ts';
import { DispatchLocked, findLock } from './safety.ts';
import { sendPayoutsJob } from './send/job-name.ts';

export const Dispatch = z
  .object({
    providerId: uuid.optional().describe('How to pay. Default: the default payout provider; without one, by hand.'),
    asOf: timestampIn.optional().describe('Only what had matured by then. Default: now.'),
    affiliateIds: z.array(uuid).min(1).max(500).optional().describe('Only these affiliates.'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as USD')
      .optional()
      .describe('Only this currency.'),
    minimumPayoutCents: minimum.optional(),
    expectedTotalCents: cents.optional().describe('Refuse with 400 unless the batch comes to exactly this.'),
    dryRun: z.boolean().default(false).describe('Say what would be paid and change nothing.'),
    note: line(200).optional(),
  })
  .meta({ id: 'PayoutDispatch', example: { expectedTotalCents: 128_450, note: 'March' } });
export type Dispatch = z.output<typeof Dispatch>;

const Planned = PayoutShape.extend({
  id: uuidOut.nullable(),
  batchId: uuidOut.nullable(),
  status: PayoutStatus,
  createdAt: timestampOut.nullable(),
  updatedAt: timestampOut.nullable(),
});
const PlannedBatch = BatchShape.extend({ id: uuidOut.nullable(), status: BatchStatus, totalCents: centsOut, itemCount: countOut });
const Dispatched = z
  .object({ batch: PlannedBatch, payouts: z.array(Planned), skipped: z.array(SkippedShape) })
  .meta({ id: 'PayoutDispatched' });

export const dispatchPayouts = endpoint({
  id: 'payouts.dispatch',
  route: 'POST /v1/programs/:programId/payouts/dispatch',
  scope: 'write',
  tag: 'Payouts',
  summary: 'Pay everything that is due',
  description:
    'Creates one batch and sends it. Retrying never pays twice. When calling from an at-least-once queue, send an Idempotency-Key. ' +
    'No payouts due: 422.',
  body: Dispatch,
  statuses: [201, 200],
  result: Dispatched,
  errors: [
    { status: 422, code: 'nothing_due', when: 'No payouts are due.' },
    { status: 503, code: 'reconciliation_required', when: 'Payouts are locked until they are reconciled.' },
  ],
  async together(tx, _programId, inputs) {
    await extendStatementTimeout(tx);
    const outcomes = [];
    for (const { actor, body } of inputs) {
      outcomes.push(
        await dispatch(tx, actor, body).catch((error: unknown) => {
          if (error instanceof ApiError && error.status < 500) return error;
          throw error;
        }),
      );
    }
    return outcomes;
  },
});

/** Every refusal comes before the first write, so that a refused one leaves the transaction to its neighbours. */
async function dispatch(tx: Tx, actor: Principal, body: Dispatch): Promise<Reply<z.input<typeof Dispatched>> | ApiError> {
  const { programId } = actor;
  const asOf = momentOf(body.asOf, tx.clock.now());
  const by = await payBy(tx, programId, body.providerId);
  let ledger = await openLedger(tx, programId);
  const lockReason = await findLock(tx, programId);
  if (lockReason) return new DispatchLocked(lockReason);
  if (!body.dryRun) ledger = await openMatured(tx, programId);
  const wanted: Wanted = { asOf, affiliateIds: body.affiliateIds, minimumPayoutCents: body.minimumPayoutCents };
  const found = body.currency && body.currency !== ledger.currency ? { due: [], skipped: [] } : await findDue(tx, programId, wanted, by);
  const totalCents = checkTotal(found, body.expectedTotalCents);
  const needsApproval = await needsSecondApproval(tx, programId, totalCents);
  const frame = { by, asOf, note: body.note ?? null, needsApproval };
  if (body.dryRun) return new Reply(200, plan(found, frame, totalCents));
  const batchId = await reserve(tx, ledger, found.due, { ...frame, dispatchedBy: actor.id });
  const batch = await readBatch(tx, programId, batchId);
  const after = { totalCents, itemCount: found.due.length, providerId: by.providerId };
  await recordChange(tx, { programId, actor, action: 'payouts.dispatched', subjectId: batchId, after });
  if (by.isAutomatic && !needsApproval) await tx.jobs.enqueue(tx, sendPayoutsJob, { programId });
  const items = tx.db.selectFrom('payoutItems').selectAll().where('programId', '=', programId).where('batchId', '=', batchId);
  return new Reply(201, { batch, payouts: (await items.orderBy('affiliateId').execute()).map(toPayout), skipped: found.skipped });
}

function checkTotal({ due, skipped }: Due, expectedTotalCents: number | undefined): number {
  const totalCents = sumOf(due.map(({ amountCents }) => amountCents));
  if (due.length === 0) throw new NothingToDo('nothing_due', 'No payouts are due.', { skipped });
  if (expectedTotalCents !== undefined && expectedTotalCents !== totalCents) {
    throw new Invalid([{ path: ['expectedTotalCents'], message: `must equal the amount due (${totalCents})` }]);
  }
  return totalCents;
}

type Frame = { by: PayBy; asOf: Date; note: string | null; needsApproval: boolean };

/** The shape of a batch without ids: what a dry run answers. */
function plan({ due, skipped }: Due, { by, asOf, note, needsApproval }: Frame, totalCents: number): z.input<typeof Dispatched> {
  const nothingYet = {
    reference: null,
    failureCode: null,
    failureReason: null,
    tries: 0,
    settledAt: null,
    createdAt: null,
    updatedAt: null,
  };
  const payouts = due.map(({ affiliateId, amountCents, periodStart }) => ({
    ...{ id: null, batchId: null, affiliateId, amountCents, currency: by.currency, status: 'queued' as const, ...nothingYet },
    ...{ periodStart: periodStart.toISOString(), periodEnd: asOf.toISOString() },
  }));
  const status = needsApproval ? ('awaiting_approval' as const) : ('processing' as const);
  const batch = {
    ...{
      id: null,
      status,
      providerId: by.providerId,
      rail: by.rail,
      currency: by.currency,
      totalCents,
      itemCount: due.length,
      paidCents: 0,
    },
    ...{ asOf: asOf.toISOString(), note, needsApproval, approvedAt: null, exportedAt: null, createdAt: asOf.toISOString() },
  };
  return { batch, payouts, skipped };
}
