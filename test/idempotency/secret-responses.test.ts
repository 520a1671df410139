// A response with a generated secret is repeated to the caller who got it first, and to no other of the program.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { issueKey } from '../../server/accounts/programs/api-keys/issue-key.ts';
import { api } from '../../server/api.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { parseRoute } from '../../server/platform/http/declaration/endpoint.ts';
import { type SampleIds, sampleOf, sampleRows } from '../support/fuzz/samples.ts';
import { needsProof } from '../support/fuzz/sign-in-samples.ts';
import { openTestService, type TestService } from '../support/harness.ts';

let service: TestService;
let ids: SampleIds;
let otherKey = '';

before(async () => {
  service = await openTestService();
  ids = await sampleRows(service, 'secrets');
  const actor = { kind: 'command' as const, id: 'test' };
  const { programId } = service.program;
  const fresh = { programId, name: 'Other', scopes: ['read' as const, 'write' as const], expiresAt: null, actor };
  otherKey = (await transact(service.ctx, (tx) => issueKey(tx, fresh))).apiKey;
});
after(() => service.close());

const secret = api.filter(({ id, scope, hasSecretResponse }) => scope === 'write' && hasSecretResponse && !needsProof.has(id));

test('there are operations that return a secret', () => assert.ok(secret.length >= 3));

for (const endpoint of secret)
  test(`${endpoint.id}: another key or user of the program does not get the secret with the same Idempotency-Key`, async () => {
    const { method, path } = parseRoute(endpoint.route);
    const { params, body, query } = sampleOf(endpoint, 77, ids);
    const address = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '') + query;
    const headers = { 'idempotency-key': `shared-${endpoint.id}` };
    // Some operations are for members only.
    const isForMembers = address.startsWith('/app/');
    const send = () =>
      isForMembers ? ids.owner.request(method, address, { body, headers }) : service.request(method, address, { body, headers });
    const first = await send();
    assert.ok(endpoint.statuses.includes(first.status), first.text);
    const { cookie } = isForMembers ? await service.asMember('owner') : await service.signIn(ids.owner.userId);
    const asKey = () => service.request(method, address, { body, headers, key: otherKey });
    const asUser = () => service.request(method, address, { body, key: null, headers: { ...headers, cookie, origin: 'http://api.test' } });
    const others = [isForMembers ? [] : [await asKey()], endpoint.isKeyOnly ? [] : [await asUser()]].flat();
    assert.ok(others.length > 0);
    for (const other of others) {
      assert.equal(other.status, 400, other.text);
      assert.deepEqual(other.body.details, [{ path: ['Idempotency-Key'], message: 'was already used for a different request' }]);
    }
    const again = await send();
    assert.deepEqual([again.status, again.text], [first.status, first.text]);
  });
