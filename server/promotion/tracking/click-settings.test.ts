import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { defaultClickSettings } from './settings.ts';

describe('click settings', () => {
  let service: TestService;
  let path: string;
  before(async () => {
    service = await openTestService();
    path = `${service.program.path}/click-settings`;
  });
  after(() => service.close());

  test('have defaults, can be changed one by one, and each change is audited', async () => {
    assert.deepEqual((await service.request('GET', path)).body, defaultClickSettings);
    const { status, body } = await service.request('PATCH', path, { body: { clicksPerIpPerMinute: 5, bots: 'hold' } });
    assert.deepEqual([status, body], [200, { ...defaultClickSettings, clicksPerIpPerMinute: 5, bots: 'hold' }]);
    assert.deepEqual((await service.request('GET', path)).body, body);
    await service.request('PATCH', path, { body: { bots: 'hold' } });
    const { rows } = await service.pool.query(`select before, after from audit_log where action = 'click_settings.updated'`);
    const difference = { before: { clicksPerIpPerMinute: 60, bots: 'ignore' }, after: { clicksPerIpPerMinute: 5, bots: 'hold' } };
    assert.deepEqual(rows, [difference]);
  });

  test('are stored in canonical form', async () => {
    const body = {
      blockedIpRanges: ['203.0.113.0/24', '2001:DB8:0::/032', ' 192.0.2.1 ', '192.0.2.1'],
      blockedReferrers: ['Coupons.EXAMPLE', 'bücher.example'],
      blockedCountries: ['de', 'FR', 'DE'],
    };
    assert.deepEqual((await service.request('PATCH', path, { body })).body.blockedIpRanges, [
      '203.0.113.0/24',
      '2001:db8::/32',
      '192.0.2.1',
    ]);
    const { blockedReferrers, blockedCountries } = (await service.request('GET', path)).body;
    assert.deepEqual(blockedReferrers, ['coupons.example', 'xn--bcher-kva.example']);
    assert.deepEqual(blockedCountries, ['DE', 'FR']);
  });

  test('that are invalid are 400, naming the field', async () => {
    const wrong: [string, unknown][] = [
      ['clicksPerIpPerMinute', -1],
      ['clicksPerIpPerMinute', 1.5],
      ['clicksPerIpPerHour', 1e9],
      ['clicksPerIpPerHour', null],
      ['dedupeSeconds', 86_401],
      ['blockedIpRanges', ['1.2.3']],
      ['blockedIpRanges', ['1.2.3.4/33']],
      ['blockedIpRanges', ['::1/129']],
      ['blockedIpRanges', ['fe80::1%eth0']],
      ['blockedIpRanges', ['0x7f.1']],
      ['blockedReferrers', ['https://x.example']],
      ['blockedReferrers', ['*.x.example']],
      ['blockedCountries', ['Germany']],
      ['bots', 'block'],
    ];
    for (const [field, value] of wrong) {
      const { status, body } = await service.request('PATCH', path, { body: { [field]: value } });
      assert.deepEqual([status, body.details?.[0].path[0]], [400, field], `${field} ${JSON.stringify(value)}`);
    }
  });
});
