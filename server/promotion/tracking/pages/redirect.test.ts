import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chrome as browser } from '../../../../test/support/browsers.ts';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { checkInvariants } from '../../../operations/verify/invariants.ts';
import { foldClicks } from '../../../partners/affiliates/totals/fold-clicks.ts';

describe('a link', () => {
  let service: TestService;
  let ada: { id: string; referralCode: string };
  before(async () => {
    service = await openTestService();
    ada = await anAffiliate(service, { status: 'active' });
  });
  after(() => service.close());

  const open = (path: string, headers: Record<string, string> = {}) =>
    service.request('GET', path, { key: null, headers: { 'user-agent': browser, ...headers } });
  const rows = async () => (await service.pool.query(`select * from clicks order by created_at, id`)).rows;
  const newest = async () => (await rows()).at(-1);

  test('redirects to the website with the click id and the code, after the click is stored', async () => {
    const { status, headers, text } = await open(`/r/${ada.referralCode}`, { referer: 'https://blog.example/post?secret=1' });
    assert.equal(status, 302);
    assert.equal(text, '');
    const click = await newest();
    assert.equal(headers.location, `https://brand.example/?trb_click=${click.id}&ref=${ada.referralCode}`);
    assert.equal(headers['cache-control'], 'no-store');
    assert.ok(headers['referrer-policy']);
    assert.match(String(headers['set-cookie']), /^trb_vid=[0-9a-f-]{36}_[0-9a-f]{24}; Max-Age=34128000; Path=\/; SameSite=Lax; HttpOnly$/);
    assert.deepEqual(
      [click.affiliate_id, click.via, click.referrer_host, click.agent, click.reason],
      [ada.id, 'redirect', 'blog.example', browser, null],
    );
    assert.equal(String(headers['set-cookie']).slice(8, 44), click.visitor_id);
  });

  test('is found in any case; the visitor cookie is reused', async () => {
    const first = await open(`/r/${ada.referralCode}`);
    const [cookie = ''] = String(first.headers['set-cookie']).split(';');
    const visitor = (await newest()).visitor_id;
    const { headers } = await open(`/r/${ada.referralCode.toLowerCase()}`, { cookie: `a=b; ${cookie}; c=d` });
    assert.match(String(headers.location), /trb_click=/);
    assert.equal((await newest()).visitor_id, visitor);
  });

  test('replaces a visitor id without its signature, so that no client adds visits to another visitor', async () => {
    const visitor = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    for (const forged of [visitor, `${visitor}_${'0'.repeat(24)}`, `${visitor}_`]) {
      const { headers } = await open(`/r/${ada.referralCode}`, { cookie: `trb_vid=${forged}` });
      assert.match(String(headers['set-cookie']), /^trb_vid=[0-9a-f-]{36}_[0-9a-f]{24}; Max-Age=34128000/);
      assert.notEqual((await newest()).visitor_id, visitor);
    }
  });

  for (const [signal, query, headers] of [
    ['?consent=0', '?consent=0', {}],
    ['Global Privacy Control', '', { 'sec-gpc': '1' }],
    ['Do Not Track', '', { dnt: '1' }],
  ] as const) {
    test(`without consent (${signal}): the click counts, without a cookie or a visitor id`, async () => {
      const before = (await rows()).length;
      const response = await open(`/r/${ada.referralCode}${query}`, headers);
      assert.equal(response.headers['set-cookie'], undefined);
      assert.equal((await rows()).length, before + 1);
      assert.equal((await newest()).visitor_id, null);
      const cleared = await open(`/r/${ada.referralCode}${query}`, { ...headers, cookie: 'trb_vid=7c9e6679-7425-40de-944b-e07fc1f90ae7' });
      assert.match(String(cleared.headers['set-cookie']), /^trb_vid=; Max-Age=0;/);
    });
  }

  test('stores sub ids, and omits text that cannot be stored', async () => {
    await open(`/r/${ada.referralCode}?sub1=news&subId2=${'x'.repeat(150)}&sub4=a%00b&sub5=%ED%A0%80`);
    const { sub_ids } = await newest();
    assert.deepEqual([sub_ids[0], sub_ids[1], sub_ids[2], sub_ids[3]], ['news', 'x'.repeat(100), '', '']);
  });

  test('that is unknown or malformed redirects to a neutral page, never to the API reference', async () => {
    for (const path of [
      '/r/NOBODY22',
      '/r/',
      '/r/%zz',
      '/r/%00',
      '/r/%ff',
      '/r/a%2Fb',
      `/r/${'x'.repeat(5000)}`,
      '/r/other/none',
      '/r/%E2%80%AE',
    ]) {
      const { status, headers } = await open(path);
      assert.deepEqual([status, headers.location], [302, '/link-unavailable'], path);
    }
  });

  test('of an affiliate that is not active redirects without recording a click', async () => {
    for (const status of ['suspended', 'archived', 'rejected']) {
      const { referralCode, id } = await anAffiliate(service, { status });
      const { headers } = await open(`/r/${referralCode}`);
      assert.equal(headers.location, `https://brand.example/?ref=${referralCode}`);
      assert.ok((await rows()).every((row) => row.affiliate_id !== id));
    }
  });

  describe('by a vanity slug', () => {
    const rename = (id: string, vanitySlug: string | null, program = service.program) =>
      service.request('PATCH', `${program.path}/affiliates/${id}`, { body: { vanitySlug }, key: program.key });

    test('belongs to its affiliate, even after it was released', async () => {
      assert.equal((await rename(ada.id, 'ada-l')).status, 200);
      await open('/r/Ada-L');
      assert.deepEqual([(await newest()).affiliate_id, (await newest()).slug], [ada.id, 'ada-l']);
      await rename(ada.id, null);
      service.clock.advance({ seconds: 2 });
      const { headers } = await open('/r/ada-l');
      assert.match(String(headers.location), /trb_click=/);
    });

    test('keeps its bare address when another program takes, releases and retakes the same slug', async () => {
      const here = await anAffiliate(service, { status: 'active' });
      const there = await anAffiliate(service, { status: 'active' }, service.foreign);
      await rename(here.id, 'twice');
      const expectHere = async (step: string): Promise<void> => {
        service.clock.advance({ seconds: 2 });
        await open('/r/twice');
        assert.equal((await newest()).affiliate_id, here.id, step);
      };
      await expectHere('before');
      for (const [step, slug] of [
        ['taken', 'twice'],
        ['released', null],
        ['retaken', 'twice'],
      ] as const) {
        assert.equal((await rename(there.id, slug, service.foreign)).status, 200);
        await expectHere(step);
      }
      await rename(here.id, null);
      await expectHere('released here');
      const successor = await anAffiliate(service, { status: 'active' });
      await rename(successor.id, 'twice');
      service.clock.advance({ seconds: 2 });
      await open('/r/twice');
      assert.equal((await newest()).affiliate_id, successor.id);
    });

    test('works in every program with the program in the path', async () => {
      const here = await anAffiliate(service, { status: 'active' });
      const there = await anAffiliate(service, { status: 'active' }, service.foreign);
      await rename(here.id, 'both');
      await rename(there.id, 'both', service.foreign);
      await open('/r/other-brand/both');
      assert.equal((await newest()).affiliate_id, there.id);
      await open('/r/fern-field/both');
      assert.equal((await newest()).affiliate_id, here.id);
      await open(`/r/fern-field/${here.referralCode}`);
      assert.equal((await newest()).affiliate_id, here.id);
    });

    test('that equals a referral code of another program does not take over the code', async () => {
      const here = await anAffiliate(service, { status: 'active' });
      const there = await anAffiliate(service, { status: 'active' }, service.foreign);
      assert.equal((await rename(there.id, here.referralCode.toLowerCase(), service.foreign)).status, 200);
      await open(`/r/${here.referralCode.toLowerCase()}`);
      assert.equal((await newest()).affiliate_id, here.id);
      const details = await service.request('GET', `${service.foreign.path}/affiliates/${there.id}`, { key: service.foreign.key });
      assert.match(details.body.linkUrl, /\/r\/other-brand\/\w{8}$/);
      await open(new URL(details.body.linkUrl).pathname);
      assert.equal((await newest()).affiliate_id, there.id);
    });

    test('that is unknown in a known program redirects to the website of the program', async () => {
      assert.equal((await open('/r/fern-field/unknown')).headers.location, 'https://brand.example/');
      assert.equal((await open(`/r/${service.program.programId}/unknown`)).headers.location, 'https://brand.example/');
      const page = await open('/link-unavailable');
      assert.deepEqual([page.status, /text\/html/.test(String(page.headers['content-type']))], [404, true]);
      assert.ok(!/docs|api|reference/i.test(page.text));
    });
  });

  test('prefetched, in a frame, as an image or by a script is not a visit', async () => {
    const before = (await rows()).length;
    const loads: Record<string, string>[] = [
      { purpose: 'prefetch' },
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { 'x-moz': 'prefetch' },
      { 'x-purpose': 'preview' },
      ...['iframe', 'frame', 'embed', 'object', 'image', 'script', 'style', 'video', 'empty'].map((use) => ({ 'sec-fetch-dest': use })),
    ];
    for (const headers of loads) {
      const response = await open(`/r/${ada.referralCode}`, headers);
      assert.deepEqual([response.status, response.headers.location], [302, `https://brand.example/?ref=${ada.referralCode}`]);
      assert.equal(response.headers['set-cookie'], undefined);
    }
    assert.equal((await rows()).length, before);
    await open(`/r/${ada.referralCode}`, { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' });
    assert.equal((await rows()).length, before + 1);
  });

  test('requested with HEAD is not a visit', async () => {
    const before = (await rows()).length;
    const { status, headers } = await service.request('HEAD', `/r/${ada.referralCode}`, { key: null, headers: { 'user-agent': browser } });
    assert.deepEqual([status, headers.location], [302, `https://brand.example/?ref=${ada.referralCode}`]);
    assert.equal((await rows()).length, before);
  });

  test('the totals match the rows, and all invariants hold', async () => {
    await foldClicks(service.ctx);
    const { rows: totals } = await service.pool.query(`select sum(clicks)::int as clicks from affiliates`);
    assert.equal(totals[0].clicks, (await rows()).length);
    for (const { name, broken } of await checkInvariants(service.ctx)) assert.deepEqual(broken, [], name);
  });
});
