// A key that is revoked while its request is open: nothing of the request may commit.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { issueKey } from '../../accounts/programs/issue-key.ts';
import { revokeKey } from '../../accounts/programs/revoke-key.ts';
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

/** Sends a request whose transaction can't begin its work before the key is revoked: all connections of the service wait. */
async function revokedMeanwhile(method: string, path: string, body: object, headers = {}) {
  const { apiKey, keyId } = await issue();
  // Authenticated once already, so that the use needs no note.
  assert.equal((await service.request('GET', '/v1/me', { key: apiKey })).status, 200);
  const holder = await service.pool.connect();
  await holder.query('begin');
  await holder.query(`update api_keys set revoked_at = $2 where id = $1`, [keyId, service.clock.now()]);
  // Not committed yet: authentication still sees a good key.
  const answer = service.request(method, path, { key: apiKey, body, headers });
  const waits = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  for (let look = 0; look < 200 && (await holder.query(waits)).rows[0].count === '0'; look += 1) await new Promise(setImmediate);
  await holder.query('commit');
  holder.release();
  return answer;
}

test('a write alone, one under an Idempotency-Key, and one in a batch: 401, and nothing is stored', async () => {
  const tables = ['affiliates', 'conversions', 'audit_log', 'emails', 'idempotency_keys'];
  const before = await Promise.all(tables.map(count));
  const person = { email: 'late@example.com', firstName: 'A', lastName: 'B' };
  const order = { orderId: 'late', amountCents: 1000, affiliateId };
  const path = `${service.program.path}/affiliates`;
  for (const answer of [
    await revokedMeanwhile('POST', path, person),
    await revokedMeanwhile('POST', path, person, { 'idempotency-key': 'late' }),
    await revokedMeanwhile('POST', '/v1/conversions', order),
  ])
    assert.deepEqual([answer.status, answer.body.code], [401, 'unauthenticated']);
  const issued = 3;
  const after = await Promise.all(tables.map(count));
  assert.deepEqual(
    after,
    before.map((rows, index) => (tables[index] === 'audit_log' ? rows + issued : rows)),
  );
});

test('a request of a good key in the same batch is not refused with it', async () => {
  const { apiKey, keyId } = await issue();
  await transact(service.ctx, (tx) => revokeKey(tx, keyId, actor));
  const order = (orderId: string, key: string) =>
    service.request('POST', '/v1/conversions', { body: { orderId, amountCents: 1000, affiliateId }, key });
  const answers = await Promise.all([order('g1', service.program.key), order('g2', apiKey), order('g3', service.program.key)]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 401, 201],
  );
});

test('a write that has begun commits before the revocation is answered', async () => {
  const { keyId } = await issue();
  const order: string[] = [];
  let begun = () => {};
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const write = transact(service.ctx, async (tx) => {
    assert.ok((await findActiveKeys(tx, [keyId])).has(keyId));
    begun();
    await tx.db
      .selectFrom('apiKeys')
      .select((row) => row.fn.countAll().as('n'))
      .execute();
    order.push('written');
  });
  await isBegun;
  await Promise.all([write, transact(service.ctx, (tx) => revokeKey(tx, keyId, actor)).then(() => order.push('revoked'))]);
  assert.deepEqual(order, ['written', 'revoked']);
});
