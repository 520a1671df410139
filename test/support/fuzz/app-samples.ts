// Valid requests for the endpoints of the console.
import assert from 'node:assert/strict';
import type { TestMember, TestProgram, TestService } from '../harness.ts';
import { tableRows, tableRowsByNoun, tableSamples } from './table-samples.ts';

export type AppIds = {
  /** A user with all permissions in the program, and one of their sessions. */
  owner: TestMember;
  /** Members: one who stays and one who is removed. */
  member: string;
  leaving: string;
  invitation: string;
  email: string;
  table: Awaited<ReturnType<typeof tableRows>>;
};

/** The rows that samples of the console name. */
export async function appSampleRows(service: TestService): Promise<AppIds> {
  const owner = await service.asMember('owner');
  const members = `/app/programs/${service.program.programId}`;
  const body = { email: 'invited@example.com', name: 'Invited', role: 'viewer' };
  const invited = await owner.request('POST', `${members}/member-invitations`, { body });
  assert.equal(invited.status, 201, invited.text);
  await service.drain();
  const emails = await owner.request('GET', `${members}/emails?limit=1`);
  return {
    owner,
    member: (await service.asMember('viewer')).userId,
    leaving: (await service.asMember('viewer')).userId,
    invitation: invited.body.id,
    email: emails.body.emails[0].id,
    table: await tableRows(service, service.program, owner),
  };
}

/** An email of this program. */
export async function anEmail({ pool }: TestService, { programId }: TestProgram): Promise<string> {
  return (await pool.query('select id from emails where program_id = $1 limit 1', [programId])).rows[0].id;
}

/** The same rows, by the part of the path that names them. */
export function appRowsByNoun({ owner, member, invitation, email, table }: AppIds): Record<string, string> {
  return { sessions: owner.sessionId, members: member, 'member-invitations': invitation, emails: email, ...tableRowsByNoun(table) };
}

type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

export function appSamples(serial: number, { owner, ...ids }: AppIds): Record<string, Sample> {
  return {
    ...tableSamples(serial, ids.table),
    'appMe.get': [{}, undefined],
    'appMe.update': [{}, { locale: 'de' }],
    'sessions.list': [{}, undefined],
    'sessions.end': [{ id: owner.sessionId }, undefined],
    'sessions.endOthers': [{}, undefined],
    signOut: [{}, undefined],
    'members.update': [{ userId: ids.member }, { role: 'finance' }],
    'members.remove': [{ userId: ids.leaving }, undefined],
    'memberInvitations.create': [{}, { email: `m${serial}@example.com`, name: 'Tom Ruiz', role: 'viewer' }],
    'memberInvitations.resend': [{ id: ids.invitation }, undefined],
    'memberInvitations.revoke': [{ id: ids.invitation }, undefined],
    'emails.get': [{ id: ids.email }, undefined],
    'emails.preview': [{ id: ids.email }, undefined],
    'overview.activity': [{}, undefined],
    'affiliateTable.tags': [{}, undefined],
  };
}
