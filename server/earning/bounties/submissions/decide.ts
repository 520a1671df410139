// Deciding a submission. The bonus and the email to the affiliate are part of the same transaction.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { sendBountyDecision } from '../../../messaging/emails/kinds/earnings/bounty-decision.ts';
import { recordEvent } from '../../../messaging/events/record.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { paragraph } from '../../../platform/http/declaration/fields.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { InvalidState, NothingToDo } from '../../../platform/lib/errors.ts';
import { type LockedLedger, openLedger } from '../../ledger/post.ts';
import { payBonuses } from '../awarding/award.ts';
import { type BountyRow, lockBounty } from '../bounty.ts';
import { submissionApproved, submissionRejected } from '../events.ts';
import { SubmissionShape, submissionExample, submissionSlot, toSubmission } from './submission.ts';

export const decisionErrors = [
  { status: 400, code: 'submission_decided', when: 'The submission has already been decided differently.' },
  { status: 400, code: 'bounty_budget_spent', when: 'The rest of the budget is less than the reward.' },
  { status: 400, code: 'bounty_archived', when: 'The bounty is archived.' },
  { status: 400, code: 'affiliate_not_active', when: 'The affiliate is not active, so they can’t earn a bonus.' },
  { status: 400, code: 'amount_too_large', when: 'The balance of the affiliate or of the program would be too large to be stored.' },
  { status: 422, code: 'submission_decided', when: 'The submission already has this decision.' },
] as const;

export const decideSubmission = endpoint({
  id: 'bountySubmissions.decide',
  route: 'POST /v1/programs/:programId/bounty-submissions/:id/decide',
  scope: 'write',
  requires: 'claims.decide',
  tag: 'Bounties',
  summary: 'Approve or reject a submission',
  description:
    'Approving a submission pays the bonus of the bounty, even after its last day. After a rejection, the affiliate can submit again. ' +
    'The affiliate is informed by email.',
  path: { id: submissionSlot },
  body: z
    .object({
      decision: z.enum(['approved', 'rejected']),
      note: paragraph(2000).nullable().optional().describe('The affiliate receives it by email and sees it in the portal.'),
    })
    .meta({ id: 'BountySubmissionDecision', example: { decision: 'approved' } }),
  statuses: [200],
  result: SubmissionShape.meta({
    id: 'DecidedBountySubmission',
    example: { ...submissionExample, status: 'approved', decidedAt: '2026-11-06T08:00:00.000Z' },
  }),
  errors: decisionErrors,
  handle: (tx, { actor, params: { id }, body }) => decideOnContent(tx, actor.programId, { actor, id, ...body }),
});

type Decision = { id: string; decision: 'approved' | 'rejected'; note?: string | null | undefined; actor: Actor };

/** Decides an open submission and emails the affiliate. Throws if it has been decided, or its bonus can't be paid. */
export async function decideOnContent(
  tx: Tx,
  programId: string,
  { id, decision, note = null, actor }: Decision,
): Promise<z.input<typeof SubmissionShape>> {
  const ledger = await openLedger(tx, programId);
  const submissions = tx.db.selectFrom('bountySubmissions').selectAll().where('programId', '=', programId).where('id', '=', id);
  const submission = await submissions.forNoKeyUpdate().executeTakeFirstOrThrow();
  const { status, bountyId, affiliateId } = submission;
  if (status === decision) throw new NothingToDo('submission_decided', `This submission is already ${status}.`);
  if (status !== 'open') throw new InvalidState('submission_decided', `This submission is already ${status}; a decision is final.`);
  const bounty = await lockBounty(tx, programId, bountyId);
  if (decision === 'approved') await pay(tx, ledger, { bounty, affiliateId, actor });
  const row = await tx.db
    .updateTable('bountySubmissions')
    .set({ status: decision, decisionNote: note, decidedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const decided = toSubmission(row);
  const after = { bountyId, affiliateId, note };
  const changeId = await recordChange(tx, { programId, actor, action: `bounty_submission.${decision}`, subjectId: id, after });
  const event = decision === 'approved' ? submissionApproved : submissionRejected;
  await recordEvent(tx, { programId, actor }, event.of({ objectId: id, affiliateId, data: decided, previous: { status } }));
  const { name: bountyName, rewardCents } = bounty;
  await sendBountyDecision(tx, { programId, changeId, affiliateId, decision, note, bountyName, rewardCents, currency: ledger.currency });
  return decided;
}

type Paying = { bounty: BountyRow; affiliateId: string; actor: Actor };

async function pay(tx: Tx, ledger: LockedLedger, { bounty, affiliateId, actor }: Paying): Promise<void> {
  const { programId } = ledger;
  requireBudget(bounty);
  const affiliates = tx.db.selectFrom('affiliates').select('status').where('programId', '=', programId).where('id', '=', affiliateId);
  const { status } = await affiliates.executeTakeFirstOrThrow();
  if (status !== 'active') throw new InvalidState('affiliate_not_active', 'This affiliate is not active, so they can’t earn a bonus.');
  await payBonuses(tx, ledger, bounty, { affiliateIds: [affiliateId], actor });
}

function requireBudget({ status, budgetCents, spentCents, rewardCents }: BountyRow): void {
  if (status !== 'active') throw new InvalidState('bounty_archived', 'This bounty is archived. Restore it to approve submissions.');
  if (budgetCents !== null && spentCents + rewardCents > budgetCents)
    throw new InvalidState(
      'bounty_budget_spent',
      'The rest of the budget is less than the reward. Raise the budget to approve submissions.',
    );
}
