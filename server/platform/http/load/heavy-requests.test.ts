import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { until } from '../../../../test/support/embedded/harness.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

const heavyLists = [
  { name: 'affiliates of the console', path: '/affiliates', table: 'affiliates', isApp: true },
  { name: 'events', path: '/events', table: 'events', isApp: false },
  { name: 'affiliates far from the start of the list', path: '/affiliates?offset=10001', table: 'affiliate_counts', isApp: false },
];

function countStatuses(responses: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

type Locked = { table: string; count: number; rejected: number };

/** Sends requests that can't be answered before those without a place were rejected. */
async function sendWhileLocked<Response>(
  service: TestService,
  { table, count, rejected }: Locked,
  send: () => Promise<Response>,
): Promise<Response[]> {
  const lock = await service.pool.connect();
  try {
    await lock.query(`begin; lock table ${table} in access exclusive mode`);
    let settled = 0;
    const responses = Array.from({ length: count }, async () => {
      const response = await send();
      settled += 1;
      return response;
    });
    await until(() => settled >= rejected);
    await lock.query('rollback');
    return await Promise.all(responses);
  } finally {
    lock.release(true);
  }
}

describe('heavy requests of a program', () => {
  let service: TestService;
  let path: string;
  let foreign: string;
  before(async () => {
    service = await openTestService();
    path = `${service.program.path}/affiliates/${(await anAffiliate(service)).id}/qr?format=png&size=512`;
    foreign = `${service.foreign.path}/affiliates/${(await anAffiliate(service, {}, service.foreign)).id}/qr?format=png&size=64`;
  });
  after(() => service.close());

  test('run two at a time with eight waiting; further ones get 429 with Retry-After, and other programs are not affected', async () => {
    const requests = Array.from({ length: 20 }, () => service.request('GET', path, { key: service.program.readKey }));
    const other = await service.request('GET', foreign, { key: service.foreign.key });
    assert.equal(other.status, 200);
    const responses = await Promise.all(requests);
    const rejected = responses.filter(({ status }) => status === 429);
    assert.deepEqual([responses.filter(({ status }) => status === 200).length, rejected.length], [10, 10]);
    for (const { headers, body } of rejected) assert.deepEqual([headers['retry-after'], body.code], ['2', 'too_many_heavy_requests']);
    assert.equal((await service.request('GET', path)).status, 200);
  });

  test('are also uploads of images: two are read at a time, eight wait, and further ones get 429', async () => {
    const owner = await service.asMember('owner');
    const body = { programId: service.program.programId, image: Buffer.from('no image').toString('base64') };
    const upload = () => owner.request('POST', '/app/media', { body });
    const responses = await sendWhileLocked(service, { table: 'affiliate_accounts', count: 20, rejected: 10 }, upload);
    assert.deepEqual(countStatuses(responses), { 400: 10, 429: 10 });
  });

  for (const { name, path, table, isApp } of heavyLists)
    test(`are also the ${name}: four pages are read at a time, 32 wait, and further ones get 429`, async () => {
      const owner = await service.asMember('owner');
      const { program } = service;
      const read = () =>
        isApp ? owner.request('GET', `/app/programs/${program.programId}${path}`) : service.request('GET', program.path + path);
      const responses = await sendWhileLocked(service, { table, count: 50, rejected: 14 }, read);
      assert.deepEqual(countStatuses(responses), { 200: 36, 429: 14 });
      for (const { headers, status } of responses) if (status === 429) assert.equal(headers['retry-after'], '2');
    });

  test('are not the pages near the start of a list', async () => {
    const near = Array.from({ length: 50 }, () => service.request('GET', `${service.program.path}/affiliates?offset=10000`));
    assert.deepEqual(countStatuses(await Promise.all(near)), { 200: 50 });
  });

  test('release their permit if they are rejected for another reason', async () => {
    for (let attempt = 0; attempt < 12; attempt += 1) {
      assert.equal((await service.request('GET', `${path}0`)).status, 400);
      assert.equal((await service.request('POST', `${service.program.path}/products/import`, { body: '{' })).status, 400);
    }
    assert.equal((await service.request('GET', `${service.program.path}/products/feed`)).status, 200);
    assert.equal((await service.request('HEAD', `${service.program.path}/products/feed`)).status, 200);
    assert.equal((await service.request('GET', `${service.program.path}/ledger/journal`)).status, 200);
  });
});
