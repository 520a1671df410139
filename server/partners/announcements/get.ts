import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { AnnouncementShape, announcementSlot, toAnnouncement } from './announcement.ts';
import { readResults } from './results.ts';

export const getAnnouncement = endpoint({
  id: 'announcements.get',
  route: 'GET /app/programs/:programId/announcements/:id',
  scope: 'read',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Announcements',
  summary: 'Get an announcement with its results',
  path: { id: announcementSlot },
  statuses: [200],
  result: AnnouncementShape,
  async handle(ctx, { actor: { programId }, params: { id } }) {
    const announcements = ctx.db.selectFrom('announcements').selectAll().where('programId', '=', programId).where('id', '=', id);
    const row = await announcements.executeTakeFirstOrThrow();
    return toAnnouncement(row, await readResults(ctx, programId, row));
  },
});
