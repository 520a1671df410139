// The mailbox of a program: every email with its delivery, and what it looks like. Links that sign a person in are hidden.

import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import { readBrand } from '../../accounts/programs/brand/brand.ts';
import { containsWordsUnfolded, searchField } from '../../accounts/programs/search.ts';
import type { Emails } from '../../platform/db/schema.gen.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { emailKindNames } from './kinds/table.ts';
import { previewHeaders } from './previews/policy.ts';
import { hasPrivateLink } from './private-link.ts';
import { showsLinks } from './shows-links.ts';

const EmailKind = z.enum(emailKindNames);
const EmailStatus = z.enum(['queued', 'sent', 'stored', 'failed', 'unconfirmed', 'cancelled', 'suppressed']);

const example = {
  id: '01980c02-9a8b-7c6d-8e5f-4a3b2c1d0e9f',
  kind: 'approval' as const,
  to: 'ada@example.com',
  subject: 'Welcome to the affiliate program of Fern & Field',
  status: 'sent' as const,
  lastError: null,
  affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
  hasHiddenLink: false,
  createdAt: '2026-11-20T09:00:00.000Z',
  sentAt: '2026-11-20T09:00:01.000Z',
};

export const EmailShape = z
  .object({
    id: uuidOut,
    kind: EmailKind,
    to: z.string().describe('The address of the recipient.'),
    subject: z.string(),
    status: EmailStatus.describe(
      '`queued`: waiting to be sent; `stored`: no mail server is configured; `failed`: rejected at every attempt; `unconfirmed`: may have arrived; `suppressed`: ' +
        'the address opted out, or does not accept emails.',
    ),
    lastError: z.string().nullable().describe('What the mail server answered to the last attempt.'),
    affiliateId: uuidOut.nullable(),
    hasHiddenLink: z.boolean().describe('The email that was sent contains a link that signs its recipient in; it is not stored.'),
    createdAt: timestampOut,
    sentAt: timestampOut.nullable(),
  })
  .meta({ id: 'Email', example });

const FullEmail = EmailShape.extend({
  text: z.string(),
  html: z.string(),
  canShowLink: z.boolean().describe('The hidden link can be shown to an owner: test mode, and no mail server.'),
}).meta({
  id: 'FullEmail',
  example: { ...example, text: 'Fern & Field\n\nWelcome', html: '<!doctype html><p>Welcome</p>', canShowLink: false },
});

const emailSlot = idSlot('emails', 'The email.');
const columns = ['id', 'kind', 'toAddress', 'subject', 'status', 'lastError', 'affiliateId', 'createdAt', 'sentAt'] as const;

export const listEmails = endpoint({
  id: 'emails.list',
  route: 'GET /app/programs/:programId/emails',
  scope: 'read',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Emails',
  summary: 'List emails',
  query: z.object({
    status: oneOf(EmailStatus),
    kind: oneOf(EmailKind),
    search: searchField('Matches part of the address or subject'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt'),
  }),
  statuses: [200],
  result: cursorListOf('emails', EmailShape, 'EmailList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, kind, search, createdFrom, createdTo, limit, offset } = query;
    let emails = ctx.db.selectFrom('emails').where('programId', '=', programId);
    if (status) emails = emails.where('status', 'in', status);
    if (kind) emails = emails.where('kind', 'in', kind);
    if (search) emails = emails.where(containsWordsUnfolded(sql`(to_address || ' ' || subject)`, search));
    emails = emails.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(emails, query, (found) => found.select(columns));
    return { emails: rows.map(toEmail), total, limit, offset, nextCursor };
  },
});

export const getEmail = endpoint({
  id: 'emails.get',
  route: 'GET /app/programs/:programId/emails/:id',
  scope: 'read',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Emails',
  summary: 'Get an email with its text and HTML',
  path: { id: emailSlot },
  statuses: [200],
  result: FullEmail,
  async handle(ctx, { actor: { programId }, params: { id } }) {
    const { textBody, htmlBody, ...row } = await ctx.db
      .selectFrom('emails')
      .select([...columns, 'textBody', 'htmlBody'])
      .where('programId', '=', programId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const email = toEmail(row);
    const canShowLink = email.hasHiddenLink && (await showsLinks(ctx, programId));
    return { ...email, text: textBody, html: htmlBody, canShowLink };
  },
});

export const previewEmail = endpoint({
  id: 'emails.preview',
  route: 'GET /app/programs/:programId/emails/:id/preview',
  scope: 'read',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Emails',
  summary: 'Show an email as a page',
  description: 'For a frame in the console: the page runs no script and loads nothing but the logo.',
  path: { id: emailSlot },
  statuses: [200],
  result: FullEmail,
  media: ['text/html'],
  async handle(ctx, { actor: { programId }, params: { id } }) {
    const emails = ctx.db.selectFrom('emails').select('htmlBody').where('programId', '=', programId).where('id', '=', id);
    const { htmlBody } = await emails.executeTakeFirstOrThrow();
    const { logoUrl } = await readBrand(ctx, programId);
    return new Document('text/html; charset=utf-8', htmlBody, undefined, previewHeaders(logoUrl));
  },
});

type Row = Pick<Selectable<Emails>, (typeof columns)[number]>;

export function toEmail({ kind, status, toAddress, createdAt, sentAt, ...row }: Row): z.input<typeof EmailShape> {
  return {
    ...row,
    kind: EmailKind.parse(kind),
    status: EmailStatus.parse(status),
    to: toAddress,
    hasHiddenLink: hasPrivateLink({ kind }),
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
  };
}
