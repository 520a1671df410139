// An application: what was sent with the join form, once the applicant has confirmed the email address.
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Applications } from '../../platform/db/schema.gen.ts';
import { countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { ApprovalReason } from './settings/auto-approval.ts';
import { QuestionKind } from './settings/question.ts';

export const Answer = z
  .object({
    questionId: z.string(),
    kind: QuestionKind,
    question: z.string().describe('As it was asked.'),
    answer: z.string(),
  })
  .meta({ id: 'ApplicationAnswer' });
export type Answer = z.output<typeof Answer>;

export const Outcome = z.enum(['created', 'updated', 'returned', 'unchanged']).meta({ id: 'ApplicationOutcome' });
export type Outcome = z.output<typeof Outcome>;

const Recruiter = z.object({ id: uuidOut, firstName: z.string(), lastName: z.string() }).meta({
  id: 'ApplicationRecruiter',
  example: { id: '01980a51-5c9f-7d4e-8a72-3c8f2d4e5f60', firstName: 'Grace', lastName: 'Hopper' },
});

export const ApplicationShape = z
  .object({
    id: uuidOut,
    affiliateId: uuidOut,
    outcome: Outcome.describe(
      '`created`: a new affiliate; `updated`: a pending affiliate applied again; `returned`: a rejected or archived affiliate is ' +
        'pending again; `unchanged`: the affiliate is active or suspended, or was rejected less than 30 days before.',
    ),
    email: z.string().describe('Confirmed by the applicant.'),
    firstName: z.string(),
    lastName: z.string(),
    answers: z.array(Answer).describe('Questions without an answer are not listed.'),
    termsVersion: countOut.nullable().describe('The version of the terms that the applicant accepted.'),
    autoApproval: ApprovalReason.nullable().describe('Why the application was approved automatically; null if it was not.'),
    recruiter: Recruiter.nullable().describe('The affiliate whose recruiting link the applicant used; null without one.'),
    createdAt: timestampOut.describe('When the form was sent.'),
    confirmedAt: timestampOut.describe('When the address was confirmed.'),
  })
  .meta({
    id: 'Application',
    example: {
      id: '01980a51-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      outcome: 'created',
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
      answers: [{ questionId: 'website', kind: 'url', question: 'Your website', answer: 'https://ada.example' }],
      termsVersion: 3,
      autoApproval: null,
      recruiter: null,
      createdAt: '2026-11-02T09:10:12.000Z',
      confirmedAt: '2026-11-02T09:12:44.000Z',
    },
  });

type Row = Selectable<Applications> & { recruiter: z.input<typeof Recruiter> | null };

/** The recruiter of the rows of `applications`. */
export function selectRecruiter(programId: string) {
  return sql<Row['recruiter']>`(
    select json_build_object('id', recruiter.id, 'firstName', recruiter.first_name, 'lastName', recruiter.last_name)
    from affiliates as recruiter where recruiter.program_id = ${programId} and recruiter.id = applications.recruiter_id)`.as('recruiter');
}

/** A confirmed application, as it is returned. */
export function toApplication(row: Row): z.input<typeof ApplicationShape> {
  const { id, affiliateId, confirmedAt, email, firstName, lastName, termsVersion } = row;
  if (affiliateId === null || confirmedAt === null) throw new Error('The application is not confirmed.');
  return {
    id,
    affiliateId,
    outcome: Outcome.parse(row.outcome),
    email,
    firstName,
    lastName,
    answers: z.array(Answer).parse(row.answers),
    termsVersion,
    autoApproval: ApprovalReason.nullable().parse(row.autoApproval),
    recruiter: row.recruiter,
    createdAt: row.createdAt.toISOString(),
    confirmedAt: confirmedAt.toISOString(),
  };
}
