import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hashToken } from '../../server/accounts/identity/sessions/token.ts';
import { type Installation, openInstallation } from '../support/operator.ts';

describe('user', () => {
  let place: Installation;
  before(async () => {
    place = await openInstallation();
  });
  after(() => place.close());

  const create = (...options: string[]) =>
    place.tributary('user', 'create', '--email', 'Dana@Example.com', '--name', 'Dana Calder', ...options);
  const inProgram = () => ['--program', place.asService.program.programId];

  test('create returns the id; repeated, it adds the role to the existing user and says so', async () => {
    const created = JSON.parse((await create('--role', 'owner', ...inProgram(), '--json')).stdout);
    assert.deepEqual(Object.keys(created), ['userId']);
    const again = await place.tributary('user', 'create', '--email', 'dana@example.COM', '--name', 'D', '--role', 'viewer', ...inProgram());
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /Dana@Example\.com already exists as Dana Calder and now has the role viewer/);
    assert.match((await create('--role', 'viewer', ...inProgram())).stdout, /already has the role viewer: nothing changed/);
    const users = JSON.parse((await place.tributary('user', 'list', '--json')).stdout);
    assert.deepEqual(
      users.map(({ id, email, programs }: Record<string, unknown>) => ({ id, email, programs })),
      [
        {
          id: created.userId,
          email: 'Dana@Example.com',
          programs: [{ id: place.asService.program.programId, name: 'Brand', role: 'viewer' }],
        },
      ],
    );
  });

  test('link prints an address that is valid once and is stored as a hash', async () => {
    const { url } = JSON.parse((await place.tributary('user', 'link', 'dana@example.com', '--json')).stdout);
    assert.match(url, /^http:\/\/127\.0\.0\.1:3000\/enter\/[\w-]{43}$/);
    const [row] = await place.ctx.db.selectFrom('emailVerifications').selectAll().execute();
    assert.deepEqual([row?.purpose, row?.codeHash, row?.usedAt], ['command', null, null]);
    assert.ok(!JSON.stringify(row).includes(url.split('/').at(-1)));
  });

  test('link accepts the invitation of an affiliate who has never signed in', async () => {
    const { key, programId } = place.asService.program;
    const body = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lindqvist' };
    const invited = await place.asService.request('POST', `/v1/programs/${programId}/affiliates`, { key, body });
    assert.equal(invited.status, 201, invited.text);
    const printed = await place.tributary('user', 'link', 'ADA@example.com');
    assert.match(printed.stdout, /Accepts the invitation of Ada Lindqvist \(ada@example\.com\) once, until/);
    const token = /\/enter\/([\w-]{43})/.exec(printed.stdout)?.[1] ?? '';
    const [row] = await place.ctx.db.selectFrom('emailVerifications').selectAll().where('email', '=', 'ada@example.com').execute();
    assert.deepEqual([row?.purpose, row?.usedAt, row?.tokenHash.equals(hashToken(token))], ['affiliate_invitation', null, true]);
  });

  test('disable prevents links until the user is enabled', async () => {
    assert.match((await place.tributary('user', 'disable', 'dana@example.com')).stdout, /Disabled\. All sessions of the user have ended\./);
    const rejected = await place.tributary('user', 'link', 'dana@example.com');
    assert.deepEqual([rejected.code, /is disabled/.test(rejected.stderr)], [1, true]);
    assert.equal((await place.tributary('user', 'enable', 'dana@example.com')).code, 0);
    assert.equal((await place.tributary('user', 'link', 'dana@example.com')).code, 0);
  });

  test('a new organization is created for its first owner, who creates programs in the console', async () => {
    const created = await place.tributary(
      ...['user', 'create', '--email', 'founder@example.com', '--name', 'Founder', '--role', 'owner'],
      ...['--new-organization', 'Calder Agency'],
    );
    assert.equal(created.code, 0, created.stderr);
    const rows = await place.ctx.db
      .selectFrom('organizationMembers')
      .innerJoin('organizations', 'organizations.id', 'organizationId')
      .innerJoin('users', 'users.id', 'userId')
      .select(['organizations.name', 'role'])
      .where('users.email', '=', 'founder@example.com')
      .execute();
    assert.deepEqual(rows, [{ name: 'Calder Agency', role: 'owner' }]);
  });

  test('mistakes are reported in one sentence', async () => {
    const unknown = await place.tributary('user', 'link', 'unknown@example.com');
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [1, 'error: No user, invited affiliate or member, or applicant has the email address unknown@example.com.\n'],
    );
    const neither = await create('--role', 'owner');
    assert.deepEqual([neither.code, neither.stderr], [2, 'error: Pass one of --program, --organization and --new-organization.\n']);
    const address = await place.tributary('user', 'create', '--email', 'x', '--name', 'X', '--role', 'owner', ...inProgram());
    assert.deepEqual([address.code, address.stderr], [2, 'error: --email must be an email address.\n']);
    assert.match((await create('--role', 'king', ...inProgram())).stderr, /Allowed choices are owner, admin/);
    const organization = place.ctx.ids.uuid();
    assert.equal(
      (await place.tributary('program', 'create', '--name', 'B', '--organization', organization)).stderr,
      `error: No organization has the id ${organization}.\n`,
    );
  });
});
