// Floods of clicks in one process: the limit is exact for any headers, every visitor is redirected, and no
// address is left behind. Two processes on one database: processes.test.ts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { buildApp } from '../../server/main.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { foldClicks } from '../../server/partners/affiliates/totals/fold-clicks.ts';
import { deleteVisitorKeys } from '../../server/promotion/tracking/delete-visitor-keys.ts';
import { createLinkCache } from '../../server/promotion/tracking/links/links.ts';
import { createClickRecorder } from '../../server/promotion/tracking/recording/record.ts';
import { defaultClickSettings } from '../../server/promotion/tracking/settings.ts';
import { getTracking } from '../../server/promotion/tracking/visit.ts';
import { browsers, chrome } from '../support/browsers.ts';
import { anAffiliate } from '../support/builders.ts';
import { flood, randomAddress } from '../support/flood.ts';
import { openTestService, type TestService, template } from '../support/harness.ts';
import { until } from '../support/time/wait.ts';

const count = async (service: TestService, table = 'clicks') =>
  (await service.pool.query(`select count(*)::int as count from ${table}`)).rows[0].count;

async function checkWhole(service: TestService): Promise<void> {
  await foldClicks(service.ctx);
  for (const { name, broken } of await checkInvariants(service.ctx)) assert.deepEqual(broken, [], name);
  const { rows } = await service.pool.query(`select sum(clicks)::int as clicks from affiliates`);
  assert.equal(rows[0].clicks, await count(service));
}

async function set(service: TestService, body: object): Promise<void> {
  assert.equal((await service.request('PATCH', `${service.program.path}/click-settings`, { body })).status, 200);
  service.clock.advance({ seconds: 2 });
}

describe('10,000 clicks of one peer', () => {
  let service: TestService;
  let code: string;
  before(async () => {
    service = await openTestService();
    code = (await anAffiliate(service, { status: 'active' })).referralCode;
    await set(service, { clicksPerIpPerMinute: 60, clicksPerIpPerHour: 100 });
  });
  after(() => service.close());

  test('with forged addresses: exactly the limit is recorded, and all are redirected', async () => {
    const claims = () => ({ 'x-forwarded-for': randomAddress(), 'x-real-ip': randomAddress(), forwarded: `for=${randomAddress()}` });
    const clicks = Array.from({ length: 10_000 }, () => ({ from: '203.0.113.7', code, headers: claims() }));
    assert.deepEqual(await flood(service, clicks), { redirects: 10_000, recorded: 60 });
    assert.equal(await count(service), 60);
    await getTracking(service.ctx).rejected.idle();
    const { rows } = await service.pool.query(`select reason, clicks::int from rejected_clicks`);
    assert.deepEqual(rows, [{ reason: 'rate_limited', clicks: 9940 }]);
    await checkWhole(service);
  });

  test('of one site of IPv6 with many networks: ten times the limit is recorded, not one limit for each network', async () => {
    const from = () => `2001:db8:5:${(Math.random() * 65_536).toString(16).split('.')[0]}::${Math.floor(Math.random() * 9999)}`;
    const clicks = Array.from({ length: 2000 }, () => ({ from: from(), code }));
    assert.deepEqual(await flood(service, clicks), { redirects: 2000, recorded: 600 });
    const tunnels = Array.from({ length: 200 }, (_, index) => ({ from: `2002:c633:64${index.toString(16).padStart(2, '0')}::1`, code }));
    assert.equal((await flood(service, tunnels)).recorded, 200);
    const oneTunnel = Array.from({ length: 200 }, (_, index) => ({ from: `2002:c633:6401:${index.toString(16)}::1`, code }));
    assert.equal((await flood(service, oneTunnel)).recorded, 59);
    await service.pool.query('delete from clicks');
    await service.pool.query('delete from daily_totals');
    await service.pool.query('delete from click_deltas');
    await service.pool.query('update affiliates set clicks = 0');
  });

  test('the next minute records up to the limit of the hour, and rejected clicks do not use it up', async () => {
    service.clock.advance({ seconds: 60 });
    const clicks = Array.from({ length: 300 }, () => ({ from: '203.0.113.7', code }));
    assert.deepEqual(await flood(service, clicks), { redirects: 300, recorded: 40 });
    service.clock.advance({ seconds: 3600 });
    assert.deepEqual(await flood(service, clicks), { redirects: 300, recorded: 60 });
  });

  test('IPv6 counts by /64, and IPv4 written as IPv6 is the same address', async () => {
    const near = Array.from({ length: 200 }, (_, index) => ({ from: `2001:db8:1:2::${index.toString(16)}`, code }));
    assert.equal((await flood(service, near)).recorded, 60);
    const far = Array.from({ length: 50 }, (_, index) => ({ from: `2001:db8:1:${index + 10}::1`, code }));
    assert.equal((await flood(service, far)).recorded, 50);
    const dressed = Array.from({ length: 100 }, (_, index) => ({ from: index % 2 ? '198.51.100.9' : '::ffff:198.51.100.9', code }));
    assert.equal((await flood(service, dressed)).recorded, 60);
  });

  test('another program counts separately', async () => {
    const other = await anAffiliate(service, { status: 'active' }, service.foreign);
    const clicks = Array.from({ length: 50 }, () => ({ from: '203.0.113.7', code: other.referralCode }));
    assert.equal((await flood(service, clicks)).recorded, 50);
    await checkWhole(service);
  });
});

