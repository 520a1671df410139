import { z } from 'zod';
import { queueTestEmail, TestEmailSent, testEmailErrors } from '../../messaging/emails/editing/send-test.ts';
import { renderAnnouncement } from '../../messaging/emails/kinds/affiliates/announcement.ts';
import { loadFrame, locales } from '../../messaging/emails/look/look.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { getPublicUrl } from '../../platform/lib/network/public-url.ts';
import { announcementSlot, contentsOf, lockAnnouncement } from './announcement.ts';

export const testAnnouncement = endpoint({
  id: 'announcements.test',
  route: 'POST /app/programs/:programId/announcements/:id/test',
  scope: 'write',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Announcements',
  summary: 'Send an announcement to yourself',
  description: 'Its text as it is stored, with a sample name. Counts as a test email, of which a member can send 20 an hour.',
  path: { id: announcementSlot },
  body: z
    .object({ locale: z.enum(locales).describe('The language of the text.') })
    .meta({ id: 'AnnouncementTest', example: { locale: 'en' } }),
  statuses: [200],
  result: TestEmailSent,
  errors: testEmailErrors,
  async handle(tx, { actor, params: { id }, body: { locale } }) {
    const { programId } = actor;
    const text = contentsOf(await lockAnnouncement(tx, programId, id)).texts[locale];
    if (text === null) throw new Invalid([{ path: ['locale'], message: 'must be a language in which the announcement has a text' }]);
    const { frame, sender } = await loadFrame(tx, { programId, affiliateId: null, locale });
    const announced = { firstName: 'Ada', portalUrl: `${getPublicUrl(tx.config)}/portal` };
    const content = renderAnnouncement({ ...frame, edited: text }, sender, announced);
    return queueTestEmail(tx, actor, { content, described: { email: 'announcement', locale, subject: text.subject } });
  },
});
