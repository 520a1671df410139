// Valid requests for the endpoints of the console.
import assert from 'node:assert/strict';
import { addMember } from '../../../server/accounts/identity/members/add-member.ts';
import { createProgram } from '../../../server/accounts/programs/create.ts';
import { requestDeletion } from '../../../server/accounts/programs/deletion/request.ts';
import { transact } from '../../../server/platform/db/transact.ts';
import type { TestMember, TestProgram, TestService } from '../harness.ts';
import { joinRows, joinRowsByNoun, joinSamples } from './join-samples.ts';
import { anAnnouncement, announcementSamples } from './messages/announcement-samples.ts';
import { type PortalIds, portalRows, portalRowsByNoun, portalSamples } from './portal-samples.ts';
import { reviewRows, reviewRowsByNoun, reviewSamples } from './review-samples.ts';
import { tableRows, tableRowsByNoun, tableSamples } from './table-samples.ts';

/** One pixel. */
const smallPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export type AppIds = {
  program: string;
  /** A user with all permissions in the program, and one of their sessions. */
  owner: TestMember;
  /** Members: one who stays and one who is removed. */
  member: string;
  leaving: string;
  invitation: string;
  accessRequest: string;
  announcement: string;
  /** One that stays a draft until it is deleted. */
  draftAnnouncement: string;
  email: string;
  portal: PortalIds;
  table: Awaited<ReturnType<typeof tableRows>>;
  review: Awaited<ReturnType<typeof reviewRows>>;
  join: Awaited<ReturnType<typeof joinRows>>;
  /** An API key that stays, and one that is rotated and revoked. */
  apiKey: string;
  oldKey: string;
  /** A program of the owner that will be deleted. */
  deleting: string;
  /** Domains of single sign-on: one that stays and one that is removed. */
  domain: string;
  oldDomain: string;
};

/** An open invitation to a program, and its email. */
export async function anInvitation(service: TestService, owner: TestMember, { programId }: TestProgram) {
  const path = `/app/programs/${programId}`;
  const body = { email: 'invited@example.com', name: 'Invited', role: 'viewer' };
  const invited = await owner.request('POST', `${path}/member-invitations`, { body });
  assert.equal(invited.status, 201, invited.text);
  await service.drain();
  const emails = await owner.request('GET', `${path}/emails?limit=1`);
  await service.pool.query(`update emails set status = 'failed' where id = $1`, [emails.body.emails[0].id]);
  return { invitation: String(invited.body.id), email: String(emails.body.emails[0].id) };
}

/** A separate program that the user owns and that will be deleted. */
export async function aDeletedProgram({ ctx }: TestService, { userId }: TestMember): Promise<string> {
  const actor = { kind: 'command' as const, id: 'test' };
  const fresh = { name: 'Old', mode: 'live' as const, currency: 'USD', timezone: 'UTC', websiteUrl: null };
  return transact(ctx, async (tx) => {
    const { programId } = await createProgram(tx, fresh, actor);
    await addMember(tx, { programId, userId, role: 'owner', actor });
    await requestDeletion(tx, { programId, name: 'Old', hasRecords: false, actor });
    return programId;
  });
}

/** A request for access of a viewer. */
async function anAccessRequest(service: TestService, program: TestProgram): Promise<string> {
  const viewer = await service.asMember('viewer', { program });
  const path = `/app/programs/${program.programId}/access-requests`;
  const created = await viewer.request('POST', path, { body: { permission: 'payouts.prepare' } });
  assert.equal(created.status, 201, created.text);
  return String(created.body.id);
}

/** A domain of the program's organization, which is not verified. */
async function aDomain(owner: TestMember, { programId }: TestProgram, domain: string): Promise<string> {
  const added = await owner.request('POST', `/app/programs/${programId}/single-sign-on/domains`, { body: { domain } });
  assert.equal(added.status, 200, added.text);
  return domain;
}

