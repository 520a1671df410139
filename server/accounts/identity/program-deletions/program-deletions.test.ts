// A program that will be deleted is immediately inaccessible everywhere, and works as before when an owner cancels that.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chrome } from '../../../../test/support/browsers.ts';
import { aClick, anAffiliate, anOrder, aPage, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { openJoinForm } from '../../../../test/support/join/applicant.ts';
import { aStore, type TestStore } from '../../../../test/support/stores/stores.ts';
import { transact } from '../../../platform/db/transact.ts';
import { reviewPage } from '../../../promotion/landing-pages/review.ts';

let service: TestService;
let owner: TestMember;
let store: TestStore;
let ada: { id: string; referralCode: string };
let join: string;
const [email, partnerEmail] = ['ada@example.com', 'second-owner@example.com'];

before(async () => {
  service = await openTestService();
  await aRule(service);
  ada = await anAffiliate(service, { status: 'active', email });
  owner = await service.asMember('owner', { name: 'Dana Calder' });
  store = await aStore(service, 'generic');
  join = await openJoinForm(owner, service.program);
  await aPage(service, ada.id, 'shelf', { isPublished: true });
  const { programId } = service.program;
  const review = { programId, slug: 'shelf', revision: 1, verdict: 'approved' as const, actor: { kind: 'command' as const, id: 'test' } };
  await transact(service.ctx, (tx) => reviewPage(tx, review));
});
after(() => service.close());

const deletionPath = () => `/app/programs/${service.program.programId}/deletion`;
const request = (body: object, member = owner) => member.request('POST', deletionPath(), { body });
const rowsOf = async (text: string, values: unknown[] = [service.program.programId]) => (await service.pool.query(text, values)).rows;
const visit = (path: string) => service.request('GET', path, { key: null, headers: { 'user-agent': chrome } });
const nameOf = async () => (await rowsOf('select name from programs where id = $1'))[0].name;
const me = async (member = owner) => (await member.request('GET', '/app/me')).body;

/** What each way into the program answers. */
async function statuses(affiliate: TestMember, serial: number): Promise<Record<string, unknown>> {
  const { programId, path, key } = service.program;
  const link = await visit(`/r/${ada.referralCode}`);
  const named = await visit(`/r/${programId}/${ada.referralCode}`);
  const click = await service.request('POST', '/v1/clicks', { key: null, body: { referralCode: ada.referralCode } });
  const delivered = await store.send({ id: `event-${serial}`, topic: 'order.paid', body: { orderId: `O-${serial}`, amountCents: 4980 } });
  return {
    key: (await service.request('GET', `${path}/affiliates`, { key })).status,
    member: (await owner.request('GET', `${path}/affiliates`)).status,
    affiliate: (await affiliate.request('GET', `/app/portal/${programId}/home`)).status,
    link: new URL(String(link.headers.location), 'http://api.test').pathname,
    namedLink: new URL(String(named.headers.location), 'http://api.test').pathname,
    click: click.status < 300 ? 'accepted' : click.status,
    store: delivered.status,
    page: (await visit('/s/fern-field/shelf')).status,
    card: (await visit('/s/fern-field/shelf/og.png')).status,
    join: (await visit(join)).status,
  };
}

/** Reads until the caches of less than a second have ended. */
async function waitFor(affiliate: TestMember, expected: Record<string, unknown>): Promise<void> {
  for (const until = Date.now() + 60_000; ; ) {
    const found = await statuses(affiliate, Math.floor(Math.random() * 1e9));
    if (Date.now() > until) return assert.deepEqual(found, expected);
    if (JSON.stringify(found) === JSON.stringify(expected)) return;
    service.clock.advance({ seconds: 1 });
  }
}

const open = {
  key: 200,
  member: 200,
  affiliate: 200,
  link: '/',
  namedLink: '/',
  click: 'accepted',
  store: 200,
  page: 200,
  card: 200,
  join: 200,
};
const gone = '/link-unavailable';
const closed = {
  key: 401,
  member: 404,
  affiliate: 404,
  link: gone,
  namedLink: gone,
  click: 404,
  store: 404,
  page: 404,
  card: 404,
  join: 404,
};

test('only owners see what prevents the deletion, and nothing is deleted while money is owed', async () => {
  const admin = await service.asMember('admin');
  for (const [method, body] of [['GET'], ['POST', { name: await nameOf() }]] as const) {
    const { status } = await admin.request(method, deletionPath(), body && { body });
    assert.equal(status, 403);
  }
  await aClick(service, ada.id);
  await anOrder(service, { affiliateId: ada.id, amountCents: 5000 });
  const { body } = await owner.request('GET', deletionPath());
  assert.deepEqual(body, {
    graceDays: 30,
    affiliates: 1,
    orders: 1,
    obstacles: [{ code: 'money_owed', count: 1, amountCents: 500 }],
    mustKeepRecords: false,
  });
  const wrong = await request({ name: 'Another' });
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'name_mismatch']);
  const owed = await request({ name: await nameOf() });
  assert.deepEqual([owed.status, owed.body.code], [400, 'program_owes_money']);
  assert.match(owed.body.error, /1, \$5\.00/);
  assert.deepEqual(await rowsOf('select id from programs where id = $1 and delete_after is not null'), []);
});

