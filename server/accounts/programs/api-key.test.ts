import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { appRole } from '../../platform/db/app-role.ts';
import { transact } from '../../platform/db/transact.ts';
import { issueKey } from './api-keys/issue-key.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

test('a request succeeds although the use of its key cannot be recorded', async () => {
  const path = `${service.program.path}/affiliates`;
  const readUse = async () => (await service.pool.query('select max(last_used_at) as at from api_keys')).rows[0].at.getTime();
  assert.equal((await service.request('GET', path)).status, 200);
  const usedAt = await readUse();
  await service.pool.query(`revoke update on api_keys from ${appRole}`);
  service.clock.advance({ minutes: 2 });
  assert.equal((await service.request('GET', path)).status, 200);
  assert.ok(service.log.some((line) => line.includes('the use of an API key was not recorded')));
  await service.pool.query(`grant update on api_keys to ${appRole}`);
  assert.equal((await service.request('GET', path)).status, 200);
  assert.equal(await readUse(), usedAt + 120_000);
});

test('a request succeeds although the first use of its key from a network cannot be recorded, which a later one records', async () => {
  const { programId } = service.program;
  const actor = { kind: 'command' as const, id: 'test' };
  const issue = () => transact(service.ctx, (tx) => issueKey(tx, { programId, name: 'New', scopes: ['read'], expiresAt: null, actor }));
  const { apiKey, keyId } = await issue();
  const path = `${service.program.path}/affiliates`;
  const readNetworks = async () => (await service.pool.query('select networks from api_keys where id = $1', [keyId])).rows[0].networks;
  await service.pool.query(`revoke update on api_keys from ${appRole}`);
  assert.equal((await service.request('GET', path, { key: apiKey })).status, 200);
  assert.ok(service.log.some((line) => line.includes('a new network of an API key was not recorded')));
  assert.deepEqual(await readNetworks(), []);
  await service.pool.query(`grant update on api_keys to ${appRole}`);
  assert.equal((await service.request('GET', path, { key: apiKey })).status, 200);
  assert.deepEqual(await readNetworks(), ['127.0.0.0/24']);
});
