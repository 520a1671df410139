// In test mode and without a mail server, an owner can open the links of emails: those of this program, and no others.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { aForm, openJoinForm } from '../../../test/support/join/applicant.ts';
import { openVisitor } from '../../../test/support/visitor.ts';

describe('the link of a stored email', () => {
  let service: TestService;
  let owner: TestMember;
  before(async () => {
    service = await openTestService({ withMail: false });
    owner = await service.asMember('owner');
    await setMode('test');
  });
  after(() => service.close());

  const app = () => `/app/programs/${service.program.programId}`;
  const setMode = (mode: string) =>
    service.pool.query('update programs set mode = $2 where id = $1', [service.program.programId, mode]).then(() => undefined);
  const findEmailId = async (to: string): Promise<string> => {
    const { rows } = await service.pool.query('select id from emails where to_address = $1 order by created_at desc limit 1', [to]);
    return rows[0]?.id ?? assert.fail(`no email to ${to}`);
  };
  const showLink = async (to: string, member = owner) => member.request('POST', `${app()}/emails/${await findEmailId(to)}/link`);

  test('claims the invited affiliate, and is recorded in the audit log without the link', async () => {
    const email = 'ada@example.com';
    const { id } = await anAffiliate(service, { email, firstName: 'Ada', lastName: 'Lindqvist', sendInvite: true });
    const read = await owner.request('GET', `${app()}/emails/${await findEmailId(email)}`);
    assert.deepEqual([read.body.status, read.body.hasHiddenLink, read.body.canShowLink], ['stored', true, true]);
    const shown = await showLink(email);
    assert.equal(shown.status, 200, shown.text);
    const token = new URL(shown.body.url).pathname.replace('/enter/', '');
    const entered = await service.request('POST', '/app/enter', { key: null, headers: { origin: 'http://api.test' }, body: { token } });
    assert.deepEqual([entered.status, entered.body.redirectPath], [200, '/portal'], entered.text);
    const { rows } = await service.pool.query('select affiliate_id from affiliate_accounts');
    assert.deepEqual(rows, [{ affiliate_id: id }]);
    const { rows: audited } = await service.pool.query(`select actor_id, after::text from audit_log where action = 'email.link_shown'`);
    assert.equal(audited[0]?.actor_id, owner.userId);
    assert.ok(!audited[0]?.after.includes(token) && !audited[0]?.after.includes(email), audited[0]?.after);
    assert.ok(!service.log.some((line) => line.includes(token)));
  });

  test('is repeated to the owner who got it first, and stored encrypted', async () => {
    const email = 'rosa@example.com';
    await anAffiliate(service, { email, sendInvite: true });
    const address = `${app()}/emails/${await findEmailId(email)}/link`;
    const headers = { 'idempotency-key': 'show-rosa' };
    const first = await owner.request('POST', address, { headers });
    assert.equal(first.status, 200, first.text);
    const again = await owner.request('POST', address, { headers });
    assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [200, first.text, 'true']);
    const other = await (await service.asMember('owner')).request('POST', address, { headers });
    assert.equal(other.status, 400, other.text);
    const { rows } = await service.pool.query('select stored::text as text from idempotency_keys as stored');
    const token = String(first.body.url).split('/').at(-1) ?? '';
    assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes(token)));
  });

  test('confirms an application, whose email waits in the mailbox', async () => {
    const path = await openJoinForm(owner, service.program);
    const browser = openVisitor(service.app);
    const form = await browser.get(path);
    assert.match(form.text, /finds the link that confirms your address in the mailbox/);
    const sent = await browser.post(path, aForm('leo@example.com'));
    assert.match(sent.text, /Your application counts once its link is opened/);
    const { body: email } = await owner.request('GET', `${app()}/emails/${await findEmailId('leo@example.com')}`);
    assert.deepEqual([email.kind, email.status, email.canShowLink], ['application_confirmation', 'stored', true]);
    assert.match(email.text, /\(link hidden\)/);
    assert.doesNotMatch(email.text, /\d{6}|\/confirm\//);
    const shown = await showLink('leo@example.com');
    assert.equal(shown.status, 200, shown.text);
    const confirmed = await browser.post(new URL(shown.body.url).pathname, {});
    assert.equal(confirmed.status, 303, confirmed.text);
    const { rows } = await service.pool.query('select status from affiliates where email = $1', ['leo@example.com']);
    assert.deepEqual(rows, [{ status: 'pending' }]);
    const again = await showLink('leo@example.com');
    assert.deepEqual([again.status, again.body.code], [400, 'link_withdrawn']);
  });

  test('is not shown for an address that gives access to another program, and is for the own address of the owner', async () => {
    await anAffiliate(service, { email: 'mei@example.com', sendInvite: true });
    await anAffiliate(service, { email: 'MEI@example.com' }, service.foreign);
    const other = await service.asMember('viewer', { program: service.foreign });
    await anAffiliate(service, { email: other.email, sendInvite: true });
    await anAffiliate(service, { email: owner.email, sendInvite: true });
    for (const email of ['mei@example.com', other.email]) {
      const { status, body } = await showLink(email);
      assert.deepEqual([status, body.code], [400, 'recipient_has_access_elsewhere'], email);
    }
    assert.equal((await showLink(owner.email)).status, 200);
  });

  test('is shown to owners only, and never in a live program', async () => {
    const email = 'zoe@example.com';
    await anAffiliate(service, { email, sendInvite: true });
    const forbidden = await showLink(email, await service.asMember('admin'));
    assert.deepEqual([forbidden.status, forbidden.body.code], [403, 'permission_required']);
    await setMode('live');
    const live = await showLink(email);
    assert.deepEqual([live.status, live.body.code], [400, 'link_unavailable']);
    const read = await owner.request('GET', `${app()}/emails/${await findEmailId(email)}`);
    assert.equal(read.body.canShowLink, false);
    const browser = openVisitor(service.app);
    const sent = await browser.post('/join/fern-field', aForm('live@example.com'));
    assert.match(sent.text, /Applications are not possible yet/);
    await setMode('test');
  });
});

test('the link of an email is not shown once a mail server is configured', async () => {
  const service = await openTestService();
  try {
    const owner = await service.asMember('owner');
    await service.pool.query(`update programs set mode = 'test'`);
    await anAffiliate(service, { email: 'ada@example.com', sendInvite: true });
    const { rows } = await service.pool.query('select id from emails');
    const shown = await owner.request('POST', `/app/programs/${service.program.programId}/emails/${rows[0]?.id}/link`);
    assert.deepEqual([shown.status, shown.body.code], [400, 'link_unavailable']);
  } finally {
    await service.close();
  }
});
