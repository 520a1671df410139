// Affiliates who are left out of a batch stay due, and the reason is shown until a batch pays them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

describe('affiliates who are left out of a batch', () => {
  let service: TestService;
  const ids: string[] = [];

  before(async () => {
    service = await openTestService();
    await service.request('PATCH', service.program.path, { body: { minimumPayoutCents: 0 } });
    for (let index = 0; index < 2; index += 1) {
      const { id } = await anAffiliate(service, { status: 'active' });
      await grant(id);
      ids.push(id);
    }
  });
  after(() => service.close());

  const send = (method: string, path: string, body?: object) =>
    service.request(method, `${service.program.path}/${path}`, body ? { body } : {});
  const grant = (affiliateId: string) => send('POST', 'commissions', { affiliateId, amountCents: 5000, note: 'Bonus' });
  const dispatch = (body: object) => send('POST', 'payouts/dispatch', body);
  const reasons = async () => {
    const { due } = (await send('GET', 'payouts/due')).body;
    return Object.fromEntries(
      due.map((row: { affiliateId: string; exclusion: { note: string } | null }) => [row.affiliateId, row.exclusion?.note]),
    );
  };

  test('keep the reason through a batch that pays others, and lose it when they are paid', async () => {
    const [left = '', paid = ''] = ids;
    const exclusions = [{ affiliateId: left, note: 'Waiting for the contract' }];
    assert.equal((await dispatch({ exclusions, dryRun: true })).status, 200);
    assert.deepEqual(await reasons(), { [left]: undefined, [paid]: undefined }, 'a dry run stores nothing');
    const { status, body } = await dispatch({ exclusions });
    assert.deepEqual([status, body.payouts.map((payout: { affiliateId: string }) => payout.affiliateId)], [201, [paid]]);
    assert.deepEqual(await reasons(), { [left]: 'Waiting for the contract' });
    await grant(paid);
    const again = [...exclusions, { affiliateId: left, note: 'Contract is being checked' }];
    assert.equal((await dispatch({ exclusions: again })).status, 201);
    assert.deepEqual(await reasons(), { [left]: 'Contract is being checked' });
    assert.equal((await dispatch({})).status, 201);
    await grant(left);
    assert.deepEqual(await reasons(), { [left]: undefined });
  });

  test('belong to the program, and each has a reason', async () => {
    await grant(ids[1] ?? '');
    const unknown = await dispatch({ exclusions: [{ affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', note: 'x' }] });
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found']);
    const empty = await dispatch({ exclusions: [{ affiliateId: ids[0], note: '' }] });
    assert.deepEqual([empty.status, empty.body.details[0].path], [400, ['exclusions', '0', 'note']]);
  });
});
