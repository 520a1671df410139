// The limit of requested emails is one limit, however many processes answer, and requests at the same time count once each.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { cloneDatabase, openTestService, type TestService } from '../../../../test/support/harness.ts';
import { openVisitor } from '../../../../test/support/visitor.ts';
import { deleteExpiredVerifications } from './delete-expired.ts';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let services: [TestService, TestService];

before(async () => {
  database = await cloneDatabase();
  const shared = { database: database.connection, vaultKey: randomBytes(32) };
  services = [await openTestService(shared), await openTestService(shared)];
});
after(async () => {
  for (const service of services) await service.close();
  await database.drop();
});

const request = (index: number, ip: string, email: string) =>
  openVisitor((index % 2 === 0 ? services[0] : services[1]).app, { ip }).post('/sign-in', { email });

test('two processes share the limit of five emails an hour', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 8; index += 1) statuses.push((await request(index, '198.51.100.1', 'shared@brand.example')).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429]);
});

test('of thirty requests at the same time at two processes, five are accepted', async () => {
  const pages = await Promise.all(Array.from({ length: 30 }, (_, index) => request(index, '198.51.100.2', 'race@brand.example')));
  assert.equal(pages.filter(({ status }) => status === 200).length, 5);
  assert.equal(pages.filter(({ status }) => status === 429).length, 25);
});

test('counts are stored without address or network, and deleted when they no longer count', async () => {
  const [{ pool, ctx, clock }] = services;
  await request(0, '198.51.100.3', 'private@brand.example');
  const { rows } = await pool.query('select * from email_request_counts');
  assert.ok(rows.length > 0);
  assert.doesNotMatch(JSON.stringify(rows), /198\.51|brand\.example/);
  clock.advance({ seconds: 60 * 60 });
  await deleteExpiredVerifications.run(ctx, {}, { isLast: false });
  assert.deepEqual((await pool.query('select * from email_request_counts')).rows, []);
});
