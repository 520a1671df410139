import type { Tx } from '../../../context.ts';
import { openLedger } from '../../../earning/ledger/post.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { Principal } from '../../../platform/http/declaration/endpoint.ts';
import { InvalidState, NothingToDo, Unavailable } from '../../../platform/lib/errors.ts';
import { readBatch } from '../batches/batch.ts';
import { type Change, canBecome, changePayouts } from '../change-payouts.ts';
import { getPayout, isOpen, lockPayouts, type Payout, type PayoutStatus, toPayout, toPayoutStatus } from '../payout.ts';

type End = { to: 'paid' | 'cancelled'; toChange(payout: Payout): Change };

/**
 * Ends one payout by the decision of a person. An open one can be paid or cancelled; one that was cancelled or failed can
 * turn out to be paid. Returns its row before and the payout after.
 */
export async function endPayout(tx: Tx, actor: Principal, id: string, { to, toChange }: End) {
  const { programId } = actor;
  const ledger = await openLedger(tx, programId);
  const [payout] = await lockPayouts(tx, programId, [id]);
  if (!payout) throw new Error('The payout in the path does not exist.');
  const status = toPayoutStatus(payout.status);
  if (payout.status === to) throw new NothingToDo('payout_not_open', `This payout is already ${status}.`, { status });
  if (!canBecome(payout, to) && !isOpen(payout.status)) throw new InvalidState('payout_ended', explainEnd(status, to), { status });
  if (to === 'paid') await requireApproval(tx, payout);
  if (payout.status === 'sending') throw new Unavailable('This payout is being sent. Try again in a few seconds.', 5);
  const change = toChange(payout);
  if (!canBecome(payout, to)) throw new Error(`A payout that is ${payout.status} can't become ${to}.`);
  await changePayouts(tx, ledger, [change], actor);
  if (to === 'cancelled') {
    const after = { status: to, note: change.note ?? null };
    await recordChange(tx, { programId, actor, action: 'payout.cancelled', subjectId: id, before: { status: payout.status }, after });
  }
  return { before: payout, payout: toPayout(await getPayout(tx, programId, id)) };
}

function explainEnd(status: PayoutStatus, to: End['to']): string {
  if (to === 'paid') return `This payout was ${status}: retry it to pay the affiliate again.`;
  return `This payout is ${status}; only open payouts can be cancelled.`;
}

async function requireApproval(tx: Tx, { programId, batchId }: Payout): Promise<void> {
  const { status } = await readBatch(tx, programId, batchId);
  if (status === 'awaiting_approval') throw new InvalidState('awaiting_approval', 'The batch of this payout is awaiting approval.');
}
