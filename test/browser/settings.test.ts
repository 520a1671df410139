// The settings of a program in the console: every part is changed and read back, errors are shown at their fields in both
// languages, and a change that needs a second person is announced, then decided by that person. With SCREENSHOTS=1:
// pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder } from '../support/builders.ts';
import type { TestMember } from '../support/harness.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';
import { until } from '../support/time/wait.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');
const locales = join(import.meta.dirname, '..', '..', 'web', 'locales');
const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 1100 },
  { width: 390, height: 844 },
];

describe('the settings of a program', () => {
  let app: Console;
  let watched: Watched;
  let owner: TestMember;
  let admin: TestMember;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    owner = await app.service.asMember('owner', { name: 'Dana Calder' });
    admin = await app.service.asMember('admin', { name: 'Mei Tanaka' });
    await app.signInAs(owner);
    watched = await watchPage(app.context, app.origin);
    watched.page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  const read = async (path = '') => (await app.service.request('GET', `${app.service.program.path}${path}`)).body;
  const open = async (screen: string) => {
    await watched.page.goto(`${app.origin}/console/${app.service.program.programId}/settings/${screen}`);
    await waitForScreen(watched.page);
  };
  const field = (name: string) => watched.page.getByLabel(name, { exact: true });
  const save = async () => {
    await watched.page.getByRole('button', { name: /^(Save changes|Änderungen speichern)/ }).click();
  };
  const toast = (text: string) => watched.page.getByText(text).first().waitFor();
  const choose = async (name: string, option: string) => {
    await watched.page.getByRole('combobox', { name, exact: true }).click();
    await watched.page.getByRole('option', { name: option, exact: true }).click();
  };
  /** A picture at each width in both schemes. */
  const shoot = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    const { page } = watched;
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const size of sizes) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await waitUntilStill(page);
        await page.screenshot({ path: join(folder, `settings-${name}-${size.width}-${colorScheme}.png`), fullPage: true });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  };

  test('name, website and time zone are saved, and only what was changed', async () => {
    await open('program');
    await field('Name').fill('Fern & Field Teas');
    await field('Website').fill('https://teas.example/');
    const renamed = await admin.request('PATCH', app.service.program.path, {
      body: { timezone: 'Asia/Tokyo', contactEmail: 'a@b.example' },
    });
    assert.equal(renamed.status, 200);
    await save();
    await toast('Settings saved');
    const { name, websiteUrl, timezone, contactEmail } = await read();
    assert.deepEqual(
      [name, websiteUrl, timezone, contactEmail],
      ['Fern & Field Teas', 'https://teas.example/', 'Asia/Tokyo', 'a@b.example'],
    );
    await watched.page.getByRole('button', { name: /Switch program.*Fern & Field Teas/ }).waitFor();
    await watched.page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin');
    await watched.page.getByRole('option', { name: 'Europe/Berlin' }).click();
    await save();
    await until('the time zone is saved', async () => (await read()).timezone === 'Europe/Berlin');
    await shoot('program');
    // The change of the other member conflicted once; the form merged it.
    const merged = 'console: Failed to load resource: the server responded with a status of 412 (Precondition Failed)';
    assert.deepEqual(watched.takeFaults(), [merged]);
  });

  test('errors are shown at their fields, in the words of the form and in both languages', async () => {
    for (const language of ['en', 'de'] as const) {
      const { fault } = JSON.parse(readFileSync(join(locales, language, 'ui.json'), 'utf8')) as { fault: Record<string, string> };
      const faults = async () => watched.page.locator('form').innerText();
      await owner.request('PATCH', '/app/me', { body: { locale: language } });
      await app.context.addCookies([{ name: 'trb-language', value: language, url: app.origin }]);
      await open('program');
      await watched.page.locator('[data-field=websiteUrl]').fill('teas');
      await watched.page.locator('[data-field=name]').fill('');
      await save();
      await watched.page.locator('[data-field=websiteUrl][aria-invalid=true]').waitFor();
      await watched.page.locator('[data-field=name][aria-invalid=true]').waitFor();
      assert.ok((await faults()).includes(fault.url ?? ''), await faults());
      assert.ok((await faults()).includes(fault.missing ?? ''), await faults());
      if (language === 'en') await checkAccessibility(watched.page, 'settings with errors');
      await open('attribution');
      await watched.page.locator('[data-field=destinationHosts]').fill('https://shop.example/path');
      await watched.page.locator('[data-field=attributionWindowDays]').fill('0');
      await save();
      await watched.page.locator('[data-field=destinationHosts][aria-invalid=true]').waitFor();
      assert.ok((await faults()).includes(fault.domain ?? ''), await faults());
      assert.doesNotMatch(await faults(), /must be|destinationHosts/);
    }
    await owner.request('PATCH', '/app/me', { body: { locale: 'en' } });
    await app.context.addCookies([{ name: 'trb-language', value: 'en', url: app.origin }]);
    watched.takeFaults();
  });

  test('embeds show their code once an origin is allowed', async () => {
    await open('embeds');
    await watched.page.getByText('No origin yet').waitFor();
    await field('Allowed origins').fill('app.example');
    await save();
    await watched.page.locator('[data-field=embedOrigins][aria-invalid=true]').waitFor();
    await watched.page.getByText('Enter a web address').first().waitFor();
    await field('Allowed origins').fill('https://App.example/\nhttp://localhost:4000');
    await save();
    await toast('Settings saved');
    assert.deepEqual((await read()).embedOrigins, ['https://app.example', 'http://localhost:4000']);
    await watched.page.getByRole('region', { name: 'On your server' }).getByText("origin: 'https://app.example'").waitFor();
    await watched.page.getByRole('button', { name: 'Widget' }).click();
    await watched.page.getByRole('region', { name: 'In your page' }).getByText(`${app.origin}/embed/widget.js`).waitFor();
    await checkAccessibility(watched.page, 'embeds with their code');
    await shoot('embeds');
    watched.takeFaults();
  });

  test('attribution, links and clicks are saved', async () => {
    await open('attribution');
    await choose('Click that counts', 'First click');
    await field('Attribution window').fill('60');
    await field('Further hosts for links').fill('Shop.Example\ncdn.example');
    await field('Hosts of images').fill('img.example');
    await watched.page.getByRole('switch', { name: /Customers stay/ }).uncheck();
    await save();
    await toast('Settings saved');
    await shoot('attribution');
    const program = await read();
    assert.deepEqual(
      [program.attributionModel, program.attributionWindowDays, program.destinationHosts, program.imageHosts, program.remembersCustomers],
      ['first_click', 60, ['shop.example', 'cdn.example'], ['img.example'], false],
    );
    const { service } = app;
    const ada = await anAffiliate(service, { status: 'active', email: 'clicks@example.com' });
    const rejected = (name: string) => watched.page.getByRole('region', { name });
    await open('clicks');
    await rejected('Rejected clicks').getByText('Every click was recorded.').waitFor();
    const robot = { key: null, body: { referralCode: ada.referralCode }, headers: { 'user-agent': 'Googlebot/2.1' } };
    for (const _ of [1, 2, 3]) await service.request('POST', '/v1/clicks', robot);
    await owner.request('PATCH', '/app/me', { body: { locale: 'de' } });
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await open('clicks');
    await rejected('Abgewiesene Klicks').getByRole('listitem').filter({ hasText: 'Roboter' }).getByText('3', { exact: true }).waitFor();
    await owner.request('PATCH', '/app/me', { body: { locale: 'en' } });
    await app.context.addCookies([{ name: 'trb-language', value: 'en', url: app.origin }]);
    await open('clicks');
    await rejected('Rejected clicks').getByRole('listitem').filter({ hasText: 'Robots' }).getByText('3', { exact: true }).waitFor();
    await checkAccessibility(watched.page, 'the settings of clicks');
    await field('Per minute').fill('30');
    await choose('Robots', 'Record and flag');
    await field('Countries').fill('us, de');
    await save();
    await toast('Settings saved');
    await shoot('clicks');
    const clicks = await read('/click-settings');
    assert.deepEqual([clicks.clicksPerIpPerMinute, clicks.bots, clicks.blockedCountries], [30, 'record_flagged', ['US', 'DE']]);
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('each fraud check shows its effect on the last 30 days before it is saved', async () => {
    const { service } = app;
    const ada = await anAffiliate(service, { status: 'active', email: 'own@example.com' });
    await anOrder(service, { affiliateId: ada.id, amountCents: 5000, customer: { email: 'own@example.com' } });
    await anOrder(service, { affiliateId: ada.id, amountCents: 5000, customer: { email: 'buyer@yopmail.com' } });
    await open('fraud');
    const own = watched.page.getByRole('region', { name: 'Own orders' });
    await own.getByText('In the last 30 days, 1 order ($50.00) would have been held.').waitFor();
    await watched.page.getByRole('region', { name: 'Coupons without a click' }).getByText('Orders are not checked for this.').waitFor();
    await choose('Own orders: what happens', 'Flag it in the review inbox');
    await own.getByText('In the last 30 days, 1 order ($50.00) would have been flagged.').waitFor();
    await shoot('fraud-effect');
    await choose('Own orders: what happens', 'Hold it until someone decides');
    await own.getByText('would have been held.').waitFor();
    assert.equal((await read('/fraud-settings')).selfReferral, 'hold', 'nothing is saved before the button is pressed');
    const disposable = watched.page.getByRole('region', { name: 'Disposable mailboxes' });
    await disposable.getByText('Orders are not checked for this.').waitFor();
    await choose('Disposable mailboxes: what happens', 'Hold it until someone decides');
    await disposable.getByText('In the last 30 days, 1 order ($50.00) would have been held.').waitFor();
    await choose('Search ads: what happens', 'Flag it in the review inbox');
    const ads = watched.page.getByRole('region', { name: 'Search ads' });
    await ads.getByText('No order of the last 30 days would have been affected.').waitFor();
    await choose('Coupons without a click: what happens', 'Flag it in the review inbox');
    await field('Within').fill('5');
    await save();
    await toast('Settings saved');
    await shoot('fraud');
    const fraud = await read('/fraud-settings');
    assert.deepEqual([fraud.couponWithoutClick, fraud.fastOrderSeconds, fraud.selfReferral], ['flag', 5, 'hold']);
    assert.deepEqual([fraud.disposableMailbox, fraud.paidSearch], ['hold', 'flag']);
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('the brand is shown while it is edited, and its logo is uploaded', async () => {
    await open('brand');
    await field('Color').fill('#FFCC00');
    await watched.page.getByText('Text on it is dark').waitFor();
    await field('Disclosure').fill('Ad. {affiliate} is paid by {program}.');
    await watched.page.getByText('Ad. Ada Lindqvist is paid by').waitFor();
    await field('Restricted phrases').fill('cures insomnia\nrisk-free');
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };
    await watched.page.locator('input[type=file]').setInputFiles(logo);
    await watched.page.getByRole('button', { name: 'Remove the logo' }).waitFor();
    await checkAccessibility(watched.page, 'the brand');
    await save();
    await toast('Settings saved');
    await shoot('brand');
    const { body } = await owner.request('GET', `/app/programs/${app.service.program.programId}/brand`);
    assert.deepEqual(
      [body.color, body.disclosure, body.restrictedPhrases],
      ['#FFCC00', 'Ad. {affiliate} is paid by {program}.', ['cures insomnia', 'risk-free']],
    );
    assert.match(body.logoUrl, /\/media\/[0-9a-f-]{36}$/);
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('a looser safety setting is announced, and takes effect when another member approves it', async () => {
    await open('payments');
    await field('Hold period').fill('14');
    await field('Minimum payout').fill('25.50');
    await field('Second approval above').fill('1000');
    await watched.page.getByText(/^\$1,000\.00For what is sent in 24 hours without an approval/).waitFor();
    await save();
    await toast('Settings saved');
    assert.equal((await read()).minimumPayoutCents, 2550);
    await watched.page.getByText('need the approval of a second person, or take effect after 72 hours').waitFor();
    await field('Second approval above').fill('5000');
    await save();
    await toast('Saved. A change awaits the approval of a second person.');
    await watched.page.getByText('from $1,000.00 to $5,000.00').waitFor();
    await watched.page.getByText('another member must approve it').waitFor();
    assert.equal(await watched.page.getByRole('button', { name: 'Approve' }).count(), 0);
    await until('the form has the value in effect', async () => (await field('Second approval above').inputValue()) === '1000.00');
    await shoot('payments-own');
    await app.signInAs(admin);
    await watched.page.goto(`${app.origin}/console/${app.service.program.programId}`);
    await watched.page.getByRole('link', { name: /Setting change to decide/ }).click();
    await watched.page.getByText('Requested by Dana Calder').waitFor();
    await checkAccessibility(watched.page, 'a pending change');
    await shoot('payments');
    await watched.page.getByRole('button', { name: 'Approve' }).click();
    await toast('The change is in effect.');
    assert.equal((await read()).payoutApprovalCents, 500_000);
    await watched.page.getByText('Requested by Dana Calder').waitFor({ state: 'detached' });
    await until('the form has the new value', async () => (await field('Second approval above').inputValue()) === '5000.00');
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('a member rejects what another one requested, and the setting keeps its value', async () => {
    assert.equal((await owner.request('PATCH', app.service.program.path, { body: { contactEmail: null } })).status, 200);
    await open('program');
    await watched.page.getByText('Contact for notices: from').waitFor();
    await watched.page.getByRole('button', { name: 'Reject' }).click();
    await toast('The change was cancelled.');
    const { contactEmail, pendingChanges } = await read();
    assert.deepEqual([contactEmail, pendingChanges], ['a@b.example', []]);
  });

  test('the screens name the role that is required', async () => {
    await app.signInAs(await app.service.asMember('viewer'));
    await open('payments');
    await watched.page
      .getByText(/You need the .*role to/)
      .first()
      .waitFor();
    assert.equal(await field('Hold period').count(), 0);
  });
});
