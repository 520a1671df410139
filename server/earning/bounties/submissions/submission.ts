// A submission: content that an affiliate made for a bounty, which a person approves or rejects.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { AffiliateReference } from '../../../partners/affiliates/reference.ts';
import type { BountySubmissions } from '../../../platform/db/schema.gen.ts';
import { paragraph, timestampOut, uuidOut, webAddress } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { bountyExample } from '../bounty.ts';

export const SubmissionStatus = z.enum(['open', 'approved', 'rejected']).meta({ id: 'BountySubmissionStatus' });

export const submissionExample = {
  id: '01980a5b-2e3f-7a4b-9c5d-6e7f8091a2b3',
  bountyId: bountyExample.id,
  affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
  url: 'https://video.example.com/watch/frost',
  note: 'The part about the sunscreen starts at 2:10.',
  status: 'open' as const,
  decisionNote: null,
  createdAt: '2026-11-05T08:00:00.000Z',
  decidedAt: null,
};

export const SubmissionShape = z
  .object({
    id: uuidOut,
    bountyId: uuidOut,
    affiliateId: uuidOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    url: z.string().describe('Where the content is.'),
    note: z.string().nullable().describe('What the affiliate wrote about it.'),
    status: SubmissionStatus,
    decisionNote: z.string().nullable().describe('What the affiliate reads about the decision.'),
    createdAt: timestampOut,
    decidedAt: timestampOut.nullable(),
  })
  .meta({ id: 'BountySubmission', example: submissionExample });

/** What an affiliate submits. */
export const submissionFields = {
  url: webAddress.describe('Where the content is.'),
  note: paragraph(2000).nullable().optional().describe('What the reviewer should know about it.'),
};

export const submissionSlot = idSlot('bountySubmissions', 'The id of the submission.');

export function toSubmission(row: Selectable<BountySubmissions>): z.input<typeof SubmissionShape> {
  return {
    ...row,
    status: SubmissionStatus.parse(row.status),
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  };
}
