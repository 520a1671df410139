// Authorization and documentation of every endpoint, generated from the table of contents, so that a new endpoint is
// covered automatically: every route × every kind of key × every id slot.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { generateKey } from '../server/accounts/programs/api-key.ts';
import { issueKey } from '../server/accounts/programs/api-keys/issue-key.ts';
import { revokeKey } from '../server/accounts/programs/api-keys/revoke.ts';
import { api } from '../server/api.ts';
import { transact } from '../server/platform/db/transact.ts';
import { type AnyEndpoint, parseRoute } from '../server/platform/http/declaration/endpoint.ts';
import { jobs } from '../server/schedule.ts';
import { rowsOfProgram } from './support/endpoints/program-rows.ts';
import { anInvitation, appRowsByNoun, consoleRowsByNoun } from './support/fuzz/app-samples.ts';
import { portalRows, portalRowsByNoun } from './support/fuzz/portal-samples.ts';
import { approverOf, type SampleIds, sampleOf, sampleRows } from './support/fuzz/samples.ts';
import { addPasskey, needsProof } from './support/fuzz/sign-in-samples.ts';
import { type Answer, openTestService, type TestMember, type TestService } from './support/harness.ts';
import { findUnused, withoutExceptions } from './support/routing/exceptions.ts';
import { recordStatements } from './support/routing/record.ts';
import { readTenantTables } from './support/structure/reference-tables.ts';

type Ids = Record<string, string>;
const isForUsers = ({ route }: AnyEndpoint): boolean => route.includes(' /app/');
const actor = { kind: 'command' as const, id: 'test' };
const recording = recordStatements();
let service: TestService;
/** Real rows of both programs, by the first part of the path that names them. */
const rows: { own: Ids; foreign: Ids } = { own: {}, foreign: {} };
const keys = { revoked: '', expired: '', writeOnly: '' };
const seenIds = new Set<string>();
let [sampled, foreigner]: [SampleIds, TestMember] = [{} as SampleIds, {} as TestMember];
const checked = { keys: 0, scopes: 0, slots: 0, bodies: 0, methods: 0, answers: 0, results: 0, limits: 0 };

before(async () => {
  service = await openTestService({ environment: { API_RATE_LIMIT: '6000' } });
  recording.start(await readTenantTables(service.pool));
  rows.own = await rowsOfProgram(service, service.program);
  rows.foreign = await rowsOfProgram(service, service.foreign);
  const { programId } = service.program;
  const issue = (scopes: ('read' | 'write')[], expiresAt: Date | null = null) =>
    transact(service.ctx, (tx) => issueKey(tx, { programId, name: 'Test', scopes, expiresAt, actor }));
  const revoked = await issue(['read', 'write']);
  await transact(service.ctx, (tx) => revokeKey(tx, { programId, keyId: revoked.keyId, actor }));
  keys.revoked = revoked.apiKey;
  keys.expired = (await issue(['read', 'write'], new Date(service.clock.now().getTime() - 1))).apiKey;
  keys.writeOnly = (await issue(['write'])).apiKey;
  foreigner = await service.asMember('owner', { program: service.foreign });
  // Runs the jobs, which would complete tasks of the samples.
  const { invitation, email } = await anInvitation(service, foreigner, service.foreign);
  sampled = await sampleRows(service, 'sampled');
  const { owner } = sampled;
  const foreignTable = await consoleRowsByNoun(service, service.foreign, foreigner);
  rows.own = { ...rows.own, ...appRowsByNoun(sampled), passkeys: await addPasskey(service, owner.userId) };
  rows.foreign = {
    ...rows.foreign,
    ...foreignTable,
    emails: email,
    'member-invitations': invitation,
    members: foreigner.userId,
    ...portalRowsByNoun(await portalRows(service, foreigner.email, service.foreign)),
    passkeys: await addPasskey(service, foreigner.userId),
  };
});
after(async () => {
  await service.close();
  recording.stop();
});

