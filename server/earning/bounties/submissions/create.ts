// Submitting content for a bounty; affiliates do it themselves in the portal.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Tx } from '../../../context.ts';
import { recordEvent } from '../../../messaging/events/record.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { requireRow } from '../../../platform/db/require-row.ts';
import type { BountySubmissions } from '../../../platform/db/schema.gen.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../../platform/http/declaration/fields.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';
import { lockBounty } from '../bounty.ts';
import { submissionCreated } from '../events.ts';
import { SubmissionShape, submissionExample, submissionFields, toSubmission } from './submission.ts';

export const submissionErrors = [
  { status: 400, code: 'bounty_closed', when: 'The bounty is not for content, has not started, has ended or is archived.' },
  { status: 409, code: 'submission_exists', when: 'A submission of the affiliate for this bounty is open or was approved.' },
] as const;

export const createSubmission = endpoint({
  id: 'bountySubmissions.create',
  route: 'POST /v1/programs/:programId/bounty-submissions',
  scope: 'write',
  requires: 'claims.decide',
  tag: 'Bounties',
  summary: 'Submit content for an affiliate',
  description: 'For bounties whose `milestone` is `content`. After a rejection, content can be submitted again.',
  body: z.object({ bountyId: uuid, affiliateId: uuid, ...submissionFields }).meta({
    id: 'NewBountySubmission',
    example: { bountyId: submissionExample.bountyId, affiliateId: submissionExample.affiliateId, url: submissionExample.url },
  }),
  statuses: [201],
  result: SubmissionShape,
  errors: [{ status: 404, code: 'not_found', when: '`bountyId` or `affiliateId` was not found in this program.' }, ...submissionErrors],
  async handle(tx, { actor, body: { note = null, ...given } }) {
    const { programId } = actor;
    await requireRow(tx, { table: 'bounties', programId, id: given.bountyId, field: 'bountyId' });
    await requireRow(tx, { table: 'affiliates', programId, id: given.affiliateId, field: 'affiliateId' });
    return toSubmission(await insertSubmission(tx, actor, { ...given, note }));
  },
});

type NewSubmission = { bountyId: string; affiliateId: string; url: string; note: string | null };

/** Records a submission. A second one that is not rejected violates a constraint (409). */
export async function insertSubmission(
  tx: Tx,
  actor: Actor & { programId: string },
  { bountyId, affiliateId, url, note }: NewSubmission,
): Promise<Selectable<BountySubmissions>> {
  const { programId } = actor;
  const bounty = await lockBounty(tx, programId, bountyId);
  const today = localDate(tx.clock.now(), (await getProgram(tx, programId)).timezone);
  const isRunning = bounty.startsOn <= today && (bounty.endsOn === null || today <= bounty.endsOn);
  if (bounty.milestone !== 'content' || bounty.status !== 'active' || !isRunning)
    throw new InvalidState('bounty_closed', 'This bounty does not accept submissions now.');
  const row = await tx.db
    .insertInto('bountySubmissions')
    .values({ programId, id: tx.ids.uuid(), bountyId, affiliateId, url, note, status: 'open', createdAt: tx.clock.now() })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(tx, {
    programId,
    actor,
    action: 'bounty_submission.created',
    subjectId: row.id,
    after: { bountyId, affiliateId, url },
  });
  await recordEvent(tx, { programId, actor }, submissionCreated.of({ objectId: row.id, affiliateId, data: toSubmission(row) }));
  return row;
}
