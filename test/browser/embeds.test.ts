// The portal in a frame of the brand's application, on another site than the service: where it opens, what it shows, and
// what it says when it can't be opened.
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
    watched.page.setDefaultTimeout(10_000);
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
    assert.ok(!app.service.log.join('\n').includes(token));
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('the portal has the language, the color, the corners and the scheme of its token', async () => {
    const theme = { accent: '#FFD400', radius: 2, scheme: 'dark', fontFamily: "Georgia, 'Times New Roman'" };
    const frame = await openFrame((await createToken({ locale: 'de', theme })).url);
    await frame.getByRole('link', { name: 'Einnahmen', exact: true }).waitFor();
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
  });
});
