// Calls every endpoint as every caller and compares with the committed matrix (test/roles.txt).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { callers, type RoleCaller } from '../scripts/documents/roles.ts';
import { roles } from '../server/accounts/identity/roles.ts';
import { api } from '../server/api.ts';
import { type AnyEndpoint, isForAffiliates, parseRoute, requiredPermissions } from '../server/platform/http/declaration/endpoint.ts';
import { permissions } from '../server/platform/http/declaration/permissions.ts';
import { anAffiliate } from './support/builders.ts';
import { type Answer, openTestService, type TestMember, type TestService } from './support/harness.ts';

/** The allowed callers of each route, as committed. */
const matrix = new Map(
  readFileSync('test/roles.txt', 'utf8')
    .split('\n')
    .filter((line) => /^(GET|POST|PATCH|DELETE) /.test(line))
    .map((line) => {
      const [method = '', path = '', ...cells] = line.split(/\s+/);
      return [`${method} ${path}`, callers.filter((_, index) => cells[index] === 'yes')] as const;
    }),
);

let service: TestService;
const members = new Map<string, TestMember>();
let outsider: TestMember;
let disabled: TestMember;
let count = 0;

before(async () => {
  service = await openTestService();
  for (const role of roles) members.set(role, await service.asMember(role));
  const email = 'ada@example.com';
  const { id } = await anAffiliate(service, { email, status: 'active' });
  members.set('affiliate', await service.asAffiliate({ id, email }));
  outsider = await service.asMember('owner', { program: service.foreign });
  disabled = await service.asMember('owner');
});
after(() => service.close());

/** Ids that name nothing, so that an allowed request ends with 404 or 400 instead of changing anything. */
function addressOf(endpoint: AnyEndpoint): string {
  return parseRoute(endpoint.route)
    .path.replace(':programId', service.program.programId)
    .replace(/:\w+/g, () => service.ctx.ids.uuid());
}

async function callAs(endpoint: AnyEndpoint, headers: Record<string, string>, key: string | null): Promise<Answer> {
  const { method } = parseRoute(endpoint.route);
  const sent = { origin: 'http://api.test', 'tributary-program': service.program.programId, ...headers };
  count += 1;
  return service.request(method, addressOf(endpoint), { key, headers: sent, body: method === 'GET' ? undefined : {} });
}

/** Sessions by user. Endpoints of users may end any session, so each of their requests, and the next one, has a new one. */
const sessions = new Map<string, string>();

async function cookieOf({ scope }: AnyEndpoint, member: TestMember | undefined): Promise<string> {
  assert.ok(member);
  if (scope === 'user') sessions.clear();
  const cookie = sessions.get(member.userId) ?? (await service.signIn(member.userId)).cookie;
  if (scope !== 'user') sessions.set(member.userId, cookie);
  return cookie;
}

async function callWith(endpoint: AnyEndpoint, caller: RoleCaller): Promise<Answer> {
  if (caller === 'anonymous') return callAs(endpoint, {}, null);
  if (caller === 'key:read') return callAs(endpoint, {}, service.program.readKey);
  if (caller === 'key:write') return callAs(endpoint, {}, service.program.key);
  return callAs(endpoint, { cookie: await cookieOf(endpoint, members.get(caller)) }, null);
}

/** Members are not affiliates, and affiliates are not members: to them, the program does not exist. */
function isOtherKind(endpoint: AnyEndpoint, caller: RoleCaller): boolean {
  const { scope } = endpoint;
  const isInProgram = scope !== 'open' && scope !== 'user' && (caller === 'affiliate' || members.has(caller));
  return isInProgram && isForAffiliates(endpoint) !== (caller === 'affiliate');
}

describe('every endpoint as every caller', () => {
  for (const endpoint of api) {
    test(`${endpoint.route}: is allowed to the callers of the matrix, and to no others`, async () => {
      const allowed: RoleCaller[] = [];
      for (const caller of callers) {
        const { status, body } = await callWith(endpoint, caller);
        assert.ok(status < 500, `${caller}: ${status}`);
        if (status === 404 && isOtherKind(endpoint, caller)) continue;
        if (status !== 401 && status !== 403) allowed.push(caller);
        else assert.match(body.code, /^(unauthenticated|missing_scope|permission_required|user_required|api_key_required)$/, caller);
      }
      assert.deepEqual(allowed, matrix.get(endpoint.route));
    });

    if (endpoint.scope === 'open') continue;
    test(`${endpoint.route}: members of another program get the response for a program that does not exist`, async () => {
      const { status, text } = await callAs(endpoint, { cookie: await cookieOf(endpoint, outsider) }, null);
      const cookie = await cookieOf(endpoint, members.get('owner'));
      const path = addressOf(endpoint).replace(service.program.programId, service.ctx.ids.uuid());
      const headers = { origin: 'http://api.test', cookie, 'tributary-program': service.ctx.ids.uuid() };
      const { method } = parseRoute(endpoint.route);
      const nonexistent = await service.request(method, path, { key: null, headers, body: method === 'GET' ? undefined : {} });
      if (endpoint.scope === 'user') assert.notEqual(status, 401);
      else assert.equal(status, endpoint.isKeyOnly ? 403 : 404);
      const withoutId = (given: string) => given.replace(/"requestId":"[^"]*"/, '');
      if (endpoint.scope !== 'user') assert.equal(withoutId(text), withoutId(nonexistent.text));
    });

    test(`${endpoint.route}: a disabled user is signed out immediately`, async () => {
      const cookie = await cookieOf(endpoint, disabled);
      await service.pool.query(`update users set status = 'disabled' where id = $1`, [disabled.userId]);
      const { status } = await callAs(endpoint, { cookie }, null);
      await service.pool.query(`update users set status = 'active' where id = $1`, [disabled.userId]);
      assert.equal(status, 401);
    });
  }

  test('the matrix lists these endpoints and no others, and all of it was checked', () => {
    assert.deepEqual([...matrix.keys()].sort(), api.map(({ route }) => route).sort());
    assert.ok(count >= api.length * callers.length, `${count} requests`);
  });
});

test('every permission is required by an operation', () => {
  // `keys.write` is granted before its endpoints exist.
  const required = new Set<string>(['keys.write', ...api.flatMap(requiredPermissions)]);
  assert.deepEqual(
    permissions.filter((permission) => !required.has(permission)),
    [],
  );
});
