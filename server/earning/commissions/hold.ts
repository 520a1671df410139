// Holding a commission by hand, and releasing it. A manual hold also covers the adjustments of the commission. What
// is held stays earned, but never matures and is never paid.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, type Principal } from '../../platform/http/declaration/endpoint.ts';
import { line } from '../../platform/http/declaration/fields.ts';
import { ApiError, NothingToDo } from '../../platform/lib/errors.ts';
import { openLedger, post } from '../ledger/post.ts';
import { CommissionShape, commissionSlot, lockWithAdjustments, owedCents, type Row, readCommission } from './commission.ts';
import { closeHold, openHold, readOpenHolds } from './holds.ts';

const reason = line(500).describe('Why; the affiliate may read it.');

export const holdCommission = endpoint({
  id: 'commissions.hold',
  route: 'POST /v1/programs/:programId/commissions/:id/hold',
  scope: 'write',
  tag: 'Commissions',
  summary: 'Hold a commission',
  description:
    'The commission and its adjustments neither mature nor are paid until they are released. A commission that a dispute or a ' +
    'fraud event holds can be held manually as well. While a payout is in transit its commissions stay `approved`; what comes ' +
    'back is held. A commission with nothing payable, such as a paid one, can’t be held: 422.',
  path: { id: commissionSlot },
  body: z.object({ reason }).meta({ id: 'Hold', example: { reason: 'Waiting for the return window' } }),
  statuses: [200],
  result: CommissionShape,
  refusals: { 422: 'It is already held manually, or nothing of it is payable: it is paid, reversed, rejected or a deduction.' },
  handle: (tx, { actor, params, body }) => holdManually(tx, actor, params.id, body.reason),
});

export const releaseCommission = endpoint({
  id: 'commissions.release',
  route: 'POST /v1/programs/:programId/commissions/:id/release',
  scope: 'write',
  tag: 'Commissions',
  summary: 'Release a manually held commission',
  description:
    'Lifts the manual hold. The commission returns to `approved` if `maturesAt` has passed, otherwise to `pending`. It stays ' +
    '`held` while a fraud event or a dispute in `holds` is open: close that instead.',
  path: { id: commissionSlot },
  body: z.object({ reason: reason.optional() }).meta({ id: 'Release', example: { reason: 'Order checked' } }),
  statuses: [200],
  result: CommissionShape,
  refusals: {
    400: 'It is held by another cause only (`held_by_other_cause`): resolve the fraud event, close the dispute, or release the commission that it adjusts.',
    422: 'It is not held.',
  },
  handle: (tx, { actor, params, body }) => releaseManually(tx, actor, params.id, body.reason ?? null),
});

async function holdManually(tx: Tx, actor: Principal, id: string, why: string) {
  const { programId } = actor;
  const ledger = await openLedger(tx, programId);
  const rows = await lockWithAdjustments(tx, programId, id);
  const before = rows.find((row) => row.id === id);
  if (!before) throw new Error('A commission that was found is gone.');
  if (!isHoldable(before))
    throw new NothingToDo('nothing_to_hold', `This commission is ${before.status} and nothing of it is payable.`, {
      status: before.status,
    });
  const { opened, transfers } = await openHold(tx, ledger, { rows, cause: 'manual', causeId: id }, { actor, reason: why });
  if (!opened.includes(id))
    throw new NothingToDo('nothing_to_hold', 'This commission is already held manually.', { status: before.status });
  await post(tx, ledger, transfers);
  return audited(tx, { actor, before, action: 'commission.held', reason: why });
}

/** Something is payable, or in a payout that may come back. What is owed back is never held. */
function isHoldable(row: Row): boolean {
  if (row.status === 'paid') return owedCents(row) > 0 && row.reversedCents !== row.amountCents;
  return row.amountCents > 0 && ['pending', 'held', 'approved'].includes(row.status);
}

async function releaseManually(tx: Tx, actor: Principal, id: string, why: string | null) {
  const { programId } = actor;
  const ledger = await openLedger(tx, programId);
  const before = (await lockWithAdjustments(tx, programId, id)).find((row) => row.id === id);
  if (!before) throw new Error('A commission that was found is gone.');
  const { closed, transfers } = await closeHold(tx, ledger, { cause: 'manual', causeId: id }, { actor, reason: why });
  if (closed.length === 0) await refuseRelease(tx, before);
  await post(tx, ledger, transfers);
  return audited(tx, { actor, before, action: 'commission.released', reason: why });
}

async function refuseRelease(tx: Tx, { programId, id, status }: Row): Promise<never> {
  const [hold] = await readOpenHolds(tx, programId, id);
  if (status !== 'held' || !hold)
    throw new NothingToDo('nothing_to_release', `This commission is ${status}: there is nothing to release.`, { status });
  const messages = {
    manual: 'This commission is held with the commission that it adjusts; release that one.',
    fraud_event: 'This commission is held by a fraud event; resolve that event.',
    dispute: 'This commission is held by a dispute; it is released when the dispute is closed.',
  };
  throw new ApiError(400, 'held_by_other_cause', messages[hold.cause], { facts: { cause: hold.cause, causeId: hold.causeId } });
}

type Change = { actor: Principal; before: Row; action: 'commission.held' | 'commission.released'; reason: string | null };

async function audited(tx: Tx, { actor, before, action, reason: why }: Change) {
  const { programId } = actor;
  const after = await readCommission(tx, programId, before.id);
  await recordChange(tx, {
    programId,
    actor,
    action,
    subjectId: before.id,
    before: { status: before.status },
    after: { status: after.status, reason: why },
  });
  return after;
}
