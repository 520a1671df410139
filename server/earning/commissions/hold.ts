// Holding a commission manually, and releasing it. A manual hold also covers the commission's adjustments. A held
// commission stays earned, but doesn't mature and isn't paid.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, type Principal } from '../../platform/http/declaration/endpoint.ts';
import { line, uuidOut } from '../../platform/http/declaration/fields.ts';
import { InvalidState, NothingToDo } from '../../platform/lib/errors.ts';
import { openLedger, post } from '../ledger/post.ts';
import { CommissionStatus } from '../orders/conversion-shape.ts';
import { CommissionShape, commissionSlot, HoldCauseName, lockWithAdjustments, owedCents, type Row, readCommission } from './commission.ts';
import { closeHold, openHold, readOpenHolds } from './holds.ts';

const note = line(500).describe('The reason for the hold or release; visible to the affiliate.');
const status = z.object({ status: CommissionStatus });

export const holdCommission = endpoint({
  id: 'commissions.hold',
  route: 'POST /v1/programs/:programId/commissions/:id/hold',
  scope: 'write',
  requires: 'commissions.write',
  tag: 'Commissions',
  summary: 'Hold a commission',
  description:
    "The commission and its adjustments don't mature and are not paid until they are released. A commission that is held by a " +
    'dispute or a fraud alert can also be held manually. While a payout is in transit, its commissions stay `approved`; amounts ' +
    'that are returned are held.',
  path: { id: commissionSlot },
  body: z.object({ note }).meta({ id: 'Hold', example: { note: 'Waiting for the return window' } }),
  statuses: [200],
  result: CommissionShape,
  errors: [
    {
      status: 422,
      code: 'nothing_to_hold',
      when: 'The commission is already held manually, or has no payable amount because it is paid, reversed, rejected or a deduction.',
      facts: status,
    },
  ],
  handle: (tx, { actor, params, body }) => holdManually(tx, actor, params.id, body.note),
});

export const releaseCommission = endpoint({
  id: 'commissions.release',
  route: 'POST /v1/programs/:programId/commissions/:id/release',
  scope: 'write',
  requires: 'commissions.write',
  tag: 'Commissions',
  summary: 'Release a manually held commission',
  description:
    'Ends the manual hold. The commission returns to `approved` if `maturesAt` has passed, otherwise to `pending`. It stays ' +
    '`held` while `holds` contains an open fraud alert or dispute: resolve the fraud alert or close the dispute instead.',
  path: { id: commissionSlot },
  body: z.object({ note: note.optional() }).meta({ id: 'Release', example: { note: 'Order checked' } }),
  statuses: [200],
  result: CommissionShape,
  errors: [
    {
      status: 400,
      code: 'held_by_other_cause',
      when:
        'The commission is held only by another cause: resolve the fraud alert, close the dispute, or release the commission that ' +
        'it adjusts.',
      facts: z.object({ cause: HoldCauseName, causeId: uuidOut }),
    },
    { status: 422, code: 'nothing_to_release', when: 'The commission is not held.', facts: status },
  ],
  handle: (tx, { actor, params, body }) => releaseManually(tx, actor, params.id, body.note ?? null),
});

/** Holds a commission and its adjustments, with its audit entry. Throws 422 if there is nothing to hold. */
export async function holdManually(tx: Tx, actor: Principal, id: string, text: string) {
  const ledger = await openLedger(tx, actor.programId);
  const rows = await lockWithAdjustments(tx, actor.programId, id);
  const before = findLocked(rows, id);
  const facts = { status: before.status };
  if (!isHoldable(before))
    throw new NothingToDo('nothing_to_hold', `This commission is ${before.status} and has no payable amount.`, facts);
  const changedBy = { actor, reason: 'manual_hold', note: text };
  const { opened, transfers } = await openHold(tx, ledger, { rows, cause: 'manual', causeId: id }, changedBy);
  if (!opened.includes(id)) throw new NothingToDo('nothing_to_hold', 'This commission is already held manually.', facts);
  await post(tx, ledger, transfers);
  return recordStatusChange(tx, { actor, before, action: 'commission.held', note: text });
}

/** The path parameter was checked before, and commissions are never deleted. */
function findLocked(rows: readonly Row[], id: string): Row {
  const found = rows.find((row) => row.id === id);
  if (!found) throw new Error('The commission was found before and no longer exists.');
  return found;
}

/** An amount is payable, or in a payout that may be returned. Amounts that the affiliate owes are never held. */
export function isHoldable(row: Pick<Row, 'status' | 'amountCents' | 'reversedCents' | 'settledCents'>): boolean {
  if (row.status === 'paid') return owedCents(row) > 0 && row.reversedCents !== row.amountCents;
  return row.amountCents > 0 && ['pending', 'held', 'approved'].includes(row.status);
}

/** Ends the manual hold of a commission, with its audit entry. Throws if nothing was released. */
export async function releaseManually(tx: Tx, actor: Principal, id: string, text: string | null) {
  const ledger = await openLedger(tx, actor.programId);
  const before = findLocked(await lockWithAdjustments(tx, actor.programId, id), id);
  const changedBy = { actor, reason: 'manual_release', note: text };
  const { closed, transfers } = await closeHold(tx, ledger, { cause: 'manual', causeId: id }, changedBy);
  if (closed.length === 0) await rejectRelease(tx, before);
  await post(tx, ledger, transfers);
  return recordStatusChange(tx, { actor, before, action: 'commission.released', note: text });
}

async function rejectRelease(tx: Tx, { programId, id, status: current }: Row): Promise<never> {
  const [hold] = await readOpenHolds(tx, programId, id);
  if (current !== 'held' || !hold)
    throw new NothingToDo('nothing_to_release', `This commission is not held: it is ${current}.`, { status: current });
  const messages = {
    manual: 'This commission is held together with the commission that it adjusts. Release that commission.',
    fraud_event: 'This commission is held by a fraud alert. Resolve the fraud alert.',
    dispute: 'This commission is held by a dispute. It is released when the dispute is closed.',
  };
  throw new InvalidState('held_by_other_cause', messages[hold.cause], { cause: hold.cause, causeId: hold.causeId });
}

type Change = { actor: Principal; before: Row; action: 'commission.held' | 'commission.released'; note: string | null };

async function recordStatusChange(tx: Tx, { actor, before, action, note: text }: Change) {
  const { programId } = actor;
  const after = await readCommission(tx, programId, before.id);
  await recordChange(tx, {
    programId,
    actor,
    action,
    subjectId: before.id,
    before: { status: before.status },
    after: { status: after.status, note: text },
  });
  return after;
}
