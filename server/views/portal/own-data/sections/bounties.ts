// What the affiliate submitted for bounties. The bonuses are commissions.
import { sql } from 'kysely';
import { z } from 'zod';
import { timestampOut } from '../../../../platform/http/declaration/fields.ts';
import { createdAfter, type Dated, section } from '../section.ts';

const at = '2026-11-02T09:12:44.000Z';

export const bountySubmissions = section<Dated>({
  name: 'bountySubmissions',
  meaning: 'Content that the affiliate submitted for bounties.',
  tables: ['bounty_submissions'],
  row: z.object({
    bounty: z.string().describe('The name of the bounty.'),
    url: z.string(),
    status: z.string(),
    note: z.string().nullable(),
    decisionNote: z.string().nullable().describe('The reason for the decision.'),
    createdAt: timestampOut,
    decidedAt: timestampOut.nullable(),
  }),
  example: {
    bounty: 'Video review',
    url: 'https://video.example.com/watch/frost',
    status: 'open',
    note: null,
    decisionNote: null,
    createdAt: at,
    decidedAt: null,
  },
  select: ({ programId, affiliateId }, last) => sql`
    select submission.id, bounty.name as bounty, submission.url, submission.status, submission.note, submission.decision_note,
      submission.created_at, submission.decided_at
    from bounty_submissions as submission
    join bounties as bounty on bounty.program_id = ${programId} and bounty.id = submission.bounty_id
    where submission.program_id = ${programId} and submission.affiliate_id = ${affiliateId} and ${createdAfter('submission', last)}
    order by submission.created_at, submission.id`,
});
