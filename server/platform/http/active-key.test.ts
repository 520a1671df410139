// If an API key is revoked during its request, the request must not commit anything.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { issueKey } from '../../accounts/programs/api-keys/issue-key.ts';
import { revokeKey } from '../../accounts/programs/api-keys/revoke.ts';
import { transact } from '../db/transact.ts';
import { findActiveKeys } from './active-key.ts';

const actor = { kind: 'command' as const, id: 'test' };
let service: TestService;
let affiliateId: string;
before(async () => {
  service = await openTestService();
  await aRule(service);
  affiliateId = (await anAffiliate(service, { status: 'active' })).id;
});
after(() => service.close());

const count = async (table: string) => Number((await service.pool.query(`select count(*) from ${table}`)).rows[0].count);
const issue = () =>
  transact(service.ctx, (tx) => {
    const { programId } = service.program;
    return issueKey(tx, { programId, name: 'Short', scopes: ['read', 'write'], expiresAt: null, actor });
  });

/** Sends a request whose transaction has to wait until its API key is revoked. */
async function sendDuringRevocation(method: string, path: string, body: object, headers = {}) {
  const { apiKey, keyId } = await issue();
  // Used once before, so that authentication doesn't have to update `last_used_at`.
  assert.equal((await service.request('GET', '/v1/me', { key: apiKey })).status, 200);
  const blocker = await service.pool.connect();
  await blocker.query('begin');
  await blocker.query(`update api_keys set revoked_at = $2 where id = $1`, [keyId, service.clock.now()]);
  // Not committed yet, so authentication still accepts the key.
  const response = service.request(method, path, { key: apiKey, body, headers });
  const waits = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  for (let attempt = 0; attempt < 200 && (await blocker.query(waits)).rows[0].count === '0'; attempt += 1) await new Promise(setImmediate);
  await blocker.query('commit');
  blocker.release();
  return response;
}

test('a single write, one with an Idempotency-Key and one in a batch return 401 and store nothing', async () => {
  const tables = ['affiliates', 'conversions', 'audit_log', 'emails', 'idempotency_keys'];
  const before = await Promise.all(tables.map(count));
  const invitation = { email: 'late@example.com', firstName: 'A', lastName: 'B' };
  const order = { orderId: 'late', amountCents: 1000, affiliateId };
  const path = `${service.program.path}/affiliates`;
  for (const response of [
    await sendDuringRevocation('POST', path, invitation),
    await sendDuringRevocation('POST', path, invitation, { 'idempotency-key': 'late' }),
    await sendDuringRevocation('POST', '/v1/conversions', order),
  ])
    assert.deepEqual([response.status, response.body.code], [401, 'unauthenticated']);
  // Each of the three keys was issued, and used for the first time.
  const recorded = 2 * 3;
  const after = await Promise.all(tables.map(count));
  assert.deepEqual(
    after,
    before.map((rows, index) => (tables[index] === 'audit_log' ? rows + recorded : rows)),
  );
});

test('a request with an active key in the same batch is not affected', async () => {
  const { apiKey, keyId } = await issue();
  await transact(service.ctx, (tx) => revokeKey(tx, { programId: service.program.programId, keyId, actor }));
  const order = (orderId: string, key: string) =>
    service.request('POST', '/v1/conversions', { body: { orderId, amountCents: 1000, affiliateId }, key });
  const responses = await Promise.all([order('g1', service.program.key), order('g2', apiKey), order('g3', service.program.key)]);
  assert.deepEqual(
    responses.map(({ status }) => status),
    [201, 401, 201],
  );
});

test('a write that has started commits before the revocation completes', async () => {
  const { keyId } = await issue();
  const { programId } = service.program;
  const order: string[] = [];
  let markStarted = () => {};
  const started = new Promise<void>((resolve) => {
    markStarted = resolve;
  });
  const write = transact(service.ctx, async (tx) => {
    assert.ok((await findActiveKeys(tx, [{ programId, id: keyId }])).has(keyId));
    markStarted();
    await tx.db
      .selectFrom('apiKeys')
      .select((row) => row.fn.countAll().as('n'))
      .execute();
    order.push('written');
  });
  await started;
  await Promise.all([write, transact(service.ctx, (tx) => revokeKey(tx, { programId, keyId, actor })).then(() => order.push('revoked'))]);
  assert.deepEqual(order, ['written', 'revoked']);
});
