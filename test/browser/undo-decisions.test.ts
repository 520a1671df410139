// Decisions about fraud alerts and claims in the inbox can be undone for a minute, by keyboard. With SCREENSHOTS=1: pictures in
// .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

describe('a decision in the inbox', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let claim = '';
  let order: { id: string };

  before(async () => {
    app = await openConsole();
    const { service } = app;
    await aRule(service, { rate: 10 });
    const ada = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' });
    order = await anOrder(service, { orderId: 'FF-1', affiliateId: ada.id, amountCents: 10_000, customer: { email: ada.email } });
    service.clock.advance({ minutes: 1 });
    const body = { affiliateId: ada.id, orderId: 'FF-404', note: 'Bought on my stream' };
    claim = (await service.request('POST', `${service.program.path}/claims`, { body })).body.id;
    await app.signInAs(await service.asMember('reviewer', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${service.program.programId}/review`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const statusOf = async (path: string) => (await app.service.request('GET', `${app.service.program.path}/${path}`)).body.status;
  const pass = async () => {
    app.service.clock.advance({ seconds: 61 });
    await app.service.relay();
    await app.service.pool.query(`update pgboss.job set start_after = now() - interval '1 second' where state < 'active'`);
    await app.service.drain();
  };

  test('about a fraud alert is undone, and the commission stays held', async () => {
    await page.getByText('$10.00 is released').waitFor();
    await checkAccessibility(page, 'a fraud alert');
    await takePictures(page, 'undo-fraud');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: /FF-404/ }).waitFor();
    await page.keyboard.press('Control+z');
    await page.getByRole('heading', { name: /FF-1/ }).waitFor();
    await pass();
    assert.equal(await statusOf(`conversions/${order.id}`), 'held');
  });

  test('about a claim is undone; made again, it takes effect a minute later', async () => {
    const reject = async () => {
      await page.keyboard.press('r');
      await page.getByRole('textbox').fill('Ordered before your stream.');
      await page.keyboard.press('Control+Enter');
    };
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: /FF-404/ }).waitFor();
    await reject();
    await page.getByRole('heading', { name: /FF-1/ }).waitFor();
    await takePictures(page, 'undo-claim');
    await page.keyboard.press('Control+z');
    await page.getByRole('heading', { name: /FF-404/ }).waitFor();
    await pass();
    assert.equal(await statusOf(`claims/${claim}`), 'open');
    await reject();
    await page.getByRole('heading', { name: /FF-1/ }).waitFor();
    await pass();
    assert.equal(await statusOf(`claims/${claim}`), 'rejected');
    assert.deepEqual(watched.takeFaults(), []);
  });
});
