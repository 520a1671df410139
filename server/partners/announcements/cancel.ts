import { cancelQueuedEmails } from '../../messaging/emails/send.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { InvalidState } from '../../platform/lib/errors.ts';
import { AnnouncementShape, announcementSlot, lockAnnouncement, storeChange, toAnnouncement } from './announcement.ts';
import { readResults } from './results.ts';

const notCancellable = {
  status: 400,
  code: 'announcement_not_cancellable',
  when: 'The announcement is neither scheduled nor being sent.',
} as const;

export const cancelAnnouncement = endpoint({
  id: 'announcements.cancel',
  route: 'POST /app/programs/:programId/announcements/:id/cancel',
  scope: 'write',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Announcements',
  summary: 'Cancel an announcement',
  description: 'One that is scheduled becomes a draft again. Of one that is being sent, the emails that wait are not sent.',
  path: { id: announcementSlot },
  statuses: [200],
  result: AnnouncementShape,
  errors: [notCancellable],
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    const announcement = await lockAnnouncement(tx, programId, id);
    const { status, auditId } = announcement;
    const { queued } = await readResults(tx, programId, announcement);
    const isBeingSent = status === 'sending' || (status === 'sent' && queued > 0);
    if (status !== 'scheduled' && !isBeingSent)
      throw new InvalidState(notCancellable.code, 'This announcement is neither scheduled nor being sent.');
    await recordChange(tx, { programId, actor, action: 'announcement.cancelled', subjectId: id, before: { status } });
    if (!isBeingSent)
      return toAnnouncement(
        await storeChange(tx, announcement, { status: 'draft', sendAt: null }),
        await readResults(tx, programId, announcement),
      );
    if (auditId !== null) await cancelQueuedEmails(tx, programId, auditId);
    const cancelled = await storeChange(tx, announcement, { status: 'cancelled', finishedAt: tx.clock.now() });
    return toAnnouncement(cancelled, await readResults(tx, programId, cancelled));
  },
});