describe('behind a trusted proxy', () => {
  let service: TestService;
  let code: string;
  before(async () => {
    service = await openTestService({ environment: { TRUSTED_PROXIES: '10.0.0.0/8' } });
    code = (await anAffiliate(service, { status: 'active' })).referralCode;
    await set(service, { clicksPerIpPerMinute: 3, blockedCountries: ['KP'] });
  });
  after(() => service.close());

  test('each client counts separately, by the last address that a trusted proxy reported', async () => {
    const clicks = Array.from({ length: 500 }, (_, index) => ({
      from: '10.0.0.1',
      code,
      headers: { 'x-forwarded-for': `${randomAddress()}, 198.51.100.${index % 50}, 10.0.0.2` },
    }));
    assert.deepEqual(await flood(service, clicks), { redirects: 500, recorded: 150 });
  });

  test('forwarded addresses and countries of other clients are ignored', async () => {
    const claim = { 'cf-ipcountry': 'KP', 'x-forwarded-for': '10.0.0.3' };
    const direct = Array.from({ length: 20 }, () => ({ from: '192.0.2.1', code, headers: claim }));
    assert.equal((await flood(service, direct)).recorded, 3);
    const proxied = { 'cf-ipcountry': 'KP', 'x-forwarded-for': '192.0.2.2' };
    assert.equal((await flood(service, [{ from: '10.0.0.1', code, headers: proxied }])).recorded, 0);
    const elsewhere = { 'cf-ipcountry': 'FR', 'x-forwarded-for': '192.0.2.2' };
    assert.equal((await flood(service, [{ from: '10.0.0.1', code, headers: elsewhere }])).recorded, 1);
  });
});

