// Every writing operation, generated from the table of contents: the second request with the same Idempotency-Key returns
// the first response and writes nothing. Operations that don't support the key say so in the reference.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { api } from '../../server/api.ts';
import { type AnyEndpoint, parseRoute } from '../../server/platform/http/declaration/endpoint.ts';
import { findChanged, readFingerprint } from '../support/fingerprint.ts';
import { approverOf, type SampleIds, sampleOf, sampleRows } from '../support/fuzz/samples.ts';
import { needsProof } from '../support/fuzz/sign-in-samples.ts';
import { openTestService, type TestService } from '../support/harness.ts';

/** Its own tests repeat it: a prepared request can't complete it. */
const acceptsWithProof = ({ id, scope, endsAccess }: AnyEndpoint): boolean => scope === 'write' && !endsAccess && needsProof.has(id);
const writing = api.filter(({ id, scope, outside, endsAccess }) => scope === 'write' && !outside && !endsAccess && !needsProof.has(id));
const others = api.filter((endpoint) => !writing.includes(endpoint) && !endpoint.route.startsWith('GET ') && !acceptsWithProof(endpoint));
const documentOf = ({ route }: AnyEndpoint) => (route.includes(' /app/') ? 'openapi-app.json' : 'openapi.json');
const documents = new Map(['openapi.json', 'openapi-app.json'].map((name) => [name, JSON.parse(readFileSync(name, 'utf8'))]));

function operationOf(endpoint: AnyEndpoint) {
  const { method, path } = parseRoute(endpoint.route);
  return documents.get(documentOf(endpoint)).paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
}

const acceptsKey = (endpoint: AnyEndpoint): boolean =>
  (operationOf(endpoint).parameters ?? []).some(({ name }: { name: string }) => name === 'Idempotency-Key');

describe('the same Idempotency-Key', () => {
  let service: TestService;
  let ids: SampleIds;
  let cookie = '';
  before(async () => {
    service = await openTestService({ environment: { API_RATE_LIMIT: '6000' } });
    ids = await sampleRows(service, 'replayed');
    cookie = (await service.signIn(ids.owner.userId)).cookie;
  });
  after(() => service.close());

  function send(endpoint: AnyEndpoint, key: string) {
    const { method, path } = parseRoute(endpoint.route);
    const { params, body, query } = sampleOf(endpoint, 815, ids);
    const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) + query;
    const isForUsers = path.startsWith('/app/') || endpoint.isUserOnly === true || approverOf(endpoint, ids) !== undefined;
    const headers = { 'idempotency-key': key, origin: 'http://api.test' };
    return service.request(method, address, isForUsers ? { body, key: null, headers: { ...headers, cookie } } : { body, headers });
  }

  for (const endpoint of writing)
    test(`${endpoint.id}: returns the first response and writes nothing`, async () => {
      const first = await send(endpoint, `key of ${endpoint.id}`.replaceAll(' ', '-'));
      assert.ok(endpoint.statuses.includes(first.status), first.text);
      assert.equal(first.headers['idempotent-replayed'], undefined);
      const before = await readFingerprint(service.pool);
      const replayed = await send(endpoint, `key of ${endpoint.id}`.replaceAll(' ', '-'));
      assert.deepEqual([replayed.status, replayed.text], [first.status, first.text]);
      assert.equal(replayed.headers['idempotent-replayed'], 'true');
      assert.equal(replayed.headers['content-type'], first.headers['content-type']);
      assert.deepEqual(findChanged(before, await readFingerprint(service.pool)), []);
      assert.ok(acceptsKey(endpoint), 'is not documented');
    });

  test('is documented as not supported by every other operation that is not a GET', () => {
    for (const endpoint of others) {
      assert.equal(acceptsKey(endpoint), false, endpoint.id);
      assert.match(operationOf(endpoint).description, /`Idempotency-Key`/, endpoint.id);
    }
    assert.ok(writing.length > 70 && others.length > 10, `${writing.length} ${others.length}`);
  });
});
