// An invited affiliate is claimed by the user who proves to control the invited address, and by no other.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

describe('an invited affiliate', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const portalStatus = async (cookie: string, programId = service.program.programId) =>
    (await service.request('GET', `/app/portal/${programId}/account`, { key: null, headers: { cookie } })).status;

  async function invite(body: object): Promise<{ id: string }> {
    const invited = await service.request('POST', `${service.program.path}/affiliates`, { body });
    assert.equal(invited.status, 201, invited.text);
    return invited.body;
  }

  test('is claimed with the link of the invitation, in every program that has the address', async () => {
    const email = 'ada@example.com';
    const here = await invite({ email, firstName: 'Ada', lastName: 'Lindqvist' });
    const there = await anAffiliate(service, { email: 'ADA@example.com' }, service.foreign);
    await service.drain();
    const token = /\/enter\/([\w-]{43})/.exec(service.mails.find(({ to }) => to === email)?.text ?? '')?.[1] ?? '';
    const entered = await service.request('POST', '/app/enter', { key: null, headers: { origin: 'http://api.test' }, body: { token } });
    assert.deepEqual([entered.status, entered.body.redirectPath], [200, '/portal'], entered.text);
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
    assert.deepEqual([await portalStatus(cookie), await portalStatus(cookie, service.foreign.programId)], [200, 200]);
    const { rows } = await service.pool.query(
      'select program_id, affiliate_id, count(*) over () as users from affiliate_accounts order by 1',
    );
    assert.deepEqual(new Set(rows.map((row) => row.affiliate_id)), new Set([here.id, there.id]));
    const { rows: audited } = await service.pool.query(`select actor_kind, subject_id from audit_log where action = 'affiliate.claimed'`);
    assert.deepEqual(new Set(audited.map((row) => row.subject_id)), new Set([here.id, there.id]));
    assert.ok(audited.every((row) => row.actor_kind === 'user'));
  });

  test('is not claimed by a user whose address only looks like it', async () => {
    await anAffiliate(service, { email: 'leo@example.com', status: 'active' });
    const other = await service.asAffiliate({ id: '', email: 'leo@examp1e.com' });
    assert.equal(await portalStatus(other.cookie), 404);
  });

  test('that is archived is not claimed', async () => {
    await anAffiliate(service, { email: 'mei@example.com', status: 'archived' });
    const user = await service.asAffiliate({ id: '', email: 'mei@example.com' });
    assert.equal(await portalStatus(user.cookie), 404);
  });
});
