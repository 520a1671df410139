import { sql } from 'kysely';
import { z } from 'zod';
import { containsWordsUnfolded, searchField } from '../../accounts/programs/search.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { AnnouncementShape, AnnouncementStatus, toAnnouncement } from './announcement.ts';
import { findResults } from './results.ts';

export const listAnnouncements = endpoint({
  id: 'announcements.list',
  route: 'GET /app/programs/:programId/announcements',
  scope: 'read',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Announcements',
  summary: 'List announcements',
  query: z.object({
    status: oneOf(AnnouncementStatus),
    search: searchField('Matches part of the subjects'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt'),
  }),
  statuses: [200],
  result: cursorListOf('announcements', AnnouncementShape, 'AnnouncementList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, search, createdFrom, createdTo, limit, offset } = query;
    let announcements = ctx.db.selectFrom('announcements').where('programId', '=', programId);
    if (status) announcements = announcements.where('status', 'in', status);
    const subjects = sql`concat_ws(' ', texts #>> '{en,subject}', texts #>> '{de,subject}')`;
    if (search) announcements = announcements.where(containsWordsUnfolded(subjects, search));
    announcements = announcements.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(announcements, query, (found) => found.selectAll());
    const resultsOf = await findResults(ctx, programId, rows);
    return { announcements: rows.map((row) => toAnnouncement(row, resultsOf(row))), total, limit, offset, nextCursor };
  },
});
