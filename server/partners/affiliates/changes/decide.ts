// Deciding about one affiliate in the console: approve, reject, suspend or archive. The email follows after a minute, in
// which the decision can be undone.
import { z } from 'zod';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, paragraph, timestampOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { AffiliateStatus, affiliateSlot } from '../affiliate.ts';
import { applyChange } from '../change-affiliate.ts';
import { storeChangeSet, undoChangeSet, undoTime } from './change-set.ts';

/** The status that each decision sets. */
export const decidedStatus = { approve: 'active', reject: 'rejected', suspend: 'suspended', archive: 'archived' } as const;
export const DecisionKind = z.enum(['approve', 'reject', 'suspend', 'archive']);

export const noteField = paragraph(1000).nullable().describe('The reason. It is part of the email about a rejection or suspension.');
export const notifyField = z.boolean().describe('Whether a rejected or suspended affiliate is informed by email.');

const Decision = z
  .object({
    decision: DecisionKind,
    note: noteField.optional(),
    sendEmail: notifyField.default(true),
    groupId: uuid.nullable().optional().describe('Moves the affiliate to this group with the same change.'),
  })
  .meta({ id: 'AffiliateDecision', example: { decision: 'reject', note: 'The website is about another subject.' } });

export const decideAffiliate = endpoint({
  id: 'affiliates.decide',
  route: 'POST /app/programs/:programId/affiliates/:id/decide',
  scope: 'write',
  requires: 'affiliates.write',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'Approve, reject, suspend or archive an affiliate',
  description: 'The email about the decision is sent a minute later. Until then, the decision can be undone.',
  path: { id: affiliateSlot },
  body: Decision,
  statuses: [200],
  result: z.object({ id: uuidOut, status: AffiliateStatus, changeSetId: uuidOut, undoUntil: timestampOut }).meta({
    id: 'AffiliateDecisionResult',
    example: {
      id: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      status: 'active',
      changeSetId: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      undoUntil: '2026-11-20T09:01:00.000Z',
    },
  }),
  errors: [
    { status: 400, code: 'nothing_to_change', when: 'The affiliate already has this status.' },
    { status: 404, code: 'not_found', when: '`groupId` was not found in this program.' },
  ],
  async handle(tx, { actor, params: { id }, body: { decision, note, sendEmail, groupId } }) {
    const undoUntil = undoTime(tx);
    const change = { id, status: decidedStatus[decision], groupId };
    const applied = await applyChange(tx, actor, change, { note, notifies: sendEmail, undoUntil });
    const status = AffiliateStatus.parse(applied.after.status);
    if (applied.changeId === null) throw new InvalidState('nothing_to_change', `This affiliate is already ${status}.`);
    return { id, status, changeSetId: await storeChangeSet(tx, actor, [applied], undoUntil), undoUntil: undoUntil.toISOString() };
  },
});

export const undoAffiliateChanges = endpoint({
  id: 'affiliateChangeSets.undo',
  route: 'POST /app/programs/:programId/affiliate-change-sets/:id/undo',
  scope: 'write',
  requires: 'affiliates.write',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'Undo a decision or a change to several affiliates',
  description: 'Restores the earlier values and cancels the emails. Affiliates that were changed again are skipped.',
  path: { id: idSlot('affiliateChangeSets', 'The `changeSetId` of the change.') },
  statuses: [200],
  result: z
    .object({ restored: countOut, skipped: countOut.describe('Affiliates that were changed again in the meantime.') })
    .meta({ id: 'UndoneChanges', example: { restored: 1, skipped: 0 } }),
  errors: [
    { status: 400, code: 'undo_expired', when: 'The change can no longer be undone: its emails were sent.' },
    { status: 422, code: 'already_undone', when: 'The change has already been undone.' },
  ],
  handle: (tx, { actor, params: { id } }) => undoChangeSet(tx, actor, id),
});
