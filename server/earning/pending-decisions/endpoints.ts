// Deciding claims, fraud alerts and content for bounties in the console, and undoing it within a minute.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { paragraph, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { InvalidState, NothingToDo } from '../../platform/lib/errors.ts';
import { decideOnContent, decisionErrors } from '../bounties/submissions/decide.ts';
import { submissionSlot } from '../bounties/submissions/submission.ts';
import { claimSlot } from '../claims/claim.ts';
import { claimErrors, decide } from '../claims/decide.ts';
import { fraudEventSlot } from '../fraud/fraud-event.ts';
import { fraudErrors, resolve } from '../fraud/resolve.ts';
import { decisionPending, PendingDecision, storeDecision } from './pending.ts';

const shared = {
  scope: 'write',
  isUserOnly: true,
  tag: 'Review',
  description:
    'The decision takes effect a minute later; until then, it can be undone. Errors of the decision itself are returned immediately.',
  statuses: [200],
  result: PendingDecision,
} as const;

const noteField = paragraph(2000).nullable().default(null);

export const decideClaimLater = endpoint({
  id: 'claims.decideLater',
  route: 'POST /app/programs/:programId/claims/:id/decide',
  requires: 'claims.decide',
  summary: 'Accept or reject a claim, with a minute to undo it',
  ...shared,
  path: { id: claimSlot },
  body: z
    .object({ decision: z.enum(['accepted', 'rejected']), note: noteField })
    .meta({ id: 'ClaimDecisionToUndo', example: { decision: 'rejected', note: 'Ordered without your link.' } }),
  errors: [...claimErrors, decisionPending],
  handle: (tx, { actor, params, body }) =>
    storeDecision(tx, actor.programId, { kind: 'claim', subjectId: params.id, ...body, userId: actor.id }, (rehearsal) =>
      decide(rehearsal, actor.programId, { actor, id: params.id, ...body }),
    ),
});

export const resolveFraudEventLater = endpoint({
  id: 'fraudEvents.resolveLater',
  route: 'POST /app/programs/:programId/fraud-events/:id/resolve',
  requires: 'fraud.decide',
  summary: 'Resolve a fraud alert, with a minute to undo it',
  ...shared,
  path: { id: fraudEventSlot },
  body: z
    .object({ resolution: z.enum(['legitimate', 'fraud']), note: noteField })
    .meta({ id: 'FraudResolutionToUndo', example: { resolution: 'legitimate', note: null } }),
  errors: [...fraudErrors, decisionPending],
  handle: (tx, { actor, params, body: { resolution, note } }) =>
    storeDecision(
      tx,
      actor.programId,
      { kind: 'fraud_alert', subjectId: params.id, decision: resolution, note, userId: actor.id },
      (rehearsal) => resolve(rehearsal, actor.programId, { actor, id: params.id, resolution, note }),
    ),
});

export const decideSubmissionLater = endpoint({
  id: 'bountySubmissions.decideLater',
  route: 'POST /app/programs/:programId/bounty-submissions/:id/decide',
  requires: 'claims.decide',
  summary: 'Approve or reject content for a bounty, with a minute to undo it',
  ...shared,
  path: { id: submissionSlot },
  body: z
    .object({ decision: z.enum(['approved', 'rejected']), note: noteField })
    .meta({ id: 'BountySubmissionDecisionToUndo', example: { decision: 'rejected', note: 'Please show the product.' } }),
  errors: [...decisionErrors, decisionPending],
  handle: (tx, { actor, params, body }) =>
    storeDecision(tx, actor.programId, { kind: 'bounty_submission', subjectId: params.id, ...body, userId: actor.id }, (rehearsal) =>
      decideOnContent(rehearsal, actor.programId, { actor, id: params.id, ...body }),
    ),
});

export const undoDecision = endpoint({
  id: 'pendingDecisions.undo',
  route: 'POST /app/programs/:programId/pending-decisions/:id/undo',
  scope: 'write',
  requires: ['claims.decide', 'fraud.decide'],
  isUserOnly: true,
  tag: 'Review',
  summary: 'Undo a decision about a claim, fraud alert or content for a bounty',
  description: 'The item awaits a decision again. Nothing was changed, announced or emailed in between.',
  path: { id: idSlot('pendingDecisions', 'The `id` of the decision.') },
  statuses: [200],
  result: z.object({ id: uuidOut, subjectId: uuidOut, undoneAt: timestampOut }).meta({
    id: 'UndoneDecision',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      subjectId: '01980a5a-7c8d-7e9f-8a0b-1c2d3e4f5a6b',
      undoneAt: '2026-11-20T09:00:12.000Z',
    },
  }),
  errors: [
    { status: 400, code: 'undo_expired', when: 'The decision has taken effect.' },
    { status: 422, code: 'already_undone', when: 'The decision has already been undone.' },
  ],
  async handle(tx, { actor: { programId }, params: { id } }) {
    const decisions = tx.db.selectFrom('pendingDecisions').selectAll().where('programId', '=', programId).where('id', '=', id);
    const { subjectId, outcome, applyAt } = await decisions.forUpdate().executeTakeFirstOrThrow();
    const now = tx.clock.now();
    if (outcome === 'undone') throw new NothingToDo('already_undone', 'This decision has already been undone.');
    if (outcome !== null || applyAt <= now)
      throw new InvalidState('undo_expired', 'This decision can no longer be undone: it has taken effect.');
    await tx.db
      .updateTable('pendingDecisions')
      .set({ outcome: 'undone', endedAt: now })
      .where('programId', '=', programId)
      .where('id', '=', id)
      .execute();
    return { id, subjectId, undoneAt: now.toISOString() };
  },
});
