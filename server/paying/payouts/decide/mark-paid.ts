// What a person decides about one payout: it is paid, or it must not be. For rails of people (manual, CSV) that is
// the ordinary way; for the others it ends what the rail can't tell any more.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { openLedger } from '../../../earning/ledger/post.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint, type Principal } from '../../../platform/http/declaration/endpoint.ts';
import { line } from '../../../platform/http/declaration/fields.ts';
import { Invalid, InvalidState, NothingToDo, Unavailable } from '../../../platform/lib/errors.ts';
import { readBatch } from '../batch.ts';
import { type Change, changeItems, mayBecome } from '../change.ts';
import { type Item, lockItems, PayoutShape, payoutSlot, readPayout, shownStatus } from '../payout.ts';

export const markPaid = endpoint({
  id: 'payouts.markPaid',
  route: 'POST /v1/programs/:programId/payouts/:id/mark-paid',
  scope: 'write',
  tag: 'Payouts',
  summary: 'Mark a payout as paid',
  description: 'For payouts that are paid manually or from a file, and for payouts whose outcome is unknown. It is never sent after that.',
  path: { id: payoutSlot },
  body: z
    .object({ reference: line(100).optional().describe('The bank’s name for it.') })
    .meta({ id: 'MarkPaid', example: { reference: 'SEPA 2026-03-31' } }),
  statuses: [200],
  result: PayoutShape,
  errors: [
    { status: 400, code: 'awaiting_approval', when: 'The batch is awaiting approval.' },
    { status: 422, code: 'payout_not_open', when: 'The payout is already paid, failed or returned.' },
  ],
  handle: (tx, { actor, params, body }) =>
    decide(tx, actor, params.id, { action: 'marked_paid', toChange: (item) => ({ item, to: 'paid', reference: body.reference }) }),
});

export const cancelPayout = endpoint({
  id: 'payouts.cancel',
  route: 'POST /v1/programs/:programId/payouts/:id/cancel',
  scope: 'write',
  tag: 'Payouts',
  summary: 'Cancel a payout',
  description:
    'What it was made of is owed again and goes into the next batch. A payout that may have left already (`sent`, ' +
    '`reconcile_required`) is cancelled only with `confirmNotPaid: true`, after a look at the rail.',
  path: { id: payoutSlot },
  body: z
    .object({
      reason: line(200).optional(),
      confirmNotPaid: z.boolean().default(false).describe('You looked: this payout was not paid, and won’t be.'),
    })
    .meta({ id: 'CancelPayout', example: { reason: 'Wrong bank account' } }),
  statuses: [200],
  result: PayoutShape,
  errors: [{ status: 422, code: 'payout_not_open', when: 'The payout can no longer be cancelled.' }],
  handle: (tx, { actor, params, body }) =>
    decide(tx, actor, params.id, {
      action: 'cancelled',
      toChange(item) {
        const mayHaveLeft = item.status === 'sent' || item.status === 'unknown';
        if (mayHaveLeft && !body.confirmNotPaid) {
          throw new Invalid([{ path: ['confirmNotPaid'], message: 'must be true: this payout may have been paid' }]);
        }
        return { item, to: 'cancelled', code: 'cancelled', reason: body.reason ?? 'cancelled' };
      },
    }),
});

type Decision = { action: 'marked_paid' | 'cancelled'; toChange(item: Item): Change };

async function decide(tx: Tx, actor: Principal, id: string, { action, toChange }: Decision) {
  const { programId } = actor;
  const ledger = await openLedger(tx, programId);
  const [item] = await lockItems(tx, programId, [id]);
  if (!item) throw new Error('A payout that was found is gone.');
  if (action === 'marked_paid') await requireApproval(tx, item);
  const isFinal = ['paid', 'failed', 'cancelled', 'returned'].includes(item.status);
  if (item.status === 'sending') throw new Unavailable('the payout is being sent right now', 5);
  const change = isFinal ? null : toChange(item);
  if (!change || !mayBecome(item, change.to)) {
    throw new NothingToDo('payout_not_open', `This payout is already ${shownStatus(item.status)}.`, {
      status: shownStatus(item.status),
    });
  }
  await changeItems(tx, ledger, [change], `api_key:${actor.id}`);
  const statuses = { before: { status: item.status }, after: { status: change.to, reason: change.reason ?? null } };
  await recordChange(tx, { programId, actor, action: `payout.${action}`, subjectId: id, ...statuses });
  return readPayout(tx, programId, id);
}

async function requireApproval(tx: Tx, { programId, batchId }: Item): Promise<void> {
  const { status } = await readBatch(tx, programId, batchId);
  if (status === 'awaiting_approval') throw new InvalidState('awaiting_approval', 'The batch of this payout is awaiting approval.');
}
