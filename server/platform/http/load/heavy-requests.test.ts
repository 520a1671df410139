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

  test('run two at a time with eight waiting; the others get 429 with Retry-After, and other programs are served', async () => {
    const answering = Array.from({ length: 20 }, () => service.request('GET', path, { key: service.program.readKey }));
    const other = await service.request('GET', foreign, { key: service.foreign.key });
    assert.equal(other.status, 200);
    const answers = await Promise.all(answering);
    const refused = answers.filter(({ status }) => status === 429);
    assert.deepEqual([answers.filter(({ status }) => status === 200).length, refused.length], [10, 10]);
    for (const { headers, body } of refused) assert.deepEqual([headers['retry-after'], body.code], ['2', 'too_many_heavy_requests']);
    assert.equal((await service.request('GET', path)).status, 200);
  });

  test('that are refused for another reason give their place back', async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      assert.equal((await service.request('GET', `${path}0`)).status, 400);
      assert.equal((await service.request('POST', `${service.program.path}/products/import`, { body: '{' })).status, 400);
    }
    assert.equal((await service.request('GET', `${service.program.path}/products/feed`)).status, 200);
    assert.equal((await service.request('HEAD', `${service.program.path}/products/feed`)).status, 200);
    assert.equal((await service.request('GET', `${service.program.path}/ledger/journal`)).status, 200);
  });
});
