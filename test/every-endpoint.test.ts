// Authorization and form of every endpoint, generated from the table of contents: a new endpoint is
// covered unwritten. Every route × every kind of key × every id slot.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { api } from '../server/api.ts';
import { transact } from '../server/db/transact.ts';
import { type AnyEndpoint, parseRoute } from '../server/http/endpoint.ts';
import { makeKey } from '../server/programs/api-key.ts';
import { issueKey } from '../server/programs/issue-key.ts';
import { revokeKey } from '../server/programs/revoke-key.ts';
import { aGroup, anAffiliate, aProduct } from './builders.ts';
import { type Answer, openTestService, type TestProgram, type TestService } from './harness.ts';

type Ids = Record<string, string>;

const doer = { kind: 'command' as const, id: 'test' };
let service: TestService;
/** Real rows of both programs, by the first part of the path that names them. */
const rows: { own: Ids; foreign: Ids } = { own: {}, foreign: {} };
const keys = { revoked: '', expired: '', writeOnly: '' };
const checked = { keys: 0, scopes: 0, slots: 0, bodies: 0, methods: 0 };

before(async () => {
  service = await openTestService();
  rows.own = await rowsOf(service.program);
  rows.foreign = await rowsOf(service.foreign);
  const { programId } = service.program;
  const issue = (scopes: ('read' | 'write')[], expiresAt: Date | null = null) =>
    transact(service.ctx, (tx) => issueKey(tx, { programId, name: 'Test', scopes, expiresAt, doer }));
  const revoked = await issue(['read', 'write']);
  await transact(service.ctx, (tx) => revokeKey(tx, revoked.keyId, doer));
  keys.revoked = revoked.apiKey;
  keys.expired = (await issue(['read', 'write'], new Date(service.clock.now().getTime() - 1))).apiKey;
  keys.writeOnly = (await issue(['write'])).apiKey;
});
after(() => service.close());

async function rowsOf(program: TestProgram): Promise<Ids> {
  const { id } = await anAffiliate(service, {}, program);
  const slug = `page-${program.programId.slice(-6)}`;
  const page = { affiliateId: id, pageTitle: 'Mine' };
  assert.equal((await service.request('POST', `${program.path}/landing-pages/${slug}`, { body: page, key: program.key })).status, 201);
  return {
    affiliates: id,
    groups: await aGroup(service, 'Gold', program),
    products: await aProduct(service, {}, program),
    'landing-pages': slug,
  };
}

/** The path with real values of the program, but for what `change` says. */
function pathOf(endpoint: AnyEndpoint, change: Ids = {}, ids: Ids = rows.own): string {
  let noun = '';
  return parseRoute(endpoint.route)
    .path.split('/')
    .map((part) => {
      if (!part.startsWith(':')) {
        noun = part;
        return part;
      }
      const name = part.slice(1);
      const value = change[name] ?? (name === 'programId' ? service.program.programId : ids[noun]);
      assert.ok(value, `${endpoint.id}: this test knows no row for :${name} below ${noun}`);
      return encodeURIComponent(value);
    })
    .join('/');
}

function call(endpoint: AnyEndpoint, options: { key?: string | null; path?: string; body?: unknown } = {}): Promise<Answer> {
  const { method } = parseRoute(endpoint.route);
  const body = options.body ?? (endpoint.body ? {} : undefined);
  return service.request(method, options.path ?? pathOf(endpoint), { ...options, ...(body === undefined ? {} : { body }) });
}

/** A body without the request id, which differs by design. */
function withoutId({ text }: Answer): string {
  return text.replace(/"requestId":"[^"]*"/, '"requestId":""');
}

const slotsOf = ({ path }: AnyEndpoint) => Object.entries(path ?? {}).filter(([, slot]) => slot.exists !== null);

