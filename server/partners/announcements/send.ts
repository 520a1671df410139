// Sends an announcement: immediately, or at a time. Its emails are written by a job (write-emails.ts).
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, timestampIn } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { Invalid, InvalidState } from '../../platform/lib/errors.ts';
import {
  type Announcement,
  AnnouncementShape,
  alreadySent,
  announcementSlot,
  contentsOf,
  lockUnsent,
  storeChange,
  toAnnouncement,
} from './announcement.ts';
import { countAudience } from './audience.ts';
import { noResults } from './results.ts';
import { writeEmailsJob } from './write-emails.ts';

const maxAheadMs = 366 * 86_400_000;

export const sendAnnouncementNow = endpoint({
  id: 'announcements.send',
  route: 'POST /app/programs/:programId/announcements/:id/send',
  scope: 'write',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Announcements',
  summary: 'Send or schedule an announcement',
  description:
    'To the affiliates who match when it is sent, except those who opted out. An announcement that is scheduled can be changed, ' +
    'scheduled for another time, or sent.',
  path: { id: announcementSlot },
  body: z
    .object({
      sendAt: timestampIn.nullable().default(null).describe('When to send it, within a year; null sends it now.'),
      expectedRecipients: z.int().min(0).optional().describe('The number of recipients that the user saw, without those who opted out.'),
    })
    .meta({ id: 'AnnouncementSending', example: { sendAt: '2026-12-01T09:00:00Z' } }),
  statuses: [200],
  result: AnnouncementShape,
  errors: [
    alreadySent,
    {
      status: 400,
      code: 'count_changed',
      when: 'Another number of affiliates matches than `expectedRecipients`.',
      facts: z.object({ count: countOut.describe('The number of affiliates that match now.') }),
    },
  ],
  async handle(tx, { actor, params: { id }, body: { sendAt, expectedRecipients } }) {
    const { programId } = actor;
    checkTime(tx, sendAt);
    const announcement = await lockUnsent(tx, programId, id);
    await checkRecipients(tx, announcement, expectedRecipients);
    if (sendAt === null) return toAnnouncement(await startAnnouncement(tx, actor, announcement), noResults);
    const before = { sendAt: announcement.sendAt?.toISOString() ?? null };
    const after = { sendAt: sendAt.toISOString() };
    await recordChange(tx, { programId, actor, action: 'announcement.scheduled', subjectId: id, before, after });
    return toAnnouncement(await storeChange(tx, announcement, { status: 'scheduled', sendAt }), noResults);
  },
});

/** Starts an announcement that is locked: from now on it can't be changed, and a job writes its emails. */
export async function startAnnouncement(tx: Tx, actor: Actor, announcement: Announcement): Promise<Announcement> {
  const { programId, id } = announcement;
  const { audience } = contentsOf(announcement);
  const auditId = await recordChange(tx, { programId, actor, action: 'announcement.sent', subjectId: id, after: { audience } });
  await tx.jobs.enqueue(tx, writeEmailsJob, { programId, announcementId: id });
  return storeChange(tx, announcement, { status: 'sending', startedAt: tx.clock.now(), auditId });
}

function checkTime({ clock }: Pick<Context, 'clock'>, sendAt: Date | null): void {
  if (sendAt === null) return;
  const aheadMs = sendAt.getTime() - clock.now().getTime();
  if (aheadMs <= 0 || aheadMs > maxAheadMs) throw new Invalid([{ path: ['sendAt'], message: 'must be in the future, and within a year' }]);
}

async function checkRecipients(tx: Tx, announcement: Announcement, expected: number | undefined): Promise<void> {
  if (expected === undefined) return;
  const { recipients, optedOut } = await countAudience(tx, announcement.programId, contentsOf(announcement).audience);
  const count = recipients - optedOut;
  if (count === expected) return;
  throw new InvalidState('count_changed', `${count} affiliates match now, not ${expected}. Check the recipients and try again.`, { count });
}
