// Inviting several affiliates by their addresses. A dry run says what would happen to each, and previews the email.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { renderInvitation } from '../../../messaging/emails/kinds/affiliates/invitation.ts';
import { loadFrame } from '../../../messaging/emails/look/look.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, paragraph, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { checkRows, type SentRow } from './check-rows.ts';
import { type InvitedRow, inviteRows } from './invite-rows.ts';

/** Fields of people are validated row by row, so that one of them doesn't reject the others. */
const Person = z.object({
  email: z.string().max(1000),
  firstName: z.string().max(1000),
  lastName: z.string().max(1000).default('').describe('Empty for people without one.'),
});

const Body = z
  .object({
    affiliates: z.array(Person).min(1).max(200).describe('The affiliates to invite.'),
    groupId: uuid.nullable().optional(),
    parentAffiliateId: uuid.nullable().optional(),
    autoApprove: z.boolean().default(false).describe('The affiliates are `active` immediately.'),
    sendInvite: z.boolean().default(true).describe('Emails the invitations.'),
    message: paragraph(2000).nullable().optional().describe('A personal message, above the text of the invitation.'),
    dryRun: z.boolean().default(false),
  })
  .meta({
    id: 'AffiliateInvitations',
    example: { affiliates: [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }], message: 'We met in Berlin.' },
  });

const Row = z
  .object({
    line: countOut.describe('The place in `affiliates`, from 1.'),
    email: z.string(),
    id: uuidOut.nullable().describe('The new affiliate.'),
    outcome: z.enum(['invited', 'existed', 'rejected']).describe('In a dry run, what would happen.'),
    reason: z.string().nullable().describe('Why the row was rejected, for people; null if it was not.'),
    details: z.array(z.object({ path: z.array(z.string()), message: z.string() })).describe('What is wrong with a rejected row, by field.'),
  })
  .meta({ id: 'InvitationOutcome' });

export const inviteAffiliates = endpoint({
  id: 'affiliates.inviteMany',
  route: 'POST /app/programs/:programId/affiliates/invite',
  scope: 'write',
  requires: 'affiliates.write',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'Invite several affiliates',
  description: 'Each address has its own outcome: one that exists already or is invalid does not stop the others.',
  body: Body,
  statuses: [200],
  result: z
    .object({
      invited: countOut.describe('How many affiliates were invited.'),
      existed: countOut,
      rejected: countOut.describe('How many rows are invalid.'),
      rows: z.array(Row).describe('One result per affiliate of the request.'),
      email: z.object({ subject: z.string(), text: z.string(), html: z.string() }).nullable().describe('A preview; only in a dry run.'),
    })
    .meta({
      id: 'InvitationsResult',
      example: {
        invited: 1,
        existed: 0,
        rejected: 0,
        rows: [
          { line: 1, email: 'ada@example.com', id: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', outcome: 'invited', reason: null, details: [] },
        ],
        email: null,
      },
    }),
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const { affiliates, groupId, parentAffiliateId, autoApprove, sendInvite, message } = body;
    const shared = { groupId: groupId ?? undefined, parentAffiliateId: parentAffiliateId ?? undefined, autoApprove, sendInvite };
    const rows = affiliates.map((person, index): SentRow => ({ line: index + 1, given: { ...shared, ...person } }));
    const outcomes = body.dryRun ? await preview(tx, programId, rows) : await inviteRows(tx, { programId, actor, message }, rows);
    const countOf = (outcome: string) => outcomes.filter((row) => row.outcome === outcome).length;
    return {
      invited: countOf('invited'),
      existed: countOf('existed'),
      rejected: countOf('rejected'),
      rows: outcomes,
      email: body.dryRun ? await previewEmail(tx, programId, body) : null,
    };
  },
});

async function preview(tx: Tx, programId: string, rows: readonly SentRow[]): Promise<InvitedRow[]> {
  const checked = await checkRows(tx, programId, rows);
  return checked.map((row) => {
    const { line, email } = row;
    if (row.outcome === 'rejected') return { line, email, id: null, outcome: row.outcome, reason: row.reason, details: row.details };
    return { line, email, id: null, outcome: row.outcome === 'valid' ? 'invited' : 'existed', reason: null, details: [] };
  });
}

/** The referral code is assigned when the affiliate is created. */
const exampleCode = 'K7QM3XWP';

async function previewEmail(tx: Tx, programId: string, { affiliates, message }: z.output<typeof Body>) {
  const [first] = affiliates;
  const affiliate = { id: '', email: first?.email ?? '', firstName: first?.firstName ?? '', referralCode: exampleCode };
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId: null });
  return renderInvitation(frame, sender, { affiliate, message });
}
