import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chrome } from '../../../test/support/browsers.ts';
import { anAffiliate, aPage } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { getTracking } from './visit.ts';

describe('POST /v1/clicks', () => {
  let service: TestService;
  let ada: { id: string; referralCode: string };
  before(async () => {
    service = await openTestService();
    ada = await anAffiliate(service, { status: 'active' });
    await aPage(service, ada.id, 'adas-page');
    const slug = await service.request('PATCH', `${service.program.path}/affiliates/${ada.id}`, { body: { vanitySlug: 'ada' } });
    assert.equal(slug.status, 200);
  });
  after(() => service.close());

  const report = (body: unknown, headers: Record<string, string> = {}) =>
    service.request('POST', '/v1/clicks', { key: null, body, headers: { 'user-agent': chrome, ...headers } });
  const settings = async (body: object) => {
    const { status, text } = await service.request('PATCH', `${service.program.path}/click-settings`, { body });
    assert.equal(status, 200, text);
    service.clock.advance({ seconds: 2 });
  };
  const stored = async (id: string) => (await service.pool.query(`select * from clicks where id = $1`, [id])).rows[0];

  test('needs no key and returns 201 with the recorded click', async () => {
    const body = { referralCode: ada.referralCode, url: 'https://brand.example/tea', referrer: 'https://blog.example/x', subId3: 'three' };
    const { status, body: click } = await report({ ...body, visitorId: 'visitor-1' });
    assert.equal(status, 201);
    assert.deepEqual([click.recorded, click.reason], [true, null]);
    assert.equal(click.redirectUrl, `https://brand.example/tea?trb_click=${click.clickId}&ref=${ada.referralCode}`);
    const row = await stored(click.clickId);
    assert.equal(new Date(click.expiresAt).getTime() - row.created_at.getTime(), 30 * 86_400_000);
    assert.deepEqual(
      [row.affiliate_id, row.via, row.visitor_id, row.referrer_host, row.destination, row.sub_ids],
      [ada.id, 'api', click.visitorId.slice(0, 36), 'blog.example', 'https://brand.example/tea', ['', '', 'three']],
    );
  });

  test('a click from a server without a user agent counts; one from a page does not', async () => {
    for (const agent of ['', 'node']) {
      const reported = await report({ referralCode: ada.referralCode }, { 'user-agent': agent });
      assert.deepEqual([reported.status, reported.body.recorded], [201, true], agent);
      const beacon = await report({ referralCode: ada.referralCode }, { 'user-agent': agent, origin: 'https://brand.example' });
      assert.deepEqual([beacon.status, beacon.body.reason], [200, 'bot'], agent);
    }
  });

  test('accepts a code, a vanity slug or the slug of a landing page, with or without the program', async () => {
    const { programId } = service.program;
    for (const body of [{ referralCode: ada.referralCode.toLowerCase() }, { vanitySlug: 'ada' }, { landingPageSlug: 'adas-page' }]) {
      for (const named of [body, { ...body, programId }]) {
        const { status, body: click } = await report(named);
        assert.equal(status, 201);
        assert.equal((await stored(click.clickId)).affiliate_id, ada.id);
      }
      assert.equal((await report({ ...body, programId: service.foreign.programId })).status, 404);
    }
  });

  test('of programs that use a slug at the same time, one owns it without a program, permanently', async () => {
    const programs = [service.program, service.foreign, await service.newProgram('Third Brand'), await service.newProgram('Fourth Brand')];
    const affiliates = await Promise.all(programs.map((program) => anAffiliate(service, { status: 'active' }, program)));
    const write = (index: number, slug: string) => {
      const { path, key } = programs[index] ?? service.program;
      const body = { affiliateId: affiliates[index]?.id, pageTitle: 'Raced' };
      return service.request('POST', `${path}/landing-pages/${slug}`, { body, key });
    };
    const take = (index: number) => {
      const { path, key } = programs[index] ?? service.program;
      return service.request('PATCH', `${path}/affiliates/${affiliates[index]?.id}`, { body: { vanitySlug: 'raced' }, key });
    };
    const written = await Promise.all(programs.flatMap((_, index) => [write(index, 'raced'), take(index)]));
    assert.deepEqual(new Set(written.map(({ status }) => status)), new Set([200, 201]));
    const ownerOf = async (table: string) => (await service.pool.query(`select program_id from ${table} where slug = 'raced'`)).rows;
    const owners: number[] = [];
    for (const [table, name] of [
      ['bare_pages', { landingPageSlug: 'raced' }],
      ['bare_links', { vanitySlug: 'raced' }],
    ] as const) {
      const [owner, ...others] = await ownerOf(table);
      assert.equal(others.length, 0, table);
      const index = programs.findIndex(({ programId }) => programId === owner.program_id);
      owners.push(index);
      const { body } = await report(name);
      assert.equal((await stored(body.clickId)).affiliate_id, affiliates[index]?.id, table);
      for (const [other, { programId }] of programs.entries())
        assert.equal((await stored((await report({ ...name, programId })).body.clickId)).affiliate_id, affiliates[other]?.id, table);
    }
    const [pageOwner = 0] = owners;
    assert.equal((await write(pageOwner, 'moved-on')).status, 200);
    service.clock.advance({ seconds: 2 });
    for (const landingPageSlug of ['raced', 'moved-on'])
      assert.equal((await stored((await report({ landingPageSlug })).body.clickId)).affiliate_id, affiliates[pageOwner]?.id);
  });

  test('accepts a vanity slug as the referral code, as orders do', async () => {
    for (const body of [{ referralCode: 'ada' }, { referralCode: 'ADA', programId: service.program.programId }])
      assert.equal((await stored((await report(body)).body.clickId)).affiliate_id, ada.id);
    assert.equal((await report({ referralCode: 'ada', programId: service.foreign.programId })).status, 404);
  });

  test('an unknown name is 404; none or several names are 400', async () => {
    for (const body of [{ referralCode: 'NOBODY22' }, { vanitySlug: ada.referralCode }, { landingPageSlug: 'ada' }, { referralCode: 'ä' }])
      assert.equal((await report(body)).status, 404, JSON.stringify(body));
    for (const body of [{}, { referralCode: ada.referralCode, vanitySlug: 'ada' }, { vanitySlug: 'ada', landingPageSlug: 'adas-page' }]) {
      const { status, body: error } = await report(body);
      assert.deepEqual([status, error.details[0].path], [400, ['referralCode']]);
    }
    for (const [field, value] of [['visitorId', 'a b'], ['subId1', 'x'.repeat(101)], ['programId', '7'], ['consent', 'no']] as const) // biome-ignore format: pairs
      assert.deepEqual((await report({ referralCode: ada.referralCode, [field]: value })).body.details?.[0].path, [field]);
  });

  test('adds a visit to a visitor only with the signed id', async () => {
    const visit = async (visitorId?: string) => {
      const { body } = await report({ referralCode: ada.referralCode, visitorId });
      return { given: body.visitorId, stored: (await stored(body.clickId)).visitor_id };
    };
    const first = await visit('customer-1');
    assert.notEqual(first.stored, 'customer-1');
    assert.deepEqual(await visit(first.given), first);
    // An id from the API or a guessed one is not enough.
    for (const known of ['customer-1', first.stored, `${first.stored}_${'a'.repeat(24)}`])
      assert.notEqual((await visit(known)).stored, first.stored);
    assert.deepEqual(await visit(), { given: null, stored: null });
  });

  test('accepts the country only from a trusted proxy', async () => {
    const behind = await openTestService({ environment: { TRUSTED_PROXIES: '10.0.0.1' } });
    try {
      const { referralCode } = await anAffiliate(behind, { status: 'active' });
      const click = async (remoteAddress: string, headers: object = {}) => {
        const payload = { referralCode };
        const response = await behind.app.inject({
          method: 'POST',
          url: '/v1/clicks',
          remoteAddress,
          headers: { host: 'api.test', 'user-agent': chrome, 'cf-ipcountry': 'KP', ...headers },
          payload,
        });
        return (await behind.pool.query('select country, ip_hash from clicks where id = $1', [response.json().clickId])).rows[0];
      };
      assert.equal((await click('10.0.0.1')).country, 'KP');
      assert.equal((await click('198.51.100.7')).country, null);
      // Forwarded text that is not an address counts as the proxy.
      const odd = [await click('10.0.0.1', { 'x-forwarded-for': 'one' }), await click('10.0.0.1', { 'x-forwarded-for': 'two, unknown' })];
      assert.deepEqual(odd[0].ip_hash, odd[1].ip_hash);
    } finally {
      await behind.close();
    }
  });

  describe('with an API key', () => {
    const reportAs = (key: string | null, body: object) =>
      service.request('POST', '/v1/clicks', {
        key,
        body: { referralCode: ada.referralCode, ...body },
        headers: { 'user-agent': 'curl/8' },
      });

    test('bot rules and rate limits apply to the reported user agent and IP address', async () => {
      await settings({ clicksPerIpPerMinute: 1 });
      service.clock.advance({ seconds: 60 });
      const { key } = service.program;
      const outcomes = [];
      for (const ipAddress of ['203.0.113.1', '203.0.113.2', '203.0.113.1', '[2001:db8::1]:443'])
        outcomes.push((await reportAs(key, { ipAddress, userAgent: chrome })).body.reason);
      const bot = await reportAs(key, { ipAddress: '203.0.113.3', userAgent: 'Googlebot/2.1' });
      await settings({ clicksPerIpPerMinute: 60, blockedIpRanges: ['203.0.113.4'] });
      const blocked = await reportAs(key, { ipAddress: '203.0.113.4', userAgent: chrome });
      await settings({ blockedIpRanges: [] });
      assert.deepEqual([...outcomes, bot.body.reason, blocked.body.reason], [null, null, 'rate_limited', null, 'bot', 'blocked_ip']);
      await getTracking(service.ctx).rejected.idle();
      await service.pool.query('delete from rejected_clicks');
    });

    test('the visitor fields need a key with the write scope; other clicks need none', async () => {
      const fields = { ipAddress: '203.0.113.1', userAgent: chrome };
      for (const [key, status, code] of [
        [null, 401, 'unauthenticated'],
        ['trb_test_wrong', 401, 'unauthenticated'],
        [service.program.readKey, 403, 'missing_scope'],
      ] as const) {
        const response = await reportAs(key, fields);
        assert.deepEqual([response.status, response.body.code], [status, code], `${key}`);
        const plain = await service.request('POST', '/v1/clicks', {
          key,
          body: { referralCode: ada.referralCode },
          headers: { 'user-agent': chrome },
        });
        assert.equal(plain.status, 201);
      }
      for (const [field, value] of [['ipAddress', 'localhost'], ['ipAddress', '1.2.3'], ['userAgent', '']] as const) // biome-ignore format: pairs
        assert.deepEqual((await reportAs(service.program.key, { [field]: value })).body.details?.[0].path, [field]);
    });

    test('links of other programs are 404', async () => {
      const { key, programId } = service.foreign;
      assert.equal((await reportAs(key, { userAgent: chrome })).status, 404);
      assert.equal((await reportAs(key, { userAgent: chrome, programId: service.program.programId })).status, 404);
      assert.equal((await reportAs(service.program.key, { userAgent: chrome, programId })).status, 404);
    });
  });

  test('stores no visitor id without consent', async () => {
    const { body } = await report({ referralCode: ada.referralCode, visitorId: 'visitor-2', consent: false });
    assert.equal((await stored(body.clickId)).visitor_id, null);
  });

  test('rejects bots, blocked sources, inactive affiliates and clicks over the limit, with the reason and a redirect URL', async () => {
    const suspended = await anAffiliate(service, { status: 'suspended' });
    await settings({ blockedReferrers: ['coupons.example'], blockedIpRanges: ['127.0.0.0/8'] });
    const blocked = await report({ referralCode: ada.referralCode });
    await settings({ blockedIpRanges: [] });
    const cases = [
      ['blocked_ip', blocked],
      ['bot', await report({ referralCode: ada.referralCode }, { 'user-agent': 'Googlebot/2.1' })],
      ['bot', await report({ referralCode: ada.referralCode }, { 'user-agent': '', origin: 'https://brand.example' })],
      ['prefetch', await report({ referralCode: ada.referralCode }, { 'sec-purpose': 'prefetch;prerender' })],
      ['blocked_referrer', await report({ referralCode: ada.referralCode, referrer: 'https://www.coupons.example/x' })],
      ['affiliate_not_active', await report({ referralCode: suspended.referralCode })],
    ] as const;
    for (const [reason, { status, body }] of cases) {
      assert.deepEqual([status, body.recorded, body.clickId, body.reason, body.expiresAt], [200, false, null, reason, null]);
      assert.match(body.redirectUrl, /^https:\/\/brand\.example\/\?ref=/);
    }
    await settings({ clicksPerIpPerMinute: 1 });
    service.clock.advance({ seconds: 60 });
    const [first, second] = [await report({ referralCode: ada.referralCode }), await report({ referralCode: ada.referralCode })];
    assert.deepEqual([first.status, second.status, second.body.reason], [201, 200, 'rate_limited']);
    await settings({ clicksPerIpPerMinute: 60 });
    const { body } = await service.request('GET', `${service.program.path}/rejected-clicks`);
    const counts = Object.fromEntries(
      body.rejectedClicks.map(({ reason, clicks }: { reason: string; clicks: number }) => [reason, clicks]),
    );
    assert.deepEqual(counts, { affiliate_not_active: 1, blocked_ip: 1, blocked_referrer: 1, bot: 2, prefetch: 1, rate_limited: 1 });
    assert.deepEqual([body.total, body.rejectedClicks[0].clickedOn], [6, '2026-03-01']);
  });

  test('records and counts clicks that the settings only flag or hold, with the reason and the action', async () => {
    await settings({ bots: 'hold', prefetches: 'record_flagged' });
    const before = await clicksOf(ada.id);
    const held = await report({ referralCode: ada.referralCode }, { 'user-agent': 'curl/8' });
    const flagged = await report({ referralCode: ada.referralCode }, { purpose: 'prefetch' });
    await settings({ bots: 'ignore', prefetches: 'ignore' });
    assert.deepEqual([held.status, held.body.reason, flagged.status, flagged.body.reason], [201, 'bot', 201, 'prefetch']);
    assert.deepEqual([(await stored(held.body.clickId)).action, (await stored(flagged.body.clickId)).action], ['hold', 'record_flagged']);
    assert.equal(await clicksOf(ada.id), before + 2);
    const { body } = await service.request('GET', `${service.program.path}/clicks?reason=bot&affiliateId=${ada.id}`);
    assert.deepEqual([body.total, body.clicks[0].id, body.clicks[0].action], [1, held.body.clickId, 'hold']);
  });

  async function clicksOf(id: string): Promise<number> {
    return (await service.request('GET', `${service.program.path}/affiliates/${id}`)).body.clicks;
  }

  describe('with dedupeSeconds', () => {
    before(() => settings({ dedupeSeconds: 10 }));
    after(() => settings({ dedupeSeconds: 0 }));

    test('a duplicate returns the id of the first click; another user agent, affiliate or time is no duplicate', async () => {
      const eve = await anAffiliate(service, { status: 'active' });
      const first = await report({ referralCode: ada.referralCode });
      const again = await report({ vanitySlug: 'ada' });
      assert.deepEqual([first.status, again.status, again.body.recorded, again.body.reason], [201, 200, false, 'duplicate']);
      assert.equal(again.body.clickId, first.body.clickId);
      assert.match(again.body.redirectUrl, new RegExp(first.body.clickId));
      assert.equal((await report({ referralCode: ada.referralCode }, { 'user-agent': `${chrome} Edg/131.0` })).status, 201);
      assert.equal((await report({ referralCode: eve.referralCode })).status, 201);
      service.clock.advance({ seconds: 11 });
      const later = await report({ referralCode: ada.referralCode });
      assert.equal(later.status, 201);
      assert.notEqual(later.body.clickId, first.body.clickId);
    });

    test('of 20 simultaneous clicks one is recorded, and all return its id', async () => {
      service.clock.advance({ seconds: 60 });
      const responses = await Promise.all(Array.from({ length: 20 }, () => report({ referralCode: ada.referralCode })));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
      assert.equal(new Set(responses.map(({ body }) => body.clickId)).size, 1);
    });

    test('duplicates can be recorded and flagged instead', async () => {
      await settings({ duplicates: 'record_flagged' });
      service.clock.advance({ seconds: 60 });
      const responses = [await report({ referralCode: ada.referralCode }), await report({ referralCode: ada.referralCode })];
      await settings({ duplicates: 'ignore' });
      assert.deepEqual(
        responses.map(({ status, body }) => [status, body.reason]),
        [[201, null], [201, 'duplicate']], // biome-ignore format: pairs
      );
      assert.notEqual(responses[0]?.body.clickId, responses[1]?.body.clickId);
    });
  });
});
