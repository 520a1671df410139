import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { transact } from '../../platform/db/transact.ts';
import { generateKey, hashKey, isKeyForm } from './api-key.ts';
import { issueKey } from './api-keys/issue-key.ts';
import { revokeKey } from './api-keys/revoke.ts';

const actor = { kind: 'command' as const, id: 'test' };

describe('GET /v1/me and API keys', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const me = (key: string | null, headers: Record<string, string> = {}) => service.request('GET', '/v1/me', { key, headers });

  test('returns the program of any valid key, and only the start and end of the key', async () => {
    const { status, body, text } = await me(service.program.readKey);
    assert.equal(status, 200);
    assert.equal(body.programId, service.program.programId);
    assert.deepEqual(Object.keys(body), ['programId', 'program', 'apiKey', 'apiVersion']);
    assert.deepEqual(body.apiKey.scopes, ['read']);
    assert.deepEqual([body.apiKey.prefix, body.apiKey.lastFour], [service.program.readKey.slice(0, 13), service.program.readKey.slice(-4)]);
    assert.ok(!text.includes(service.program.readKey));
  });

  test('accepts Bearer in any case, and the key without a scheme', async () => {
    for (const authorization of [`bearer ${service.program.key}`, `BEARER  ${service.program.key}`, service.program.key]) {
      assert.equal((await me(null, { authorization })).status, 200);
    }
    for (const authorization of [`Basic ${service.program.key}`, 'Bearer', `Bearer ${service.program.key} x`]) {
      assert.equal((await me(null, { authorization })).status, 401);
    }
  });

  test('a revoked key fails within a second and an expired key at its expiry, both like an unknown key', async () => {
    const expiresAt = new Date(service.clock.now().getTime() + 60_000);
    const { programId } = service.program;
    const issue = () => transact(service.ctx, (tx) => issueKey(tx, { programId, name: 'Short', scopes: ['read'], expiresAt, actor }));
    const [revoked, expired] = [await issue(), await issue()];
    assert.deepEqual([(await me(revoked.apiKey)).status, (await me(expired.apiKey)).status], [200, 200]);
    await transact(service.ctx, (tx) => revokeKey(tx, { programId, keyId: revoked.keyId, actor }));
    for (let status = 200; status !== 401; ) ({ status } = await me(revoked.apiKey));
    service.clock.advance({ seconds: 60 });
    const responses = [await me(revoked.apiKey), await me(expired.apiKey), await me(generateKey('live')), await me(null)];
    assert.deepEqual(new Set(responses.map(({ status, body }) => `${status} ${body.error}`)).size, 1);
  });

  test('a mistyped key is rejected without a database query', async () => {
    const mistyped = `${service.program.key.slice(0, -1)}${service.program.key.endsWith('a') ? 'b' : 'a'}`;
    assert.equal(isKeyForm(mistyped), false);
    assert.equal((await me(mistyped)).status, 401);
  });

  test('keys appear neither in the log nor in the tables of keys', async () => {
    await me(service.program.key);
    assert.ok(service.log.length > 0);
    assert.ok(!service.log.join('\n').includes(service.program.key));
    const { rows: keys } = await service.pool.query('select * from api_keys');
    const { rows } = await service.pool.query('select * from api_key_hashes');
    assert.ok(!JSON.stringify([keys, rows]).includes(service.program.key));
    assert.ok(rows.some(({ key_hash }) => hashKey(service.program.key).equals(key_hash)));
  });

  test('every generated key has a valid form and checksum, and one changed character invalidates it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 9, max: 57 }), fc.constantFrom('live' as const, 'test' as const), (position, mode) => {
        const key = generateKey(mode);
        assert.ok(isKeyForm(key));
        const changed = key.slice(0, position) + (key[position] === 'x' ? 'y' : 'x') + key.slice(position + 1);
        assert.equal(isKeyForm(changed), false);
      }),
    );
  });
});