test('a deleted program is immediately inaccessible everywhere, its owners are notified, and cancelling restores it', async () => {
  const affiliate = await service.asAffiliate({ id: ada.id, email });
  const partner = await service.asMember('owner');
  await rowsOf('update users set email = $2, locale = $3 where id = $1', [partner.userId, partnerEmail, 'de']);
  const viewer = await service.asMember('viewer');
  await rowsOf(`update programs set mode = 'test' where id = $1`);
  await waitFor(affiliate, open);
  const clicks = (await rowsOf('select id from clicks where program_id = $1')).length;

  const requested = await request({ name: await nameOf() });
  assert.equal(requested.status, 200, requested.text);
  await waitFor(affiliate, closed);
  const after = (await rowsOf('select id from clicks where program_id = $1')).length;
  await waitFor(affiliate, closed);
  assert.equal((await rowsOf('select id from clicks where program_id = $1')).length, after, 'no clicks are recorded');
  assert.ok(after >= clicks);
  const { text, status } = await visit(gone);
  assert.equal(status, 404);
  assert.match(text, /This link is not available/);

  await service.drain();
  const emails = await rowsOf(`select to_address, subject, text_body from emails where program_id = $1 and kind = 'program_deletion'`);
  assert.deepEqual(emails.map((each) => each.to_address).sort(), [owner.email, partnerEmail].sort());
  const german = emails.find((each) => each.to_address === partnerEmail);
  assert.match(german.subject, /wird gelöscht$/);
  assert.match(german.text_body, /Dana Calder hat/);
  assert.match(german.text_body, /\/console\?all=1/);

  const { programId } = service.program;
  const [deletion] = (await me()).programDeletions;
  assert.deepEqual([deletion.id, deletion.canCancel, deletion.deleteAfter], [programId, true, requested.body.deleteAfter]);
  assert.deepEqual((await me()).programs, []);
  const [seen] = (await me(viewer)).programDeletions;
  assert.deepEqual([seen.id, seen.canCancel], [programId, false]);
  const outsider = await service.asMember('owner', { program: service.foreign });
  assert.deepEqual((await me(outsider)).programDeletions, []);
  const cancel = (member: TestMember) => member.request('POST', `/app/program-deletions/${programId}/cancel`);
  for (const member of [viewer, outsider]) assert.equal((await cancel(member)).status, 404);
  assert.equal((await cancel(partner)).status, 200);
  assert.equal((await cancel(partner)).status, 404, 'it is not being deleted anymore');
  await waitFor(affiliate, open);
  const audit = await rowsOf(
    `select action, actor_kind, actor_id, network is not null as has_origin from audit_log
     where program_id = $1 and action like 'program.deletion%' order by created_at, id`,
  );
  const entry = { actor_kind: 'user', has_origin: true };
  assert.deepEqual(audit, [
    { action: 'program.deletion_requested', actor_id: owner.userId, ...entry },
    { action: 'program.deletion_cancelled', actor_id: partner.userId, ...entry },
  ]);
});

test('a deletion needs a recent sign-in', async () => {
  await rowsOf(`update sessions set fresh_at = fresh_at - interval '1 hour' where id = $1`, [owner.sessionId]);
  const stale = await request({ name: await nameOf() });
  assert.deepEqual([stale.status, stale.body.code], [403, 'fresh_sign_in_required']);
});
