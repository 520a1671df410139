import { z } from 'zod';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { AnnouncementShape, announcementFields, checkTexts, toAnnouncement } from './announcement.ts';
import { audienceExample, requireGroups } from './audience.ts';
import { noResults } from './results.ts';

const NewAnnouncement = z.object({ texts: announcementFields.texts, audience: announcementFields.audience.default(audienceExample) }).meta({
  id: 'NewAnnouncement',
  example: { texts: { en: { subject: 'New at {program}', heading: 'Hello {firstName}', body: 'The spring collection is here.' } } },
});

export const createAnnouncement = endpoint({
  id: 'announcements.create',
  route: 'POST /app/programs/:programId/announcements',
  scope: 'write',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Announcements',
  summary: 'Create an announcement',
  description: 'It is a draft until it is sent or scheduled.',
  body: NewAnnouncement,
  statuses: [201],
  result: AnnouncementShape,
  async handle(tx, { actor, body: { texts, audience } }) {
    const { programId } = actor;
    checkTexts(texts);
    await requireGroups(tx, programId, audience);
    const [id, now] = [tx.ids.uuid(), tx.clock.now()];
    const row = await tx.db
      .insertInto('announcements')
      .values({ programId, id, status: 'draft', texts: JSON.stringify(texts), ...audience, createdAt: now, updatedAt: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, { programId, actor, action: 'announcement.created', subjectId: id, after: { texts, audience } });
    return toAnnouncement(row, noResults);
  },
});
