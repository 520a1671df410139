// A bounty for content: created in the console, submitted in the portal, approved in the review inbox. With SCREENSHOTS=1:
// pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { waitForScreen, watchPage } from '../support/screens/watched-page.ts';

let app: Console;
let page: Page;
let takeFaults: () => string[];
let ada: { id: string; email: string };

before(async () => {
  app = await openConsole();
  ada = await anAffiliate(app.service, { firstName: 'Ada', lastName: 'Lindqvist', status: 'active' });
  ({ page, takeFaults } = await watchPage(app.context, app.origin));
  page.setDefaultTimeout(60_000);
});
after(() => app?.close());

const open = async (place: 'console' | 'portal') => {
  await page.goto(`${app.origin}/${place}/${app.service.program.programId}/bounties`);
  await waitForScreen(page);
};
const sheet = () => page.getByRole('dialog');

test('a bounty is created, its content submitted and approved, and the bonus is paid once', async () => {
  const admin = await app.service.asMember('admin', { name: 'Dana Calder' });
  await app.signInAs(admin);
  await open('console');
  await page.keyboard.press('c');
  await sheet().getByLabel('Name').fill('Video review');
  await sheet().getByLabel('Description').fill('Show how you use our products.');
  await sheet().getByLabel('Milestone').click();
  await page.getByRole('option', { name: 'Content' }).click();
  await sheet().getByLabel('Bonus').fill('25');
  await sheet().getByLabel('Budget').fill('100');
  await checkAccessibility(page, 'a new bounty');
  await takePictures(page, 'bounties-create');
  await page.keyboard.press('Control+s');
  await page.getByText('Video review was created.').waitFor();

  await app.signInAs(await app.service.asAffiliate(ada));
  await open('portal');
  await page.getByRole('button', { name: 'Submit content' }).click();
  await sheet().getByLabel('Address').fill('https://video.example.com/1');
  await checkAccessibility(page, 'submitting content');
  await sheet().getByRole('button', { name: 'Submit' }).click();
  await page.getByText('In review').waitFor();

  await app.signInAs(admin);
  await open('console');
  await page.getByText('1 submission awaits a decision.').waitFor();
  await page.getByRole('link', { name: 'Review', exact: true }).last().click();
  await page.getByRole('button', { name: 'Approve and pay $25.00' }).waitFor();
  await page.getByRole('link', { name: 'https://video.example.com/1' }).waitFor();
  await checkAccessibility(page, 'deciding about content');
  await takePictures(page, 'review-content');
  await page.keyboard.press('a');
  await page.getByText('Approved: content of Ada Lindqvist').waitFor();
  app.service.clock.advance({ seconds: 61 });
  await app.service.relay();
  await app.service.pool.query(`update pgboss.job set start_after = now() - interval '1 second' where state < 'active'`);
  await app.service.drain();
  const { body } = await app.service.request('GET', `${app.service.program.path}/commissions?kind=bonus`);
  assert.deepEqual(
    body.commissions.map(({ affiliateId, amountCents, status }: Record<string, unknown>) => [affiliateId, amountCents, status]),
    [[ada.id, 2500, 'pending']],
  );
  assert.deepEqual(takeFaults(), []);
});