describe('a crowd', () => {
  let service: TestService;
  let codes: string[];
  before(async () => {
    service = await openTestService();
    const affiliates = [];
    for (let number = 0; number < 12; number += 1) affiliates.push(await anAffiliate(service, { status: 'active' }));
    codes = affiliates.map(({ referralCode }) => referralCode);
  });
  after(() => service.close());

  const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;

  // Each step locks its own rows; the first that is on keeps batches apart for the others.
  for (const [what, settings] of [
    ['limits', { clicksPerIpPerMinute: 20, clicksPerIpPerHour: 500, dedupeSeconds: 5 }],
    ['repetitions', { clicksPerIpPerMinute: 0, clicksPerIpPerHour: 0, dedupeSeconds: 5 }],
    ['totals', { clicksPerIpPerMinute: 0, clicksPerIpPerHour: 0, dedupeSeconds: 0 }],
  ] as const) {
    test(`over four servers whose batches overlap in ${what}: no deadlock, and every count is exact`, async () => {
      await set(service, settings);
      const servers = await Promise.all([1, 2, 3, 4].map(() => buildApp({ ...service.ctx })));
      const addresses = Array.from({ length: 60 }, randomAddress);
      const agents = browsers.slice(0, 3);
      const answered = new Set<string>();
      const odd: unknown[] = [];
      const visit = async (server: (typeof servers)[number]): Promise<void> => {
        const request = { url: `/r/${pick(codes)}`, remoteAddress: pick(addresses), headers: { 'user-agent': pick(agents) } };
        const { statusCode, headers } = await server.inject(request);
        const location = String(headers.location);
        if (statusCode !== 302 || !location.startsWith('https://brand.example/')) odd.push(location);
        const click = /trb_click=([^&]+)/.exec(location)?.[1];
        if (click) answered.add(click);
      };
      const before = await count(service);
      for (let round = 0; round < 8; round += 1) {
        service.clock.advance({ seconds: 61 });
        await Promise.all(servers.flatMap((server) => Array.from({ length: 300 }, () => visit(server))));
      }
      for (const server of servers) await server.close();
      assert.deepEqual(odd, []);
      // A visitor who waited too long is redirected without an id, even if the click is recorded after all.
      const { rowCount } = await service.pool.query('select from clicks where id = any($1)', [[...answered]]);
      assert.equal(rowCount, answered.size, 'every id that a visitor received is a recorded click');
      assert.ok((await count(service)) - before >= answered.size);
      const { rows } = await service.pool.query(
        `select pg_stat_force_next_flush(), deadlocks::int from pg_stat_database where datname = current_database()`,
      );
      assert.equal(rows[0].deadlocks, 0);
      assert.deepEqual(
        service.log.filter((line) => line.includes('not recorded')),
        [],
      );
      await checkWhole(service);
    });
  }

  test('larger than the queue: clicks beyond it are rejected immediately, the others are recorded', async () => {
    const found = await createLinkCache(service.ctx).find({ kind: 'code', name: codes[0] ?? '', program: '' });
    assert.ok(found);
    const settings = { ...defaultClickSettings, clicksPerIpPerMinute: 0, clicksPerIpPerHour: 0 };
    const facts = {
      ip: '192.0.2.1',
      agent: chrome,
      via: 'api' as const,
      visitorId: null,
      country: null,
      adParameter: null,
      referrerHost: null,
    };
    const click = {
      ...facts,
      link: found.link,
      settings,
      timezone: 'UTC',
      at: service.clock.now(),
      recordedAt: service.clock.now(),
      destination: null,
      subIds: [],
      flag: null,
      wait: { isOver: false },
    };
    const { record } = createClickRecorder(service.ctx);
    const before = await count(service);
    const outcomes = await Promise.all(Array.from({ length: 20_300 }, () => record(click)));
    assert.equal(outcomes.filter(({ recorded }) => recorded).length, 20_000);
    assert.deepEqual(new Set(outcomes.filter(({ recorded }) => !recorded).map(({ reason }) => reason)), new Set(['unavailable']));
    assert.equal((await count(service)) - before, 20_000);
    await checkWhole(service);
  });

  test('leaves no address in any row or log line, and the keys are deleted after two days', async () => {
    const addresses = ['198.51.100.201', '2001:db8:77:88::99'];
    for (const from of addresses) {
      assert.equal((await flood(service, [{ from, code: pick(codes) }])).recorded, 1);
      await service.app.inject({
        method: 'POST',
        url: '/v1/clicks',
        remoteAddress: from,
        headers: { 'user-agent': chrome },
        payload: { referralCode: codes[0] },
      });
    }
    const tables = await service.pool.query(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    let seen = 0;
    for (const { name } of tables.rows) {
      const { rows } = await service.pool.query(`select t::text as text from ${name} as t`);
      seen += rows.length;
      for (const part of ['198.51.100.201', '2001:db8:77', 'db8:77:88'])
        assert.ok(!rows.some(({ text }) => text.includes(part)), `${name} holds ${part}`);
    }
    assert.ok(seen > 1000);
    assert.ok(service.log.some((line) => line.includes('/v1/clicks')));
    for (const part of [...addresses, '2001:db8:77']) assert.ok(!service.log.some((line) => line.includes(part)), `the log holds ${part}`);

    service.clock.advance({ days: 1 });
    await flood(service, [{ from: '198.51.100.201', code: pick(codes) }]);
    const hashes = await service.pool.query(`select distinct ip_hash from clicks where created_at >= $1`, [service.clock.now()]);
    const older = await service.pool.query(`select 1 from clicks where ip_hash = $1`, [hashes.rows[0].ip_hash]);
    assert.equal(older.rows.length, 1, 'an address has another hash on another day');
    assert.equal(await count(service, 'tracking_salts'), 2);
    service.clock.advance({ days: 1 });
    await deleteVisitorKeys.run(service.ctx, {}, { isLast: false });
    assert.deepEqual(
      [await count(service, 'tracking_salts'), await count(service, 'click_windows'), await count(service, 'click_repeats')],
      [1, 0, 0],
    );
  });
});

describe('while the database is unavailable', () => {
  let service: TestService;
  let code: string;
  before(async () => {
    service = await openTestService();
    code = (await anAffiliate(service, { status: 'active' })).referralCode;
  });
  after(() => service.close());

  async function reach(isOpen: boolean): Promise<void> {
    const administrator = new pg.Client({ ...template(), database: 'postgres' });
    await administrator.connect();
    const name = service.pool.options.database ?? '';
    await administrator.query(`alter database ${name} allow_connections ${isOpen}`);
    if (!isOpen) await administrator.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [name]);
    await administrator.end();
  }

  test('visitors are redirected without being recorded; a page that reports a click gets 503', async () => {
    assert.equal((await flood(service, [{ from: '192.0.2.1', code }])).recorded, 1);
    await reach(false);
    try {
      service.clock.advance({ seconds: 5 });
      const startedAt = performance.now();
      assert.deepEqual(await flood(service, Array(300).fill({ from: '192.0.2.1', code })), { redirects: 300, recorded: 0 });
      const unknown = await service.request('GET', '/r/NOBODY22', { key: null });
      assert.deepEqual([unknown.status, unknown.headers.location], [302, '/link-unavailable']);
      const { status, headers } = await service.request('POST', '/v1/clicks', {
        key: null,
        body: { referralCode: code },
        headers: { 'user-agent': chrome },
      });
      assert.deepEqual([status, headers['retry-after']], [503, '1']);
      assert.ok(performance.now() - startedAt < 10_000, 'no visitor waits long');
    } finally {
      await reach(true);
    }
    service.clock.advance({ seconds: 120 });
    await until('clicks are recorded again', async () => (await flood(service, [{ from: '192.0.2.9', code }])).recorded > 0);
    await checkWhole(service);
  });
});
