// An affiliate asks for the erasure of their data: the owners are informed, nothing is accepted while money is owed, and the
// affiliate gets an email on the outcome.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
let program: TestProgram;
let owner: TestMember;
let ada: TestMember & { id: string };
before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  program = await service.newProgram('Fern & Field');
  owner = await service.asMember('owner', { program });
  const email = `ada-${program.programId}@example.com`;
  const affiliate = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email }, program);
  ada = { ...(await service.asAffiliate(affiliate, program)), id: affiliate.id, email };
});

const portal = (method: 'GET' | 'POST', path = '') => ada.request(method, `/app/portal/${program.programId}/erasure-request${path}`);
const list = async () => (await owner.request('GET', `/app/programs/${program.programId}/erasure-requests`)).body.erasureRequests;
const decide = (id: string, body: object) =>
  owner.request('POST', `/app/programs/${program.programId}/erasure-requests/${id}/decide`, { body });
const sendMails = async (): Promise<void> => {
  while ((await service.drain()) > 0);
};
const mailsTo = (email: string) => service.mails.filter((mail) => mail.to === email && /eras/.test(mail.subject));
const actions = async () =>
  (
    await service.pool.query(
      `select action from audit_log where subject_id = $1 and action like 'affiliate.erasure%' order by created_at, id`,
      [ada.id],
    )
  ).rows.map(({ action }) => action);
const attention = async () =>
  (await owner.request('GET', `/app/programs/${program.programId}/overview`)).body.attention.find(
    ({ kind }: { kind: string }) => kind === 'erasure_requests',
  );

describe('a request for erasure', () => {
  test('informs the owners once, appears as a task, and can be withdrawn', async () => {
    assert.deepEqual((await portal('GET')).body, { request: null });
    const [first, second] = await Promise.all([portal('POST'), portal('POST')]);
    assert.deepEqual([first.status, second.status].sort(), [200, 422]);
    await sendMails();
    assert.deepEqual(
      mailsTo(owner.email).map(({ subject }) => subject),
      ['Ada Lindqvist asks for the erasure of their data'],
    );
    assert.deepEqual([(await attention()).count, (await attention()).names], [1, ['Ada Lindqvist']]);
    const withdrawn = await portal('POST', '/withdraw');
    assert.equal(withdrawn.body.request.status, 'withdrawn');
    assert.deepEqual([await list(), await attention()], [[], undefined]);
    assert.equal((await portal('POST', '/withdraw')).status, 422);
    assert.deepEqual(await actions(), ['affiliate.erasure_requested', 'affiliate.erasure_withdrawn']);
  });

  test('is accepted once nothing is owed', async () => {
    await portal('POST');
    const bonus = { affiliateId: ada.id, amountCents: 500, note: 'Welcome' };
    const granted = await service.request('POST', `${program.path}/commissions`, { body: bonus, key: program.key });
    assert.equal(granted.status, 201, granted.text);
    const [{ id, owedCents }] = await list();
    assert.equal(owedCents, 500);
    const blocked = await decide(id, { decision: 'accepted' });
    assert.deepEqual([blocked.status, blocked.body.code], [400, 'erasure_blocked']);
    const adjusted = await service.request('POST', `${program.path}/commissions/${granted.body.id}/adjust`, {
      body: { amountCents: -500, note: 'Settled otherwise' },
      key: program.key,
    });
    assert.equal(adjusted.status, 201, adjusted.text);
    const accepted = await decide(id, { decision: 'accepted' });
    assert.deepEqual([accepted.status, accepted.body.status], [200, 'accepted'], accepted.text);
    await sendMails();
    assert.deepEqual(
      mailsTo(ada.email).map(({ subject }) => subject),
      ['Fern & Field erases your data'],
    );
    assert.deepEqual(
      [(await decide(id, { decision: 'accepted' })).status, (await decide(id, { decision: 'rejected', note: 'x' })).status],
      [422, 400],
    );
    assert.deepEqual(await actions(), ['affiliate.erasure_requested', 'affiliate.erasure_accepted']);
    assert.equal((await portal('GET')).body.request.status, 'accepted');
  });

  test('is rejected with a reason, which the affiliate receives, and can be repeated', async () => {
    await portal('POST');
    const [{ id }] = await list();
    const without = await decide(id, { decision: 'rejected' });
    assert.deepEqual(without.body.details, [{ path: ['note'], message: 'is required to reject a request' }]);
    assert.equal((await decide(id, { decision: 'rejected', note: 'An order is in dispute.' })).status, 200);
    await sendMails();
    const [mail] = mailsTo(ada.email);
    assert.equal(mail?.subject, 'Fern & Field rejected your request for erasure');
    assert.match(mail?.text ?? '', /An order is in dispute\./);
    const { request } = (await portal('GET')).body;
    assert.deepEqual([request.status, request.decisionNote], ['rejected', 'An order is in dispute.']);
    assert.equal((await portal('POST')).status, 200);
    assert.equal((await list()).length, 1);
  });

  test('needs a recent sign-in of the affiliate, and the right role of the member', async () => {
    const reviewer = await service.asMember('reviewer', { program });
    assert.equal((await reviewer.request('GET', `/app/programs/${program.programId}/erasure-requests`)).status, 403);
    service.clock.advance({ minutes: 11 });
    const { status, body } = await portal('POST');
    assert.deepEqual([status, body.code], [403, 'fresh_sign_in_required']);
  });
});
