// A text and an image are added in the console with a preview; an affiliate finds them in the portal, copies the text with their own
// link inside, and downloads the image. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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
before(async () => {
  app = await openConsole();
  ({ page, takeFaults } = await watchPage(app.context, app.origin));
  page.setDefaultTimeout(60_000);
});
after(() => app?.close());

const open = async (place: 'console' | 'portal') => {
  await page.goto(`${app.origin}/${place}/${app.service.program.programId}/resources`);
  await waitForScreen(page);
};
const sheet = () => page.getByRole('dialog');
const field = (name: string) => sheet().getByRole('textbox', { name });
const logo = readFileSync('server/operations/demo/pictures/logo-256.webp');

test('resources are added with a preview, and used in the portal with one tap', async () => {
  const ada = await anAffiliate(app.service, { firstName: 'Ada', lastName: 'Lindqvist', status: 'active' });
  await app.signInAs(await app.service.asMember('admin', { name: 'Dana Calder' }));
  await open('console');
  await page.keyboard.press('c');
  await field('Title').fill('Caption');
  await field('Text').fill('{firstName} recommends it: ');
  await sheet().getByRole('button', { name: '{link} their link' }).click();
  await sheet().getByRole('combobox', { name: 'What an affiliate copies' }).fill('Lindqvist');
  await page.getByRole('option', { name: 'Ada Lindqvist' }).click();
  await sheet()
    .getByText(/^Ada recommends it: http.*\/r\//)
    .waitFor();
  await checkAccessibility(page, 'a new text');
  await takePictures(page, 'resources-text');
  await page.keyboard.press('Control+s');
  await page.getByText('Caption was added.').waitFor();

  await page.keyboard.press('c');
  await sheet().getByText('Image', { exact: true }).click();
  await field('Title').fill('Logo');
  const choose = (name: string, buffer: Buffer) =>
    sheet().locator('input[type=file]').setInputFiles({ name, mimeType: 'image/webp', buffer });
  await choose('page.webp', Buffer.from('<html>'));
  await page.keyboard.press('Control+s');
  await sheet().getByText('Choose a JPEG, PNG, WebP or AVIF image.').waitFor();
  await choose('logo.webp', logo);
  await page.keyboard.press('Control+s');
  await page.getByText('Logo was added.').waitFor();

  const user = await app.service.asAffiliate(ada);
  await app.signInAs(user);
  await open('portal');
  await app.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy: Caption' }).click();
  await page.getByText('Copied').first().waitFor();
  const { body: links } = await user.request('GET', `/app/portal/${app.service.program.programId}/links`);
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), `Ada recommends it: ${links.url}`);
  await checkAccessibility(page, 'the resources in the portal');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).click()]);
  assert.equal(download.suggestedFilename(), 'logo.png');
  // The browser logs the response 400 to the file that is no image.
  assert.deepEqual(
    takeFaults().filter((fault) => !fault.includes('400')),
    [],
  );
});