/** The path with the ids of existing rows; `change` replaces some of them. */
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
      const value = change[name] ?? (name === 'programId' ? service.program.programId : (ids[`${noun}/${part}`] ?? ids[noun]));
      assert.ok(value, `${endpoint.id}: this test has no row for :${name} below ${noun}`);
      return encodeURIComponent(value);
    })
    .join('/');
}

function formOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:[a-zA-Z]+/g, '[^/]+')}$`);
}

type Sent = { path?: string; body?: unknown; headers?: Record<string, string> };
type Options = Sent & { as?: string; key?: string | null; userId?: string | undefined };

/** With the program's key; in a new session if a user is given, or of the owner for endpoints of signed-in users, unless a key is. */
async function call(endpoint: AnyEndpoint, { as, userId, ...options }: Options = {}): Promise<Answer> {
  const method = as ?? parseRoute(endpoint.route).method;
  const body = options.body ?? (endpoint.body && as === undefined ? {} : undefined);
  const isUser = (isForUsers(endpoint) || userId !== undefined) && options.key === undefined;
  const session: Record<string, string> = isUser ? { cookie: (await service.signIn(userId ?? sampled.owner.userId)).cookie } : {};
  const answer = await service.request(method, options.path ?? pathOf(endpoint), {
    ...options,
    body,
    key: isUser ? null : (options.key ?? (options.key === null ? null : service.program.key)),
    headers: { origin: 'http://api.test', ...session, ...options.headers },
  });
  checkHeaders(answer);
  return answer;
}

/** What holds for every answer. */
function checkHeaders({ status, headers, body }: Answer): void {
  assert.match(String(headers['x-request-id']), /^[\w.-]{8,64}$/, `${status}`);
  assert.equal(headers['cache-control'], 'no-store', `${status}`);
  assert.equal(headers['x-content-type-options'], 'nosniff', `${status}`);
  if (status >= 400 && body) assert.equal(body.requestId, headers['x-request-id']);
  seenIds.add(String(headers['x-request-id']));
  checked.answers += 1;
}

/** A body without the request id, which differs by design. */
function withoutId({ text }: Answer): string {
  return text.replace(/"requestId":"[^"]*"/, '"requestId":""');
}

const slotsOf = ({ path }: AnyEndpoint) => Object.entries(path ?? {}).filter(([, slot]) => slot.exists !== null);

describe('every endpoint', () => {
  for (const endpoint of api) {
    const { method, path } = parseRoute(endpoint.route);
    const isOpen = endpoint.scope === 'open';

    if (isOpen) {
      test(`${endpoint.id}: asks for no key, and looks at none`, async () => {
        const answers = await Promise.all([null, 'x', keys.revoked, service.program.key].map((key) => call(endpoint, { key })));
        assert.equal(new Set(answers.map(withoutId)).size, 1);
        for (const { status, headers } of answers) {
          assert.ok(status !== 401 && status !== 403, `${status}`);
          assert.equal(headers.ratelimit, undefined);
        }
        checked.keys += answers.length;
      });
    } else
      test(`${endpoint.id}: no key, malformed, unknown, revoked and expired are 401 with one body`, async () => {
        const bad = [null, 'trb_live_short', 'x', generateKey('live'), `${service.program.key}x`, keys.revoked, keys.expired];
        const answers = await Promise.all(bad.map((key) => call(endpoint, { key })));
        assert.deepEqual(
          answers.map(({ status }) => status),
          bad.map(() => 401),
        );
        assert.equal(new Set(answers.map(withoutId)).size, 1);
        assert.equal((await call(endpoint, { key: null, path: `${pathOf(endpoint)}?api_key=${service.program.key}` })).status, 401);
        checked.keys += bad.length;
      });

    if (endpoint.scope !== 'any' && !isOpen) {
      test(`${endpoint.id}: a key without the scope, or any key if it is for users, is 403, before any id is looked up`, async () => {
        const key = isForUsers(endpoint) ? service.program.key : endpoint.scope === 'write' ? service.program.readKey : keys.writeOnly;
        const nowhere = Object.fromEntries([
          ['programId', service.ctx.ids.uuid()],
          ...slotsOf(endpoint).map(([name]) => [name, service.ctx.ids.uuid()]),
        ]);
        for (const at of [pathOf(endpoint), pathOf(endpoint, nowhere)]) {
          const { status, body } = await call(endpoint, { key, path: at });
          assert.equal(status, 403);
          assert.match(body.error, isForUsers(endpoint) ? /signed-in users/ : new RegExp(endpoint.scope));
          checked.scopes += 1;
        }
      });
    }

    if (path.includes(':programId')) {
      test(`${endpoint.id}: foreign, nonexistent and malformed ids in every slot are 404 with one body, for every request body`, async () => {
        const changes: Ids[] = [service.foreign.programId, service.ctx.ids.uuid(), 'not-a-uuid', '0', `{${service.program.programId}}`].map(
          (programId) => ({ programId }),
        );
        for (const [name] of slotsOf(endpoint)) {
          const foreign = new RegExp(`/([^/]+)/:${name}(/|$)`).exec(path)?.[1] ?? '';
          for (const value of [rows.foreign[foreign] ?? '', service.ctx.ids.uuid(), 'not-an-id', '\0', '%', "' or 1=1 --"])
            changes.push({ [name]: value });
        }
        const answers = await Promise.all(
          changes.map((change) => call(endpoint, { path: pathOf(endpoint, change), body: endpoint.body && { status: 7 } })),
        );
        for (const [index, { status }] of answers.entries()) assert.equal(status, 404, JSON.stringify(changes[index]));
        assert.equal(new Set(answers.map(withoutId)).size, 1);
        const otherKey = await call(endpoint, isForUsers(endpoint) ? { userId: foreigner.userId } : { key: service.foreign.key });
        assert.equal(withoutId(otherKey), withoutId(answers[0] ?? otherKey));
        checked.slots += changes.length + 1;
      });
    }

    if (endpoint.body) {
      test(`${endpoint.id}: a body that is no object of the declared form is 400 with details`, async () => {
        // An empty body has no fields, which is an error only if one is required.
        const empty = endpoint.body?.safeParse({}).success ? [] : [Buffer.alloc(0)];
        for (const body of ['[]', '"x"', 'null', '1', '{"a":1,"a":2}', '{', ...empty]) {
          const { status, body: answer } = await call(endpoint, { body });
          assert.equal(status, 400, String(body));
          assert.ok(Array.isArray(answer.details) && answer.details.length > 0, String(body));
          checked.bodies += 1;
        }
      });
    }

    test(`${endpoint.id}: is documented with its statuses, and answers what it declares`, async () => {
      const document = JSON.parse(readFileSync(isForUsers(endpoint) ? 'openapi-app.json' : 'openapi.json', 'utf8'));
      const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      assert.equal(operation?.operationId, endpoint.id);
      const ofKeys = isOpen ? [] : [401, 429, ...(endpoint.scope === 'any' ? [] : [403])];
      const errorStatuses = [400, ...ofKeys, ...(path.includes(':') ? [404] : [])];
      for (const status of [...endpoint.statuses, ...errorStatuses]) assert.ok(operation.responses[status], `${status}`);
      const { params, body, query } = sampleOf(endpoint, 4711, sampled);
      const answer = await call(endpoint, { path: pathOf(endpoint, params) + query, body, userId: approverOf(endpoint, sampled) });
      checked.results += 1;
      if (needsProof.has(endpoint.id)) return void assert.equal(answer.status, 400, answer.text);
      assert.ok(endpoint.statuses.includes(answer.status), answer.text);
      const [type = ''] = String(answer.headers['content-type']).split(';');
      if (answer.body !== null) assert.deepEqual(endpoint.result.parse(answer.body), answer.body);
      else assert.ok(endpoint.media?.includes(type), `${type} is not declared`);
    });

    if (method === 'GET') {
      test(`${endpoint.id}: HEAD is the same request without the body of the answer`, async () => {
        const foreign = path.includes(':') ? [{ path: pathOf(endpoint, { programId: service.foreign.programId }) }] : [];
        for (const options of [{}, { key: null }, { key: keys.writeOnly }, { key: keys.revoked }, ...foreign]) {
          const [get, head] = [await call(endpoint, options), await call(endpoint, { ...options, as: 'HEAD' })];
          assert.deepEqual([head.status, head.text], [get.status, '']);
        }
      });
    }

    test(`${endpoint.id}: a header can't turn it into another method`, async () => {
      for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
        const headers = { [name]: method === 'GET' ? 'POST' : 'GET' };
        const key = method === 'GET' && endpoint.scope !== 'write' ? service.program.key : service.program.readKey;
        const query = endpoint.scope === 'open' ? sampleOf(endpoint, 4711, sampled).query : '';
        const { status } = await call(endpoint, { path: `${pathOf(endpoint)}${query}`, headers, key });
        if (isForUsers(endpoint) && !isOpen) assert.equal(status, 403, name);
        else if (endpoint.scope === 'write') assert.equal(status, 403, name);
        else if (method === 'GET') assert.equal(status, 200, name);
        else assert.notEqual(status, 405, name);
      }
    });

    test(`${endpoint.id}: other methods are 405 with the allowed ones, and none can be smuggled in`, async () => {
      const address = pathOf(endpoint);
      const matching = api.map(({ route }) => parseRoute(route)).filter((other) => formOf(other.path).test(address));
      const allowed = [...new Set(matching.map((other) => other.method))];
      for (const other of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].filter((name) => !allowed.includes(name as 'GET'))) {
        const { status, body, headers } = await call(endpoint, { as: other, headers: { 'x-http-method-override': method } });
        assert.equal(status, 405, other);
        assert.equal(typeof body.error, 'string');
        assert.deepEqual(String(headers.allow).split(', ').sort(), [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])].sort());
        checked.methods += 1;
      }
    });

    if (isOpen) continue;
    test(`${endpoint.id}: returns the remaining requests to callers with a key only`, async () => {
      const nowhere = path.includes(':') ? [{ path: pathOf(endpoint, { programId: service.ctx.ids.uuid() }) }] : [];
      for (const options of [{}, { key: service.program.readKey }, ...(endpoint.scope === 'user' ? [] : nowhere)]) {
        const { headers } = await call(endpoint, options);
        assert.equal(headers['ratelimit-policy'], '"api";q=6000;w=60');
        assert.match(String(headers.ratelimit), /^"api";r=\d+;t=\d+$/);
        checked.limits += 1;
      }
      assert.equal((await call(endpoint, { key: null })).headers.ratelimit, undefined);
    });
  }

  test('the document holds these endpoints and no others', () => {
    const paths = ['openapi.json', 'openapi-app.json'].flatMap((file) => Object.values(JSON.parse(readFileSync(file, 'utf8')).paths));
    const documented = (paths as Record<string, { operationId: string }>[]).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    const publicRoutes = ['links.follow', 'links.followInProgram', 'providers.deliverEvents'];
    assert.deepEqual(documented.sort(), [...api.map(({ id }) => id), ...publicRoutes].sort());
  });

  test('all of this was really checked', () => {
    for (const [kind, count] of Object.entries(checked)) assert.ok(count >= api.length, `${kind}: ${count}`);
    assert.equal(checked.results, api.length);
    assert.equal(seenIds.size, checked.answers, 'a request id came twice');
    assert.ok(checked.answers >= 30 * api.length, `${checked.answers} answers`);
  });

  test('every statement of an endpoint or a job can be routed to the node of its program', async () => {
    for (const { cron, run } of jobs) if (cron) await run(service.ctx, {}, { isLast: false });
    await service.drain();
    assert.deepEqual(withoutExceptions(recording.found), []);
    // Some statements have another form on a cluster.
    if (!service.ctx.allProgramsDb) assert.deepEqual(findUnused(recording.found), [], 'exceptions that are not needed');
    assert.ok(recording.count() > 500, `${recording.count()} statements`);
  });
});
