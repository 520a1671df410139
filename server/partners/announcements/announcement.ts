// An announcement: an email that members of a program write to its affiliates, in one language or both. Until it is sent it can
// be changed. Each affiliate gets it at most once.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { toVersion, versionExample, versionOut } from '../../accounts/programs/version.ts';
import type { Context, Tx } from '../../context.ts';
import { checkText, EmailTextFields } from '../../messaging/emails/editing/fields.ts';
import type { EmailText } from '../../messaging/emails/editing/stored-texts.ts';
import { announcementText } from '../../messaging/emails/kinds/affiliates/announcement.ts';
import { type Locale, locales } from '../../messaging/emails/look/look.ts';
import type { Announcements } from '../../platform/db/schema.gen.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { Invalid, InvalidState } from '../../platform/lib/errors.ts';
import { Audience, AudienceShown, audienceExample } from './audience.ts';
import { AnnouncementResults, noResults, type Results } from './results.ts';

export const AnnouncementStatus = z.enum(['draft', 'scheduled', 'sending', 'sent', 'cancelled']).meta({ id: 'AnnouncementStatus' });

const textExample = { subject: 'New at {program}', heading: 'Hello {firstName}', body: 'The spring collection starts on Monday.' };
const Text = z.object(EmailTextFields).meta({ id: 'AnnouncementText', example: textExample });

const TextOut = z
  .object({
    subject: z.string(),
    heading: z.string().describe('The first line of the email.'),
    body: z.string().describe('Each line is a paragraph.'),
  })
  .nullable()
  .meta({ id: 'AnnouncementTextShown', example: textExample });

const texts = z
  .object({ en: Text.nullable().default(null).describe('In English.'), de: Text.nullable().default(null).describe('In German.') })
  .meta({ id: 'AnnouncementTexts', example: { en: textExample } })
  .refine(({ en, de }) => en !== null || de !== null, { error: 'must have a text in at least one language' })
  .describe('Each affiliate gets the text in their language, or the other one if there is only one.');

export type Texts = Record<Locale, EmailText | null>;

export const announcementFields = { texts, audience: Audience.describe('The recipients; by default all active affiliates.') };

export const AnnouncementShape = z
  .object({
    id: uuidOut,
    status: AnnouncementStatus.describe(
      '`sending`: its emails are being written; `sent`: all are written; `cancelled`: stopped before all were written.',
    ),
    texts: z.object({ en: TextOut.describe('In English.'), de: TextOut.describe('In German.') }).describe('The text in each language.'),
    audience: AudienceShown.describe('The recipients.'),
    sendAt: timestampOut.nullable().describe('When it is or was to be sent; null if that is not scheduled.'),
    startedAt: timestampOut.nullable().describe('When it was started: from then on it can’t be changed.'),
    finishedAt: timestampOut.nullable(),
    results: AnnouncementResults,
    version: versionOut,
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({
    id: 'Announcement',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      status: 'sent',
      texts: { en: textExample, de: null },
      audience: audienceExample,
      sendAt: '2026-11-20T09:00:00.000Z',
      startedAt: '2026-11-20T09:00:00.000Z',
      finishedAt: '2026-11-20T09:00:20.000Z',
      results: { ...noResults, sent: 210, optedOut: 4, failed: 1 },
      version: versionExample,
      createdAt: '2026-11-19T09:00:00.000Z',
      updatedAt: '2026-11-20T09:00:20.000Z',
    },
  });

export const announcementSlot = idSlot('announcements', 'The id of the announcement.');

export const alreadySent = {
  status: 400,
  code: 'announcement_already_sent',
  when: 'The announcement was sent or cancelled, or is being sent.',
} as const;

export type Announcement = Selectable<Announcements>;

/** Locks an announcement. Throws when it does not exist; the path was checked before. */
export function lockAnnouncement(tx: Tx, programId: string, id: string): Promise<Announcement> {
  const announcements = tx.db.selectFrom('announcements').selectAll().where('programId', '=', programId).where('id', '=', id);
  return announcements.forUpdate().executeTakeFirstOrThrow();
}

/** Locks an announcement that has not been started. */
export async function lockUnsent(tx: Tx, programId: string, id: string): Promise<Announcement> {
  const announcement = await lockAnnouncement(tx, programId, id);
  if (announcement.startedAt !== null) throw new InvalidState(alreadySent.code, 'This announcement can no longer be changed.');
  return announcement;
}

type Change = { status?: string; sendAt?: Date | null; auditId?: string; startedAt?: Date; finishedAt?: Date; writtenTo?: string };

/** Stores changed fields and returns the row. */
export function storeChange(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { programId, id }: Pick<Announcement, 'programId' | 'id'>,
  change: Change,
): Promise<Announcement> {
  const announcements = db.updateTable('announcements').set({ ...change, updatedAt: clock.now() });
  return announcements.where('programId', '=', programId).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

/** Throws Invalid for a placeholder that announcements don't have. */
export function checkTexts(given: Texts): void {
  const faults = locales.flatMap((locale) => {
    const text = given[locale];
    return text === null ? [] : checkText(announcementText, text).map((fault) => ({ ...fault, path: ['texts', locale, ...fault.path] }));
  });
  if (faults.length > 0) throw new Invalid(faults);
}

/** The fields that members edit. */
export function contentsOf({ texts: stored, statuses, groupIds, locale }: Announcement) {
  return { texts: texts.parse(stored), audience: Audience.parse({ statuses, groupIds, locale }) };
}

export const versionOf = (announcement: Announcement): string => toVersion(contentsOf(announcement));

export function toAnnouncement(row: Announcement, results: Results): z.input<typeof AnnouncementShape> {
  return {
    ...contentsOf(row),
    id: row.id,
    status: AnnouncementStatus.parse(row.status),
    sendAt: row.sendAt?.toISOString() ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    results,
    version: versionOf(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
