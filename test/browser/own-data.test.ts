// An affiliate downloads everything that is stored about them, on a phone: the file is what the service returns, a failed download
// says so, and a member who views the portal as the affiliate isn't offered it. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('own data as a file', () => {
  let app: Console;
  let ada: Awaited<ReturnType<typeof anAffiliate>>;
  before(async () => {
    app = await openConsole();
    ada = await anAffiliate(app.service, { status: 'active', email: 'ada@example.com', firstName: 'Ada' });
  });
  after(() => app?.close());

  const openAccount = async () => {
    const page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${app.origin}/portal/${app.service.program.programId}/account`);
    await waitForScreen(page);
    return page;
  };

  test('is saved with everything that the service returns, and a failed download says why', async () => {
    await app.signInAs(await app.service.asAffiliate(ada));
    const page = await openAccount();
    const card = page.locator('section', { hasText: 'Your data' }).last();
    await card.scrollIntoViewIfNeeded();
    await checkAccessibility(page, 'the account');
    await takePictures(page, 'own-data');
    const saved = page.waitForEvent('download');
    await card.getByRole('button', { name: 'Download my data' }).press('Enter');
    const file = await saved;
    assert.match(file.suggestedFilename(), /^my-data-\d{4}-\d{2}-\d{2}\.json$/);
    const content = JSON.parse(readFileSync(await file.path(), 'utf8'));
    assert.deepEqual([content.profile[0].affiliateId, content.profile[0].email], [ada.id, 'ada@example.com']);
    assert.equal(content.sessions.length, 1);

    const body = JSON.stringify({ error: 'Busy', code: 'too_many_heavy_requests', requestId: 'x' });
    await page.route('**/own-data', (route) => route.fulfill({ status: 429, contentType: 'application/json', body }));
    await card.getByRole('button', { name: 'Download my data' }).press('Enter');
    await page.getByText('The program is busy with other reports').waitFor();
    await page.close();
  });

  test('is not offered to a member who views the portal as the affiliate', async () => {
    const { service } = app;
    const staff = await service.asMember('owner');
    const view = await staff.request('POST', `/app/programs/${service.program.programId}/affiliates/${ada.id}/view`);
    assert.equal(view.status, 201, view.text);
    await app.signInAs(staff);
    const page = await openAccount();
    await page.getByRole('heading', { name: 'Your name' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Download my data' }).count(), 0);
    await page.close();
  });
});