/** An API key that a member created. */
async function aKey(owner: TestMember, { programId }: TestProgram): Promise<string> {
  const created = await owner.request('POST', `/app/programs/${programId}/api-keys`, { body: { name: 'Web store', scopes: ['read'] } });
  assert.equal(created.status, 201, created.text);
  return String(created.body.id);
}

/** The rows that samples of the console name. */
export async function appSampleRows(service: TestService): Promise<AppIds> {
  const owner = await service.asMember('owner');
  // Who is also an affiliate, so that one session reaches the endpoints of the portal too.
  const portal = await portalRows(service, owner.email);
  return {
    portal,
    program: service.program.programId,
    owner,
    member: (await service.asMember('viewer')).userId,
    leaving: (await service.asMember('viewer')).userId,
    ...(await anInvitation(service, owner, service.program)),
    accessRequest: await anAccessRequest(service, service.program),
    announcement: await anAnnouncement(owner, service.program),
    draftAnnouncement: await anAnnouncement(owner, service.program),
    table: await tableRows(service, service.program, owner),
    review: await reviewRows(service, service.program, owner),
    join: await joinRows(service, service.program),
    apiKey: await aKey(owner, service.program),
    oldKey: await aKey(owner, service.program),
    deleting: await aDeletedProgram(service, owner),
    domain: await aDomain(owner, service.program, 'staying.example'),
    oldDomain: await aDomain(owner, service.program, 'leaving.example'),
  };
}

/** The rows of a program that the samples of the table and of the review name, by the part of the path that names them. */
export async function consoleRowsByNoun(service: TestService, program: TestProgram, member: TestMember): Promise<Record<string, string>> {
  const table = await tableRows(service, program, member);
  const review = await reviewRows(service, program, member);
  // A revision that no page of the other program has.
  const join = await joinRows(service, program);
  const apiKey = await aKey(member, program);
  const accessRequest = await anAccessRequest(service, program);
  const domain = await aDomain(member, program, 'foreign.example');
  const byNoun = { ...tableRowsByNoun(table), ...reviewRowsByNoun(review), ...joinRowsByNoun(join) };
  const announcements = await anAnnouncement(member, program);
  return { ...byNoun, revisions: '9999', 'api-keys': apiKey, 'access-requests': accessRequest, 'domains/:domain': domain, announcements };
}

/** The same rows, by the part of the path that names them. */
export function appRowsByNoun({
  owner,
  member,
  invitation,
  email,
  portal,
  table,
  review,
  join,
  apiKey,
  deleting,
  accessRequest,
  domain,
  announcement,
}: AppIds): Record<string, string> {
  return {
    sessions: owner.sessionId,
    members: member,
    'member-invitations': invitation,
    emails: email,
    ...portalRowsByNoun(portal),
    ...tableRowsByNoun(table),
    ...reviewRowsByNoun(review),
    ...joinRowsByNoun(join),
    revisions: '1',
    'api-keys': apiKey,
    'program-deletions': deleting,
    'access-requests': accessRequest,
    'domains/:domain': domain,
    announcements: announcement,
  };
}

type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined, query?: string];

const emailText = { subject: 'Hooray', heading: 'Well done, {firstName}', body: 'You earned {amount}.' };

