import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { transact } from '../../../platform/db/transact.ts';
import { findOrCreateUser } from '../users/user.ts';
import { findSetUpLink } from './link.ts';

describe('the set-up link', () => {
  let service: TestService;
  let path = '';
  let count = 0;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());
  beforeEach(async () => {
    await service.pool.query('delete from first_user');
    path = (await findSetUpLink(service.ctx, '')) ?? assert.fail('no link');
  });

  const send = async (method: 'GET' | 'POST', fields: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    const form = { origin: 'http://api.test', 'content-type': 'application/x-www-form-urlencoded' };
    const sent = Object.assign({ host: 'api.test' }, method === 'POST' ? form : null, headers);
    const payload = method === 'POST' ? new URLSearchParams(fields).toString() : '';
    const { statusCode, body, headers: answered } = await service.app.inject({ method, url: path, headers: sent, payload });
    return { status: statusCode, text: body, headers: answered };
  };
  const fields = () => {
    count += 1;
    return { email: `dana-${count}@example.com`, organization: 'Quiet Shores' };
  };
  const createUser = () => transact(service.ctx, (tx) => findOrCreateUser(tx, { email: fields().email, name: 'Dana' }));
  const countUsers = async () => (await service.pool.query('select count(*)::int as count from users')).rows[0].count as number;

  test('creates the owner of a new organization, who is signed in and can create its first program', async () => {
    assert.match((await send('GET')).text, /Set up Tributary/);
    const given = fields();
    const done = await send('POST', given);
    assert.deepEqual([done.status, done.headers.location], [303, '/welcome?next=/console']);
    const [cookie = ''] = String(done.headers['set-cookie']).split(';');
    const headers = { cookie, origin: 'http://api.test' };
    const me = await service.request('GET', '/app/me', { key: null, headers });
    assert.deepEqual([me.body.user.email, me.body.programOrganizations.length], [given.email, 1]);
    assert.equal(me.body.programOrganizations[0].name, 'Quiet Shores');
    const program = { name: 'Shores', currency: 'KWD' };
    assert.equal((await service.request('POST', '/app/programs', { key: null, headers, body: program })).status, 201);
    const { rows } = await service.pool.query(
      `select method, is_from_command from sessions join users on users.id = user_id where email = $1`,
      [given.email],
    );
    assert.deepEqual(rows, [{ method: 'link', is_from_command: true }]);
  });

  test('is printed and works until there is a user, however that user was created', async () => {
    await createUser();
    assert.equal(await findSetUpLink(service.ctx, ''), null);
    const users = await countUsers();
    const page = await send('GET');
    assert.deepEqual([page.status, /Tributary is set up/.test(page.text)], [410, true]);
    assert.deepEqual([(await send('POST', fields())).status, await countUsers()], [410, users]);
  });

  test('creates one user when several people, and a command, create the first one at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      await service.pool.query('delete from first_user');
      const [users, organizations] = [await countUsers(), await countOrganizations()];
      const [command, ...answers] = await Promise.all([createUser(), ...Array.from({ length: 8 }, () => send('POST', fields()))]);
      const created = answers.filter(({ status }) => status === 303).length;
      assert.deepEqual(
        answers.map(({ status }) => status).filter((status) => status !== 303 && status !== 410),
        [],
      );
      assert.equal(created + Number(command.isFirst), 1);
      assert.equal(await countUsers(), users + 1 + created);
      assert.equal(await countOrganizations(), organizations + created);
    }
  });
  const countOrganizations = async () =>
    (await service.pool.query('select count(*)::int as count from organizations')).rows[0].count as number;

  test('is rejected with another token, from another site, and without changing anything when it is fetched', async () => {
    const users = await countUsers();
    const right = path;
    for (const wrong of ['/set-up/', `/set-up/${'0'.repeat(32)}`, `${right}0`, right.slice(0, -1)]) {
      path = wrong;
      assert.deepEqual([(await send('GET')).status, (await send('POST', fields())).status], [404, 404], wrong);
    }
    path = right;
    assert.equal((await send('POST', fields(), { origin: 'https://evil.example' })).status, 403);
    for (const headers of [{}, { 'sec-purpose': 'prefetch' }]) assert.equal((await send('GET', {}, headers)).status, 200);
    assert.equal(await countUsers(), users);
  });

  test('names what is wrong with each field, and keeps what was entered', async () => {
    const { status, text } = await send('POST', { email: 'dana', organization: '<b>' });
    assert.equal(status, 400);
    assert.match(text, /value="dana" aria-invalid="true" aria-describedby="email-error"/);
    assert.match(text, /value="&lt;b&gt;" aria-invalid="true" aria-describedby="organization-error"/);
    assert.match(text, /Enter an email address such as/);
    assert.match(text, /Enter a name of up to 100 characters/);
    const german = await send('GET', {}, { 'accept-language': 'de' });
    assert.match(german.text, /Tributary einrichten/);
  });

  test('is mentioned on the sign-in page until there is a user', async () => {
    const read = async () => (await service.request('GET', '/sign-in', { key: null, headers: { accept: 'text/html' } })).text;
    assert.match(await read(), /Open the set-up link/);
    await createUser();
    assert.doesNotMatch(await read(), /Open the set-up link/);
  });
});
