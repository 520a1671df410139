// Changing and deleting an announcement that has not been sent.
import { z } from 'zod';
import { outdatedError, readVersion, requireVersion, versionHint } from '../../accounts/programs/version.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import {
  AnnouncementShape,
  alreadySent,
  announcementFields,
  announcementSlot,
  checkTexts,
  contentsOf,
  lockUnsent,
  toAnnouncement,
  versionOf,
} from './announcement.ts';
import { requireGroups } from './audience.ts';
import { noResults } from './results.ts';

const common = { requires: 'settings.write', isUserOnly: true, tag: 'Announcements', statuses: [200] as const } as const;

export const updateAnnouncement = endpoint({
  ...common,
  id: 'announcements.update',
  route: 'PATCH /app/programs/:programId/announcements/:id',
  scope: 'write',
  summary: 'Change an announcement',
  description: `Until it is sent. Omitted fields keep their value; \`texts\` and \`audience\` are replaced as a whole. ${versionHint}`,
  path: { id: announcementSlot },
  body: z
    .object(announcementFields)
    .partial()
    .meta({ id: 'AnnouncementUpdate', example: { audience: { statuses: ['active'] } } }),
  result: AnnouncementShape,
  errors: [alreadySent, outdatedError('stale_announcement', 'announcement')],
  async handle(tx, { actor, caller, params: { id }, body }) {
    const { programId } = actor;
    if (body.texts) checkTexts(body.texts);
    if (body.audience) await requireGroups(tx, programId, body.audience);
    const before = await lockUnsent(tx, programId, id);
    const object = { programId, id, version: versionOf(before), noun: 'announcement', code: 'stale_announcement' };
    await requireVersion(tx, object, readVersion(caller.headers['if-match']));
    const change = difference(contentsOf(before), body);
    if (change === null) return toAnnouncement(before, noResults);
    const { texts, audience } = change.after;
    const set = { texts: texts && JSON.stringify(texts), ...audience, updatedAt: tx.clock.now() };
    const announcements = tx.db.updateTable('announcements').set(set).where('programId', '=', programId).where('id', '=', id);
    const row = await announcements.returningAll().executeTakeFirstOrThrow();
    await recordChange(tx, { programId, actor, action: 'announcement.updated', subjectId: id, ...change });
    return toAnnouncement(row, noResults);
  },
});

export const deleteAnnouncement = endpoint({
  ...common,
  id: 'announcements.delete',
  route: 'DELETE /app/programs/:programId/announcements/:id',
  scope: 'write',
  summary: 'Delete an announcement that was not sent',
  path: { id: announcementSlot },
  result: AnnouncementShape,
  errors: [alreadySent],
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    const before = await lockUnsent(tx, programId, id);
    await tx.db.deleteFrom('announcements').where('programId', '=', programId).where('id', '=', id).execute();
    await recordChange(tx, { programId, actor, action: 'announcement.deleted', subjectId: id, before: contentsOf(before) });
    return toAnnouncement(before, noResults);
  },
});
