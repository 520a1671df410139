import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('program settings', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const read = async () => (await service.request('GET', service.program.path)).body;
  const change = (body: unknown, key = service.program.key) => service.request('PATCH', service.program.path, { body, key });
  const auditRows = async () => {
    const { rows } = await service.pool.query(`select before, after from audit_log where action = 'program.updated' order by id`);
    return rows;
  };

  test('have defaults, and contain no secrets', async () => {
    const program = await read();
    assert.deepEqual(
      [program.holdDays, program.minimumPayoutCents, program.commissionCapPercent, program.flatRefunds, program.attributionModel],
      [30, 5000, 100, 'pro_rata', 'last_click'],
    );
    assert.deepEqual([program.attributionWindowDays, program.remembersCustomers, program.destinationHosts], [30, true, []]);
    assert.deepEqual(
      Object.keys(program).filter((name) => /hash|key|clickSettings|fraudSettings/i.test(name)),
      [],
    );
  });

  test('can be changed, appear in GET /v1/me, and do not affect another program', async () => {
    const changes = {
      name: 'Fern',
      websiteUrl: 'https://fern.example/',
      timezone: 'Europe/Berlin',
      holdDays: 0,
      minimumPayoutCents: 1,
      payoutApprovalCents: 500_000,
      taxForms: 'required',
      commissionCapPercent: 12.3456,
      flatRefunds: 'keep',
      attributionModel: 'first_click',
      attributionPriority: 'click_first',
      attributionWindowDays: 3650,
      hijackGuardSeconds: 30,
      remembersCustomers: false,
      destinationHosts: ['shop.example', 'xn--bcher-kva.example'],
    };
    const { status, body } = await change({ ...changes, currency: 'EUR', mode: 'test', id: service.foreign.programId });
    assert.equal(status, 200);
    assert.deepEqual(body, { ...body, ...changes, currency: 'USD', mode: 'live', id: service.program.programId });
    assert.deepEqual(await read(), body);
    assert.deepEqual((await service.request('GET', '/v1/me')).body.program, body);
    const other = (await service.request('GET', service.foreign.path, { key: service.foreign.key })).body;
    assert.deepEqual([other.name, other.holdDays], ['Other Brand', 30]);
    assert.equal((await change({ commissionCapPercent: null, websiteUrl: null })).body.commissionCapPercent, null);
  });

  test('only changed fields are audited; a request without a change is not', async () => {
    await change({ holdDays: 5, destinationHosts: ['a.example'] });
    const before = (await auditRows()).length;
    await change({ holdDays: 6, destinationHosts: ['A.example'], timezone: 'UTC' });
    for (const unchanged of [{ holdDays: 6, destinationHosts: ['a.example'] }, {}]) assert.equal((await change(unchanged)).status, 200);
    const rows = await auditRows();
    assert.equal(rows.length, before + 1);
    assert.deepEqual([rows.at(-1).before.holdDays, rows.at(-1).after.holdDays], [5, 6]);
    assert.ok(!('destinationHosts' in rows.at(-1).after));
  });

  test('hosts are stored as browsers compare them, without duplicates', async () => {
    const { body } = await change({ destinationHosts: [' Shop.EXAMPLE ', 'shop.example', 'bücher.example', 'localhost'] });
    assert.deepEqual(body.destinationHosts, ['shop.example', 'xn--bcher-kva.example', 'localhost']);
  });

  const badHosts = [
    ...['', ' ', 'https://shop.example', 'shop.example:443', 'shop.example/x', 'shop.example?x', 'shop.example#x', 'shop.example\\x', 'user@shop.example', '*.example', '.example', 'example.'],
    ...['a..b', '-a.example', 'a_b.example', '127.0.0.1', '0x7f.1', '2130706433', '[::1]', 'a b.example', 'a%2eb.example', `${'a'.repeat(64)}.example`],
  ]; // biome-ignore format: a list
  for (const host of badHosts) {
    test(`rejects the host ${JSON.stringify(host.slice(0, 30))} with its path`, async () => {
      const { status, body } = await change({ destinationHosts: ['ok.example', host] });
      assert.deepEqual([status, body.details?.[0].path], [400, ['destinationHosts', '1']]);
    });
  }

  for (const [field, values] of Object.entries({
    name: ['', 'a\nb', 'x'.repeat(101), '<script>', null],
    websiteUrl: ['javascript:1', 'x', 5],
    timezone: ['Mars/Olympus', '', '+01:00', 'UTC\u200b', null],
    holdDays: [-1, 3651, 1.5, '3', null],
    minimumPayoutCents: [-1, 0.5, 100_000_000_000],
    payoutApprovalCents: [-1, 0.5, 100_000_000_000, '5'],
    taxForms: ['on', true, null],
    commissionCapPercent: [-0.1, 1000.1, 1.23456, '5'],
    flatRefunds: ['none', null],
    attributionModel: ['linear'],
    attributionPriority: ['both'],
    attributionWindowDays: [0, 3651],
    hijackGuardSeconds: [-1, 86_401],
    remembersCustomers: ['yes', 1, null],
    destinationHosts: ['shop.example', null, Array(51).fill('shop.example')],
  })) {
    test(`rejects an invalid ${field} with its path and changes nothing`, async () => {
      const before = await read();
      for (const value of values) {
        const { status, body } = await change({ holdDays: 77, [field]: value });
        assert.deepEqual([status, body.details?.[0].path[0]], [400, field], JSON.stringify(value));
      }
      assert.deepEqual(await read(), before);
    });
  }

  test('a key with the read scope cannot change settings', async () => {
    assert.equal((await change({ holdDays: 1 }, service.program.readKey)).status, 403);
    assert.equal((await service.request('GET', service.program.path, { key: service.program.readKey })).status, 200);
  });
});
