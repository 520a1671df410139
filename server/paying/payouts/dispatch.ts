// Dispatches one batch of everything that is due (Contract §4.6, §7 rules 1 and 5). One transaction reserves the money;
// providers are called only after it has committed (send/). Of two concurrent dispatches, the second pays what is left or
// returns 422; behind one that takes longer than a lock is waited for, it returns 503 and can be repeated.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordEvent } from '../../messaging/events/record.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { extendStatementTimeout } from '../../platform/db/statement-timeout.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { cents, currencyOut, line, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { type ApiError, Invalid, InvalidState, NothingToDo } from '../../platform/lib/errors.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { BatchShape, batchExample, readBatch } from './batches/batch.ts';
import { needsSecondApproval } from './batches/second-approval.ts';
import { type ChosenProvider, chooseProvider } from './choose-provider.ts';
import { Exclusion, recordExclusions } from './due/exclusions.ts';
import { addPeriods, type Due, findDue, type PlannedPayout } from './due/find-due.ts';
import { cutoffField, SkippedShape, skippedExample, toCutoff } from './due/list-due.ts';
import { payoutBatchCreated } from './events.ts';
import { findLock, PayoutsLocked, payoutsLocked } from './lock.ts';
import { dispatchInProgress, openLedgerToPay, openMaturedLedger } from './open-matured-ledger.ts';
import { PayoutShape, payoutExample, toPayout } from './payout.ts';
import { findUnfinishedImports } from './record-past-payouts.ts';
import { reserveBatch } from './reserve.ts';
import { sendPayoutsJob } from './send/send-job.ts';

