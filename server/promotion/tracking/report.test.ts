import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chrome } from '../../../test/support/browsers.ts';
import { anAffiliate, aPage } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

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

  test('needs no key, answers 201 with the click, and the row is there', async () => {
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

  test('from a server that names no agent of its own counts; a page or a link without one does not', async () => {
    for (const agent of ['', 'node']) {
      const told = await report({ referralCode: ada.referralCode }, { 'user-agent': agent });
      assert.deepEqual([told.status, told.body.recorded], [201, true], agent);
      const beacon = await report({ referralCode: ada.referralCode }, { 'user-agent': agent, origin: 'https://brand.example' });
      assert.deepEqual([beacon.status, beacon.body.reason], [200, 'bot'], agent);
    }
  });

  test('takes a code, a slug or the slug of a page, in any program or the named one', async () => {
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

  test('answers 404 for what leads nowhere, and 400 for none or several names', async () => {
    for (const body of [{ referralCode: 'NOBODY22' }, { vanitySlug: ada.referralCode }, { landingPageSlug: 'ada' }, { referralCode: 'ä' }])
      assert.equal((await report(body)).status, 404, JSON.stringify(body));
    for (const body of [{}, { referralCode: ada.referralCode, vanitySlug: 'ada' }, { vanitySlug: 'ada', landingPageSlug: 'adas-page' }]) {
      const { status, body: answer } = await report(body);
      assert.deepEqual([status, answer.details[0].path], [400, ['referralCode']]);
    }
    for (const [field, value] of [['visitorId', 'a b'], ['subId1', 'x'.repeat(101)], ['programId', '7'], ['consent', 'no']] as const) // biome-ignore format: pairs
      assert.deepEqual((await report({ referralCode: ada.referralCode, [field]: value })).body.details?.[0].path, [field]);
  });

  test('adds a visit to a visitor only for the client that was given the id', async () => {
    const visit = async (visitorId?: string) => {
      const { body } = await report({ referralCode: ada.referralCode, ...(visitorId && { visitorId }) });
      return { given: body.visitorId, stored: (await stored(body.clickId)).visitor_id };
    };
    const first = await visit('customer-1');
    assert.notEqual(first.stored, 'customer-1');
    assert.deepEqual(await visit(first.given), first);
    // What the API lists, or what somebody guesses, is not enough.
    for (const known of ['customer-1', first.stored, `${first.stored}_${'a'.repeat(24)}`])
      assert.notEqual((await visit(known)).stored, first.stored);
    assert.deepEqual(await visit(), { given: null, stored: null });
  });

  test('believes a country only of a trusted proxy: the header of any other client is ignored', async () => {
    const behind = await openTestService({ environment: { TRUSTED_PROXIES: '10.0.0.1' } });
    try {
      const { referralCode } = await anAffiliate(behind, { status: 'active' });
      const click = async (remoteAddress: string, headers: object = {}) => {
        const payload = { referralCode };
        const answer = await behind.app.inject({
          method: 'POST',
          url: '/v1/clicks',
          remoteAddress,
          headers: { host: 'api.test', 'user-agent': chrome, 'cf-ipcountry': 'KP', ...headers },
          payload,
        });
        return (await behind.pool.query('select country, ip_hash from clicks where id = $1', [answer.json().clickId])).rows[0];
      };
      assert.equal((await click('10.0.0.1')).country, 'KP');
      assert.equal((await click('198.51.100.7')).country, null);
      // Forwarded text that is no address counts as the proxy, however it differs.
      const odd = [await click('10.0.0.1', { 'x-forwarded-for': 'one' }), await click('10.0.0.1', { 'x-forwarded-for': 'two, unknown' })];
      assert.deepEqual(odd[0].ip_hash, odd[1].ip_hash);
    } finally {
      await behind.close();
    }
  });

  test('keeps no visitor without consent', async () => {
    const { body } = await report({ referralCode: ada.referralCode, visitorId: 'visitor-2', consent: false });
    assert.equal((await stored(body.clickId)).visitor_id, null);
  });

  test('leads on, unrecorded, with the reason: bots, blocked sources, inactive affiliates, the limit', async () => {
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
    assert.deepEqual(counts, { affiliate_not_active: 1, blocked_ip: 1, blocked_referrer: 1, bot: 4, prefetch: 1, rate_limited: 1 });
    assert.deepEqual([body.total, body.rejectedClicks[0].clickedOn], [6, '2026-03-01']);
  });

  test('records what settings only flag or hold, with reason and action, and counts it', async () => {
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
    return (await service.pool.query(`select clicks from affiliates where id = $1`, [id])).rows[0].clicks;
  }

  describe('with dedupeSeconds', () => {
    before(() => settings({ dedupeSeconds: 10 }));
    after(() => settings({ dedupeSeconds: 0 }));

    test('a repetition gets the id of the first click; another agent, link or time is none', async () => {
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

    test('of 20 at once one is recorded, and all are told its id', async () => {
      service.clock.advance({ seconds: 60 });
      const answers = await Promise.all(Array.from({ length: 20 }, () => report({ referralCode: ada.referralCode })));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
      assert.equal(new Set(answers.map(({ body }) => body.clickId)).size, 1);
    });

    test('repetitions can be kept in sight instead', async () => {
      await settings({ duplicates: 'record_flagged' });
      service.clock.advance({ seconds: 60 });
      const answers = [await report({ referralCode: ada.referralCode }), await report({ referralCode: ada.referralCode })];
      await settings({ duplicates: 'ignore' });
      assert.deepEqual(
        answers.map(({ status, body }) => [status, body.reason]),
        [[201, null], [201, 'duplicate']], // biome-ignore format: pairs
      );
      assert.notEqual(answers[0]?.body.clickId, answers[1]?.body.clickId);
    });
  });

  test('recorded clicks are listed newest first, filtered and counted', async () => {
    const { path } = service.program;
    const all = (await service.request('GET', `${path}/clicks?limit=200`)).body;
    const { rows } = await service.pool.query(`select count(*)::int as clicks from clicks where program_id = $1`, [
      service.program.programId,
    ]);
    assert.equal(all.total, rows[0].clicks);
    const times = all.clicks.map(({ createdAt }: { createdAt: string }) => createdAt);
    assert.deepEqual(times, [...times].sort().reverse());
    const page = (await service.request('GET', `${path}/clicks?limit=2&offset=1`)).body;
    assert.deepEqual(page.clicks, all.clicks.slice(1, 3));
    const from = times[3];
    const later = (await service.request('GET', `${path}/clicks?createdFrom=${from}`)).body;
    const earlier = (await service.request('GET', `${path}/clicks?createdTo=${from}`)).body;
    assert.equal(later.total + earlier.total, all.total);
    const read: string[] = [];
    for (let cursor = ''; ; ) {
      const { clicks, nextCursor, total } = (await service.request('GET', `${path}/clicks?limit=3${cursor}`)).body;
      assert.equal(total, cursor ? undefined : all.total);
      read.push(...clicks.map(({ id }: { id: string }) => id));
      if (nextCursor === null) break;
      cursor = `&cursor=${nextCursor}`;
    }
    assert.deepEqual(
      read,
      all.clicks.map(({ id }: { id: string }) => id),
    );
    assert.equal((await service.request('GET', `${path}/clicks?cursor=x`)).status, 400);
    assert.deepEqual((await service.request('GET', `${path}/clicks/${read[0]}`)).body, all.clicks[0]);
    assert.equal((await service.request('GET', `${path}/clicks?affiliateId=${ada.id}`, { key: service.program.readKey })).status, 200);
    assert.equal((await service.request('GET', `${service.foreign.path}/clicks`, { key: service.foreign.key })).body.total, 0);
  });
});
