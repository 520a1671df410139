// The script on a store's pages, in a real browser: a store on one origin, this service on another.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { script } from '../../server/promotion/tracking/pages/script.ts';
import { openBrowser } from '../support/browser.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { openTestService, type TestService } from '../support/harness.ts';

const click = '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f';
const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

let service: TestService;
let browser: Browser;
let visitor: BrowserContext;
let store: Server;
let storeOrigin: string;
let origin: string;
let ada: { id: string; referralCode: string };

const portOf = (server: Server | TestService['app']['server']) => (server.address() as AddressInfo).port;

before(async () => {
  service = await openTestService();
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${portOf(service.app.server)}`;
  store = createServer((request, response) => {
    const attributes = new URL(request.url ?? '/', 'http://shop').searchParams.get('attributes') ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><script src="${origin}/t.js" ${attributes}></script>
      <form><input type="hidden" name="trb_click"></form><a data-trb-checkout href="http://pay.example/cart?x=1">Pay</a><a href="/other">Other</a>
      <a data-trb-checkout>Nowhere</a><a data-trb-checkout href="http://[">Broken</a>`);
  });
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  storeOrigin = `http://localhost:${portOf(store)}`;
  browser = await openBrowser();
  ada = await anAffiliate(service, { status: 'active' });
  await aRule(service, { rate: 10 });
  const settings = { websiteUrl: storeOrigin, destinationHosts: [] };
  assert.equal((await service.request('PATCH', service.program.path, { body: settings })).status, 200);
});
after(async () => {
  await browser?.close();
  store.close();
  await service.close();
});
// One context for all: the small browser of CI lives in one process and dies with its first context.
beforeEach(async () => {
  visitor ??= await browser.newContext({ userAgent: agent });
  await visitor.clearCookies();
  const page = await visitor.newPage();
  await page.goto(`${storeOrigin}/`);
  await page.evaluate('localStorage.clear()');
});

const readClickId = (page: Page) => page.evaluate('window.tributary.clickId()') as Promise<string>;
const handed = (page: Page) =>
  page.evaluate(
    `[document.querySelector('input').value, document.querySelector('a').href, document.querySelectorAll('a')[1].href]`,
  ) as Promise<string[]>;
const readStored = async (page: Page) => [
  (await visitor.cookies(storeOrigin)).filter(({ name }) => name === 'trb_click').map(({ value }) => value),
  await page.evaluate(`localStorage.getItem('trb_click')`),
];

describe('t.js', () => {
  test('is at most 2 kB, cached, and may be included by any site', async () => {
    assert.ok(Buffer.byteLength(script) <= 2048, `${Buffer.byteLength(script)} bytes`);
    const { status, headers } = await service.request('GET', '/t.js', { key: null });
    assert.deepEqual([status, headers['cross-origin-resource-policy']], [200, 'cross-origin']);
    const again = await service.request('GET', '/t.js', { key: null, headers: { 'if-none-match': String(headers.etag) } });
    assert.deepEqual([again.status, again.text], [304, '']);
  });

  test('reads the click from the URL, stores it, and passes it to the checkout on later pages', async () => {
    const page = await visitor.newPage();
    await page.goto(`${storeOrigin}/?trb_click=${click}`);
    assert.deepEqual(await readStored(page), [[click], click]);
    await page.goto(`${storeOrigin}/cart`);
    assert.equal(await readClickId(page), click);
    assert.deepEqual(await handed(page), [click, `http://pay.example/cart?x=1&trb_click=${click}`, `${storeOrigin}/other`]);
  });

  test('a newer click takes the place of an older; nonsense does not', async () => {
    const page = await visitor.newPage();
    const newer = click.replace('01980a4e', '02980a4e');
    for (const id of [click, newer, '<script>alert(1)</script>']) await page.goto(`${storeOrigin}/?trb_click=${encodeURIComponent(id)}`);
    assert.equal(await readClickId(page), newer);
  });

  test('without consent stores nothing, and still passes the click in the URL', async () => {
    const page = await visitor.newPage();
    await page.goto(`${storeOrigin}/?attributes=${encodeURIComponent('data-consent="denied"')}&trb_click=${click}`);
    assert.deepEqual(await readStored(page), [[], null]);
    assert.equal((await handed(page))[0], click);
    await page.evaluate('window.tributary.consent(true)');
    assert.deepEqual(await readStored(page), [[click], click]);
    await page.evaluate('window.tributary.consent(false)');
    assert.deepEqual(await readStored(page), [[], null]);
  });

  test('respects Global Privacy Control', async () => {
    const page = await visitor.newPage();
    await page.addInitScript(`Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })`);
    await page.goto(`${storeOrigin}/?trb_click=${click}`);
    assert.deepEqual(await readStored(page), [[], null]);
  });

  test('a visitor with only a code is reported with how an ad marked the page, and gets a click', async () => {
    const page = await visitor.newPage();
    const answered = page.waitForResponse((response) => response.url() === `${origin}/v1/clicks` && response.request().method() === 'POST');
    await page.goto(`${storeOrigin}/?ref=${ada.referralCode}&msclkid=1a2b`);
    assert.equal((await answered).status(), 201);
    await page.waitForFunction('window.tributary.clickId()');
    const { rows } = await service.pool.query('select id, via, affiliate_id, ad_parameter from clicks where id = $1', [
      await readClickId(page),
    ]);
    assert.deepEqual([rows[0].via, rows[0].affiliate_id, rows[0].ad_parameter], ['beacon', ada.id, 'msclkid']);
    // The next page reports nothing again.
    let reports = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/clicks')) reports += 1;
    });
    await page.goto(`${storeOrigin}/?ref=${ada.referralCode}`);
    await page.waitForLoadState('networkidle');
    assert.equal(reports, 0);
  });

  test('from the link to the order: the click that the checkout hands over credits the affiliate', async () => {
    const page = await visitor.newPage();
    await page.goto(`${origin}/r/${ada.referralCode}`);
    assert.ok(page.url().startsWith(storeOrigin));
    const clickId = (await handed(page))[0];
    const order = await anOrder(service, { clickId });
    assert.deepEqual([order.affiliateId, order.attribution.method, order.commissionCents], [ada.id, 'click', 1000]);
  });
});