export function appSamples(serial: number, { owner, ...ids }: AppIds): Record<string, Sample> {
  return {
    ...tableSamples(serial, ids.table),
    ...portalSamples(serial, ids.portal),
    ...reviewSamples(serial, ids.review),
    ...joinSamples(serial, ids.join),
    'portalPage.get': [{}, undefined],
    'portalPage.save': [{}, { version: 0, headline: 'What I use every day' }],
    'portalPage.discard': [{}, undefined],
    'portalPage.preview': [{}, undefined],
    'portalPage.submit': [{}, { version: 0 }],
    'media.upload': [{}, { programId: ids.program, image: smallPng }],
    'appMe.get': [{}, undefined],
    'emailSettings.get': [{}, undefined],
    'emailSwitches.update': [{}, { email: 'statement', isOn: serial % 2 === 0 }],
    'emailTexts.update': [{}, { email: 'first_sale', locale: 'en', ...emailText }],
    'emailTexts.restore': [{}, { email: 'first_sale', locale: 'en' }],
    'emailTexts.test': [{}, { email: 'first_sale', locale: 'en', ...emailText }],
    'brand.get': [{}, undefined],
    ...announcementSamples(serial, ids.announcement, ids.draftAnnouncement),
    'brand.update': [{}, { color: '#0B5F59', disclosure: `Ad ${serial}`, restrictedPhrases: ['cures'] }],
    'appMe.update': [{}, { locale: 'de' }],
    'sessions.list': [{}, undefined],
    'sessions.end': [{ id: owner.sessionId }, undefined],
    'sessions.endOthers': [{}, undefined],
    signOut: [{}, undefined],
    'apiKeys.create': [{}, { name: `K${serial}`, scopes: ['read', 'write'], rateLimitPerMinute: 60 }],
    'apiKeys.get': [{ id: ids.apiKey }, undefined],
    'apiKeys.update': [{ id: ids.apiKey }, { name: `K${serial}` }],
    'apiKeys.rotate': [{ id: ids.oldKey }, { overlapHours: 1 }],
    'apiKeys.revoke': [{ id: ids.oldKey }, undefined],
    'members.confirm': [{ userId: ids.member }, {}],
    'members.update': [{ userId: ids.member }, { role: 'finance' }],
    'members.remove': [{ userId: ids.leaving }, undefined],
    ...singleSignOnSamples(serial, ids),
    'accessRequests.create': [{}, { permission: 'payouts.prepare' }],
    'accessRequests.decide': [{ id: ids.accessRequest }, { decision: 'declined' }],
    'affiliateViews.start': [{ id: ids.portal.affiliate }, undefined],
    'affiliateViews.end': [{}, undefined],
    'memberInvitations.create': [{}, { email: `m${serial}@example.com`, name: 'Tom Ruiz', role: 'viewer' }],
    'memberInvitations.resend': [{ id: ids.invitation }, undefined],
    'memberInvitations.revoke': [{ id: ids.invitation }, undefined],
    'emails.get': [{ id: ids.email }, undefined],
    'emails.preview': [{ id: ids.email }, undefined],
    'notificationSettings.get': [{}, undefined],
    'notificationSettings.update': [{}, { notifications: [{ kind: 'page', delivery: 'daily' }] }],
    'emailPreview.get': [{}, undefined],
    'emailPreview.show': [{}, undefined],
    'emails.resend': [{ id: ids.email }, undefined],
    'emails.showLink': [{ id: ids.email }, undefined],
    'programDeletion.get': [{}, undefined],
    'programDeletion.request': [{}, { name: 'Another name' }],
    'programDeletions.cancel': [{ id: ids.deleting }, undefined],
    'programs.create': [{}, { name: `Program ${serial}`, currency: 'EUR' }],
    'programs.goLive': [{}, { unpaidCents: 0 }],
    'overview.activity': [{}, undefined],
    'affiliateTable.tags': [{}, undefined],
  };
}

function singleSignOnSamples(serial: number, ids: Pick<AppIds, 'domain' | 'oldDomain'>): Record<string, Sample> {
  return {
    'singleSignOn.get': [{}, undefined],
    'singleSignOn.update': [{}, { issuer: 'http://127.0.0.1:1', clientId: 'tributary', clientSecret: 'x7Jp2vQd' }],
    'singleSignOn.remove': [{}, undefined],
    'singleSignOnDomains.add': [{}, { domain: `brand-${serial}.example` }],
    'singleSignOnDomains.verify': [{ domain: ids.domain }, undefined],
    'singleSignOnDomains.update': [{ domain: ids.domain }, { isRequired: false }],
    'singleSignOnDomains.remove': [{ domain: ids.oldDomain }, undefined],
  };
}
