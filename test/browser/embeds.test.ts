// The portal and the widget in the brand's application, on another site than the service: where they open, what they show,
// and what they say when they can't be opened.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { type BrandPages, openBrandPages } from '../support/embeds/brand-page.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { type Watched, watchPage } from '../support/screens/watched-page.ts';
import { until } from '../support/time/wait.ts';

describe('in the application of a brand', () => {
  let app: Console;
  let brand: BrandPages;
  let watched: Watched;
  let ada: { id: string };
  before(async () => {
    [app, brand] = await Promise.all([openConsole(), openBrandPages()]);
    const { service } = app;
    await aRule(service, { rate: 10 });
    ada = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' });
    await anOrder(service, { orderId: 'FF-1', affiliateId: ada.id, amountCents: 84_210 });
    await allow([brand.origin]);
    watched = await watchPage(app.context, 'http://');
    await watched.page.setViewportSize({ width: 900, height: 900 });
  });
  after(async () => {
    await app?.close();
    await brand?.close();
  });

  const allow = async (embedOrigins: string[]) => {
    const { status, text } = await app.service.request('PATCH', app.service.program.path, { body: { embedOrigins } });
    assert.equal(status, 200, text);
  };
  const createToken = async (body: object = {}) => {
    const path = `${app.service.program.path}/affiliates/${ada.id}/embed-tokens`;
    const created = await app.service.request('POST', path, { body: { kind: 'portal', origin: brand.origin, ...body } });
    assert.equal(created.status, 201, created.text);
    return created.body as { token: string; url: string };
  };
  /** The address of the frame, at the address where the service is reached here. */
  const addressOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, app.origin);
  const frameOf = (url: string) =>
    `<iframe title="Partner program" src="${addressOf(url)}" allow="clipboard-write" style="width: 100%; height: 760px; border: 0"></iframe>`;
  const openFrame = async (url: string): Promise<Frame> => {
    brand.show(frameOf(url));
    await watched.page.goto(brand.origin);
    const frame = watched.page.frames().find((each) => each.parentFrame() !== null);
    assert.ok(frame);
    return frame;
  };
  const messages = () => watched.page.evaluate('messages');
  const textOf = (frame: Frame) => frame.locator('main').innerText();

  test('the portal opens in a frame, reads, and leads out for everything else', async () => {
    const { token, url } = await createToken();
    const frame = await openFrame(url);
    await frame.getByText('$84.21').first().waitFor();
    assert.equal(new URL(frame.url()).hash, '', 'the token has left the address');
    assert.deepEqual(await messages(), [{ type: 'tributary.embed', state: 'open', origin: app.origin }]);
    await checkAccessibility(frame, 'the portal');
    await takePictures(watched.page, 'embedded-portal');
    for (const screen of ['Earnings', 'Rates', 'Payouts']) {
      await frame.getByRole('link', { name: screen, exact: true }).click();
      await frame.getByRole('heading', { name: screen, level: 1 }).waitFor();
    }
    assert.equal(await frame.getByRole('button', { name: /missing/ }).count(), 0);
    assert.deepEqual(await app.context.cookies(), [], 'a frame needs no cookies');
    const [opened] = await Promise.all([app.context.waitForEvent('page'), frame.getByRole('link', { name: 'Payout details' }).click()]);
    await opened.waitForURL(/\/sign-in\?next=/);
    await opened.close();
    await app.context.clearCookies();
    assert.ok(!app.service.log.join('\n').includes(token));
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('the portal has the language, the color, the corners and the scheme of its token', async () => {
    const theme = { accent: '#FFD400', radius: 2, scheme: 'dark', fontFamily: "Georgia, 'Times New Roman'" };
    const frame = await openFrame((await createToken({ locale: 'de', theme })).url);
    await frame.getByRole('link', { name: 'Einnahmen', exact: true }).waitFor();
    await frame.getByRole('button', { name: 'Kopieren', exact: true }).first().waitFor();
    const look = await frame.evaluate(`(() => {
      const button = [...document.querySelectorAll('button')].find((each) => each.textContent === 'Kopieren');
      const { backgroundColor, borderRadius, fontFamily } = getComputedStyle(button);
      return { backgroundColor, borderRadius, fontFamily, scheme: getComputedStyle(document.documentElement).colorScheme };
    })()`);
    assert.deepEqual(look, {
      backgroundColor: 'rgb(255, 212, 0)',
      borderRadius: '2px',
      fontFamily: 'Georgia, "Times New Roman", system-ui, sans-serif',
      scheme: 'dark',
    });
    await checkAccessibility(frame, 'the portal with a color of the brand');
    const light = await openFrame((await createToken({ theme: { ...theme, scheme: 'light' } })).url);
    await light.getByText('$84.21').first().waitFor();
    await checkAccessibility(light, 'the portal with a color that is too light');
    await takePictures(watched.page, 'embedded-portal-yellow', [390]);
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('a token that was used or has expired, and a session that has ended, are explained', async () => {
    const { url } = await createToken();
    await (await openFrame(url)).getByText('$84.21').first().waitFor();
    const used = await openFrame(url);
    await used.getByText('This view was opened before').waitFor();
    assert.deepEqual(await messages(), [{ type: 'tributary.embed', state: 'ended', origin: app.origin }]);
    await checkAccessibility(used, 'a used token');
    const late = await createToken({ locale: 'de' });
    app.service.clock.advance({ minutes: 6 });
    await (await openFrame(late.url)).getByText('Diese Ansicht ist abgelaufen').waitFor();
    await (await openFrame(`${app.origin}${new URL(url).pathname}`)).getByText("This view can't be opened").waitFor();
    const open = await openFrame((await createToken()).url);
    await open.getByText('$84.21').first().waitFor();
    app.service.clock.advance({ minutes: 61 });
    await open.getByRole('link', { name: 'Rates', exact: true }).click();
    await open.getByText('This view has expired').waitFor();
    assert.match(await textOf(open), /Reload the page/);
    const faults = watched.takeFaults().filter((fault) => !fault.includes('Failed to load resource'));
    assert.deepEqual(faults, []);
  });

  test('the browser shows the portal in pages of allowed origins only, and every other page in none', async () => {
    const { url } = await createToken();
    await allow(['https://app.example']);
    const elsewhere = await openFrame(url);
    await until('the browser has blocked the frame', () => elsewhere.url().startsWith('chrome-error:'));
    assert.match(watched.takeFaults().join(), /frame-ancestors https:\/\/app\.example/);
    await allow([brand.origin]);
    for (const path of ['/portal', '/console', '/sign-in', '/docs']) {
      const frame = await openFrame(`${app.origin}${path}`);
      await until(`the browser has blocked ${path}`, () => frame.url().startsWith('chrome-error:'));
    }
    assert.match(watched.takeFaults().join(), /frame-ancestors 'none'/);
    const page = `/embed/${app.service.program.programId}/portal`;
    for (const query of ['?scheme=blue', '?locale=fr']) assert.equal((await app.service.app.inject(page + query)).statusCode, 400, query);
    const unknown = await app.service.app.inject(`/embed/${app.service.ctx.ids.uuid()}/portal`);
    assert.match(String(unknown.headers['content-security-policy']), /frame-ancestors 'none'/);
    assert.equal(unknown.headers['x-frame-options'], undefined, 'older browsers would follow it');
  });

  const openWidget = async (attributes: string, policy?: string) => {
    brand.show(
      `<tributary-widget ${attributes}></tributary-widget><script nonce="n" src="${app.origin}/embed/widget.js"></script>`,
      policy,
    );
    await watched.page.goto(brand.origin);
    return watched.page.getByRole('region', { name: /Referral program|Empfehlungsprogramm/ });
  };
  const createWidgetToken = async (body: object = {}) => (await createToken({ kind: 'widget', ...body })).token;

  test('the widget shows the link and the earnings of the API, under the policy of the page', async () => {
    const strict = `default-src 'none'; script-src ${app.origin} 'nonce-n'; style-src 'nonce-n'; connect-src ${app.origin}`;
    const widget = await openWidget(`token="${await createWidgetToken()}" accent="#FFD400" font-family="Georgia"`, strict);
    const { body: affiliate } = await app.service.request('GET', `${app.service.program.path}/affiliates/${ada.id}`);
    assert.equal(await widget.getByRole('textbox', { name: 'Your link' }).inputValue(), affiliate.linkUrl);
    const { body: balance } = await app.service.request('GET', `${app.service.program.path}/affiliates/${ada.id}/balance`);
    assert.deepEqual([balance.pendingCents, balance.paidCents], [8421, 0]);
    assert.deepEqual(await widget.getByRole('definition').allInnerTexts(), ['$84.21', '$0.00', '0']);
    await app.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: brand.origin });
    await widget.getByRole('button', { name: 'Copy' }).click();
    await widget.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
    assert.equal(await watched.page.evaluate('navigator.clipboard.readText()'), affiliate.linkUrl);
    await checkAccessibility(watched.page, 'the widget in light');
    await watched.page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await checkAccessibility(watched.page, 'the widget in dark', { isContrastOnly: true });
    await watched.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await takePictures(watched.page, 'widget', [820, 390]);
    assert.deepEqual(await app.context.cookies(), []);
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('the widget has the language of its token, and gets a new token from the page', async () => {
    const german = await openWidget(`token="${await createWidgetToken({ locale: 'de', theme: { scheme: 'dark' } })}"`);
    await german.getByText('Noch nicht ausgezahlt').waitFor();
    await takePictures(watched.page, 'widget-german', [390]);
    const used = await createWidgetToken();
    await (await openWidget(`token="${used}"`)).getByText('$84.21').waitFor();
    let given = used;
    brand.onToken(async () => given);
    const widget = await openWidget('token-url="/token"');
    await widget.getByRole('alert').filter({ hasText: 'This view was opened before' }).waitFor();
    await checkAccessibility(watched.page, 'the widget with a used token');
    given = await createWidgetToken();
    await widget.getByRole('button', { name: 'Try again' }).click();
    await widget.getByText('$84.21').waitFor();
    const faults = watched.takeFaults().filter((fault) => !fault.includes('Failed to load resource'));
    assert.deepEqual(faults, []);
  });

  test('the widget shows nothing in a page of another origin', async () => {
    const token = await createWidgetToken();
    await allow(['https://app.example']);
    const widget = await openWidget(`token="${token}"`);
    await widget.getByRole('alert').filter({ hasText: "We couldn't load your link" }).waitFor();
    assert.match(watched.takeFaults().join(), /blocked by CORS policy/);
    await allow([brand.origin]);
  });
});