export const Dispatch = z
  .object({
    providerId: uuid.optional().describe('Default: the default payout provider; without one, the batch is paid manually.'),
    cutoffAt: cutoffField,
    affiliateIds: z.array(uuid).min(1).max(500).optional().describe('Pay only these affiliates.'),
    exceptAffiliateIds: z.array(uuid).min(1).max(500).optional().describe('Leave these affiliates out of this batch.'),
    exclusions: z
      .array(Exclusion)
      .min(1)
      .max(500)
      .optional()
      .describe('As `exceptAffiliateIds`, with a note that `GET …/payouts/due` returns until a batch pays the affiliate.'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as USD')
      .optional()
      .describe('Pay only in this currency.'),
    minimumPayoutCents: cents.optional().describe("Skip smaller amounts. Default: the minimum of the affiliate's group or the program."),
    expectedTotalCents: cents.optional().describe('Returns 400 unless the total of the batch is exactly this amount.'),
    dryRun: z.boolean().default(false).describe('Returns what would be paid without paying it.'),
    note: line(200).optional(),
  })
  .meta({ id: 'PayoutDispatch', example: { expectedTotalCents: 12_850, note: 'October' } });
export type Dispatch = z.output<typeof Dispatch>;

const PlannedShape = PayoutShape.omit({ affiliate: true, batch: true }).extend({
  id: uuidOut.nullable(),
  batchId: uuidOut.nullable(),
  createdAt: timestampOut.nullable(),
  updatedAt: timestampOut.nullable(),
});
const DispatchResult = z
  .object({
    currency: currencyOut,
    batch: BatchShape.omit({ provider: true }).extend({ id: uuidOut.nullable() }).describe('In a dry run, the ids are null.'),
    payouts: z.array(PlannedShape),
    skipped: z.array(SkippedShape),
  })
  .meta({
    id: 'PayoutDispatchResult',
    example: {
      currency: 'USD',
      batch: { ...batchExample, status: 'processing', paidCents: 0 },
      payouts: [{ ...payoutExample, status: 'queued', reference: null, attempts: 0, settledAt: null, updatedAt: payoutExample.createdAt }],
      skipped: [skippedExample],
    },
  });
type DispatchResult = z.input<typeof DispatchResult>;

const importUnfinished = {
  status: 400,
  code: 'import_unfinished',
  when: 'An import of the history of another system has not finished.',
} as const;

export const dispatchPayouts = endpoint({
  id: 'payouts.dispatch',
  route: 'POST /v1/programs/:programId/payouts/dispatch',
  scope: 'write',
  requires: 'payouts.prepare',
  isSensitive: true,
  movesMoney: true,
  tag: 'Payouts',
  summary: 'Dispatch all due payouts',
  description:
    'Creates one batch and sends its payouts. Retrying never pays twice. When calling from an at-least-once queue, send an ' +
    '`Idempotency-Key`. Returns 422 if no payouts are due.',
  body: Dispatch,
  statuses: [201, 200],
  outcomes: { 200: 'The plan of a dry run.' },
  result: DispatchResult,
  errors: [
    { status: 422, code: 'nothing_due', when: 'No payouts are due.', facts: z.object({ skipped: z.array(SkippedShape) }) },
    importUnfinished,
    payoutsLocked,
    dispatchInProgress,
  ],
  async handle(tx, { actor, body }) {
    await extendStatementTimeout(tx);
    return dispatch(tx, actor, body);
  },
});

type Dispatcher = Actor & { programId: string };

/** Decides whether a batch of this total awaits an approval. The ledger is locked. */
export type ApprovalRule = (tx: Tx, programId: string, totalCents: number) => Promise<boolean>;

/**
 * Errors after the ledger was locked are returned instead of thrown: the transaction must commit, because it stores a lock
 * of the payouts, and the commissions that matured.
 */
export async function dispatch(
  tx: Tx,
  actor: Dispatcher,
  body: Dispatch,
  awaitsApproval: ApprovalRule = needsSecondApproval,
): Promise<Reply<DispatchResult> | ApiError> {
  const { programId } = actor;
  const cutoffAt = toCutoff(body.cutoffAt, tx.clock.now());
  const provider = await chooseProvider(tx, programId, body.providerId);
  let ledger = await openLedgerToPay(tx, programId);
  const [unfinished] = await findUnfinishedImports(tx, programId);
  if (unfinished) return new InvalidState(importUnfinished.code, `The import from ${unfinished} has not finished. Run it again first.`);
  const lockReason = await findLock(tx, programId);
  if (lockReason) return new PayoutsLocked(lockReason);
  if (!body.dryRun) ledger = await openMaturedLedger(tx, programId);
  const { affiliateIds, minimumPayoutCents, exclusions = [] } = body;
  const exceptAffiliateIds = [...(body.exceptAffiliateIds ?? []), ...exclusions.map(({ affiliateId }) => affiliateId)];
  const query = { cutoffAt, affiliateIds, exceptAffiliateIds, minimumPayoutCents };
  const isOtherCurrency = body.currency !== undefined && body.currency !== ledger.currency;
  const found = isOtherCurrency ? { due: [], skipped: [], terms: new Map() } : await findDue(tx, programId, query, provider);
  const totalCents = sumOf(found.due.map(({ amountCents }) => amountCents));
  const fault = findFault(found, totalCents, body.expectedTotalCents);
  if (fault) return fault;
  const needsApproval = await awaitsApproval(tx, programId, totalCents);
  const batch = { provider, cutoffAt, note: body.note ?? null, needsApproval, dispatchedBy: { kind: actor.kind, id: actor.id } };
  const due = await addPeriods(tx, programId, { due: found.due, cutoffAt });
  if (body.dryRun) return new Reply(200, toPlan({ due, skipped: found.skipped }, batch, totalCents));
  const batchId = await reserveBatch(tx, ledger, due, batch);
  await recordExclusions(tx, programId, { exclusions, paidIds: due.map(({ affiliateId }) => affiliateId) });
  const after = { totalCents, payoutCount: found.due.length, providerId: provider.providerId };
  await recordChange(tx, { programId, actor, action: 'payouts.dispatched', subjectId: batchId, after });
  const dispatched = await readBatch(tx, programId, batchId);
  await recordEvent(tx, { programId, actor }, payoutBatchCreated.of({ objectId: batchId, data: dispatched }));
  if (provider.isAutomatic && !needsApproval) await tx.jobs.enqueue(tx, sendPayoutsJob, { programId });
  const payouts = tx.db.selectFrom('payouts').selectAll().where('programId', '=', programId).where('batchId', '=', batchId);
  return new Reply(201, {
    currency: ledger.currency,
    batch: dispatched,
    payouts: (await payouts.orderBy('affiliateId').execute()).map(toPayout),
    skipped: found.skipped,
  });
}

function findFault({ due, skipped }: Due, totalCents: number, expectedTotalCents: number | undefined): ApiError | null {
  if (due.length === 0) return new NothingToDo('nothing_due', 'No payouts are due.', { skipped });
  if (expectedTotalCents === undefined || expectedTotalCents === totalCents) return null;
  return new Invalid([{ path: ['expectedTotalCents'], message: `must equal the amount due (${totalCents})` }]);
}

type PlannedBatch = {
  provider: ChosenProvider;
  cutoffAt: Date;
  note: string | null;
  needsApproval: boolean;
  dispatchedBy: DispatchResult['batch']['dispatchedBy'];
};

/** The result of a dry run: a batch and payouts without ids. */
function toPlan(
  { due, skipped }: { due: PlannedPayout[]; skipped: Due['skipped'] },
  batch: PlannedBatch,
  totalCents: number,
): DispatchResult {
  const { provider, note, needsApproval, dispatchedBy } = batch;
  const { currency } = provider;
  const cutoffAt = batch.cutoffAt.toISOString();
  const payouts = due.map(({ affiliateId, amountCents, exchange, periodStartAt }) => ({
    id: null,
    batchId: null,
    affiliateId,
    amountCents,
    currency,
    exchange,
    status: 'queued' as const,
    periodStartAt: periodStartAt.toISOString(),
    periodEndAt: cutoffAt,
    reference: null,
    failureCode: null,
    failureReason: null,
    note: null,
    attempts: 0,
    settledAt: null,
    createdAt: null,
    updatedAt: null,
  }));
  return {
    currency,
    batch: {
      id: null,
      status: needsApproval ? 'awaiting_approval' : 'processing',
      providerId: provider.providerId,
      providerType: provider.type,
      currency,
      totalCents,
      payoutCount: due.length,
      paidCents: 0,
      cutoffAt,
      note,
      dispatchedBy,
      needsApproval,
      approvedBy: null,
      approvedAt: null,
      exportedAt: null,
      createdAt: cutoffAt,
    },
    payouts,
    skipped,
  };
}
