import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

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

  test('are also pages far from the start of a list, in every list', async () => {
    const pages = Array.from({ length: 50 }, () => service.request('GET', `${service.program.path}/affiliates?offset=10001`));
    const near = Array.from({ length: 50 }, () => service.request('GET', `${service.program.path}/affiliates?offset=10000`));
    const statuses = (await Promise.all(pages)).map(({ status }) => status);
    assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length], [36, 14]);
    assert.deepEqual(new Set((await Promise.all(near)).map(({ status }) => status)), new Set([200]));
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
