// Valid requests for the endpoints of announcements.
import assert from 'node:assert/strict';
import type { TestMember, TestProgram } from '../../harness.ts';

type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined, query?: string];

const texts = { en: { subject: 'New at {program}', heading: 'Hello {firstName}', body: 'The spring collection is here.' }, de: null };

/** A draft that a member wrote. */
export async function anAnnouncement(member: TestMember, { programId }: TestProgram): Promise<string> {
  const created = await member.request('POST', `/app/programs/${programId}/announcements`, { body: { texts } });
  assert.equal(created.status, 201, created.text);
  return String(created.body.id);
}

/** The announcement is scheduled and cancelled again, so that it stays a draft. */
export const announcementSamples = (serial: number, id: string, draftId: string): Record<string, Sample> => ({
  'announcements.create': [{}, { texts, audience: { statuses: ['active', 'pending'] } }],
  'announcements.get': [{ id }, undefined],
  'announcements.update': [
    { id },
    { texts: { ...texts, de: { subject: `Neu ${serial}`, heading: 'Hallo', body: 'Der Frühling ist da.' } } },
  ],
  'announcements.test': [{ id }, { locale: 'en' }],
  'announcements.send': [{ id }, { sendAt: '2027-02-01T09:00:00Z' }],
  'announcements.cancel': [{ id }, undefined],
  'announcementAudience.get': [{}, undefined],
  'announcements.delete': [{ id: draftId }, undefined],
});