describe('every endpoint', () => {
  for (const endpoint of api) {
    const { method, path } = parseRoute(endpoint.route);

    test(`${endpoint.id}: no key, malformed, unknown, revoked and expired are 401 with one body`, async () => {
      const bad = [null, 'trb_live_short', 'x', makeKey('live'), `${service.program.key}x`, keys.revoked, keys.expired];
      const answers = await Promise.all(bad.map((key) => call(endpoint, { key })));
      assert.deepEqual(
        answers.map(({ status }) => status),
        bad.map(() => 401),
      );
      assert.equal(new Set(answers.map(withoutId)).size, 1);
      assert.equal((await call(endpoint, { key: null, path: `${pathOf(endpoint)}?api_key=${service.program.key}` })).status, 401);
      checked.keys += bad.length;
    });

    if (endpoint.scope !== 'any') {
      test(`${endpoint.id}: a key without the scope is 403, before any id is looked up`, async () => {
        const key = endpoint.scope === 'write' ? service.program.readKey : keys.writeOnly;
        const nowhere = Object.fromEntries([
          ['programId', service.ctx.ids.uuid()],
          ...slotsOf(endpoint).map(([name]) => [name, service.ctx.ids.uuid()]),
        ]);
        for (const at of [pathOf(endpoint), pathOf(endpoint, nowhere)]) {
          const { status, body } = await call(endpoint, { key, path: at });
          assert.equal(status, 403);
          assert.match(body.error, new RegExp(endpoint.scope));
          checked.scopes += 1;
        }
      });
    }

    if (path.includes(':programId')) {
      test(`${endpoint.id}: foreign, nonexistent and malformed ids in every slot are 404 with one body, whatever the request's body`, async () => {
        const changes: Ids[] = [service.foreign.programId, service.ctx.ids.uuid(), 'not-a-uuid', '0', `{${service.program.programId}}`].map(
          (programId) => ({ programId }),
        );
        for (const [name] of slotsOf(endpoint)) {
          const foreign = /\/([^/]+)\/:[^/]+$/.exec(path)?.[1] ?? '';
          for (const value of [rows.foreign[foreign] ?? '', service.ctx.ids.uuid(), 'not-an-id', '\0', '%', "' or 1=1 --"])
            changes.push({ [name]: value });
        }
        const answers = await Promise.all(
          changes.map((change) => call(endpoint, { path: pathOf(endpoint, change), ...(endpoint.body && { body: { status: 7 } }) })),
        );
        for (const [index, { status }] of answers.entries()) assert.equal(status, 404, JSON.stringify(changes[index]));
        assert.equal(new Set(answers.map(withoutId)).size, 1);
        const otherKey = await call(endpoint, { key: service.foreign.key });
        assert.equal(withoutId(otherKey), withoutId(answers[0] ?? otherKey));
        checked.slots += changes.length + 1;
      });
    }

    if (endpoint.body) {
      test(`${endpoint.id}: a body that is no object of the declared form is 400 with details`, async () => {
        for (const body of ['[]', '"x"', 'null', '1', '{"a":1,"a":2}', '{', '']) {
          const { status, body: answer } = await call(endpoint, { body: body === '' ? Buffer.alloc(0) : body });
          assert.equal(status, 400, body);
          assert.ok(Array.isArray(answer.details) && answer.details.length > 0, body);
          checked.bodies += 1;
        }
      });
    }

    test(`${endpoint.id}: is documented with its statuses, and answers what it declares`, async () => {
      const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
      const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      assert.equal(operation?.operationId, endpoint.id);
      for (const status of [...endpoint.statuses, 400, 401, 429]) assert.ok(operation.responses[status], `${status}`);
      if (method !== 'GET') return;
      const answer = await call(endpoint);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(endpoint.result.parse(answer.body), answer.body);
      const head = await service.request('HEAD', pathOf(endpoint));
      assert.deepEqual([head.status, head.text], [200, '']);
    });

    test(`${endpoint.id}: other methods are 405 with the allowed ones, and none can be smuggled in`, async () => {
      const allowed = api
        .map(({ route }) => parseRoute(route))
        .filter((other) => other.path === path)
        .map((other) => other.method);
      for (const other of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].filter((name) => !allowed.includes(name as 'GET'))) {
        const { status, body, headers } = await service.request(other, pathOf(endpoint), { headers: { 'x-http-method-override': method } });
        assert.equal(status, 405, other);
        assert.equal(typeof body.error, 'string');
        for (const name of allowed) assert.ok(String(headers.allow).includes(name));
        checked.methods += 1;
      }
    });

    test(`${endpoint.id}: every answer has a request id, is never cached, and says how many requests are left`, async () => {
      const good = await call(endpoint);
      const bad = await call(endpoint, { key: null });
      for (const { headers } of [good, bad]) {
        assert.match(String(headers['x-request-id']), /^[\w.-]{8,64}$/);
        assert.equal(headers['cache-control'], 'no-store');
        assert.equal(headers['x-content-type-options'], 'nosniff');
      }
      assert.equal(bad.body.requestId, bad.headers['x-request-id']);
    });
  }

  test('a malformed slug of a page that is written is 400 naming it', async () => {
    const { status, body } = await service.request('POST', `${service.program.path}/landing-pages/No%20Slug`, {
      body: { affiliateId: rows.own.affiliates, pageTitle: 'x' },
    });
    assert.deepEqual([status, body.details[0].path], [400, ['slug']]);
  });

  test('all of this was really checked', () => {
    assert.ok(api.length >= 12);
    for (const [kind, count] of Object.entries(checked)) assert.ok(count >= api.length, `${kind}: ${count}`);
    assert.ok(checked.slots >= 80, `${checked.slots} slots`);
  });
});
