// A program is created in the console, opens with its first steps, and goes live: each step says what is missing, leads to
// where it is done, and is completed by what happens. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { addOrganizationMember } from '../../server/accounts/identity/members/add-member.ts';
import { issueKey } from '../../server/accounts/programs/api-keys/issue-key.ts';
import { createOrganization } from '../../server/accounts/programs/create.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { aClick, aGroup, anAffiliate, anOrder, aProduct, aRule } from '../support/builders.ts';
import type { TestMember, TestProgram } from '../support/harness.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

type Rule = {
  name: string;
  type: string;
  rate: number | null;
  amountCents: number | null;
  groupId: string | null;
  affiliateId: string | null;
  productId: string | null;
};

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');
const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 1100 },
  { width: 390, height: 844 },
];

describe('a program that is created in the console', () => {
  let app: Console;
  let watched: Watched;
  let founder: TestMember;
  let program: TestProgram;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    founder = await aFounder();
    await app.signInAs(founder);
    watched = await watchPage(app.context, app.origin);
    watched.page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  /** An owner of an organization that has no program yet, as on an empty installation. */
  async function aFounder(): Promise<TestMember> {
    const member = await app.service.asMember('viewer', { name: 'Dana Calder' });
    const actor = { kind: 'command' as const, id: 'test' };
    await transact(app.service.ctx, async (tx) => {
      const organizationId = await createOrganization(tx, 'Calder Agency');
      await addOrganizationMember(tx, { organizationId, userId: member.userId, role: 'owner', actor });
    });
    await app.service.pool.query('delete from program_members where user_id = $1', [member.userId]);
    return member;
  }

  const step = (name: string) => watched.page.getByRole('listitem').filter({ has: watched.page.getByText(name, { exact: true }) });
  /** Reads the first steps again, as their regular refresh does. */
  const open = async (path = '') => {
    await watched.page.goto(`${app.origin}/console/${program.programId}${path}`);
    await waitForScreen(watched.page);
    await watched.page.getByText('First steps').first().waitFor();
  };
  const shoot = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    const { page } = watched;
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const size of sizes) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await waitUntilStill(page);
        await page.screenshot({ path: join(folder, `new-program-${name}-${size.width}-${colorScheme}.png`) });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  };

  test('is the first one, entered by keyboard, with its errors at their fields', async () => {
    const { page } = watched;
    await page.goto(`${app.origin}/console`);
    await page.getByRole('heading', { name: 'No programs yet' }).waitFor();
    await shoot('none');
    const create = page.getByRole('button', { name: 'Create program' });
    await create.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).waitFor();
    await page.getByLabel('Website').fill('tea');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a web address, such as https://example.com').first().waitFor();
    await page.getByText('Required').first().waitFor();
    watched.takeFaults();
    await page.getByLabel('Name', { exact: true }).fill('Quiet Shores');
    await page.getByLabel('Website').fill('');
    await page.getByRole('combobox', { name: 'Currency' }).fill('KWD');
    await page.getByRole('option', { name: /^KWD/ }).click();
    await checkAccessibility(page, 'the form of a new program');
    await shoot('form');
    await page.getByRole('dialog').getByRole('button', { name: 'Create program' }).click();
    await page.waitForURL(/\/console\/[0-9a-f-]{36}$/);
    const [, programId = ''] = /console\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
    const actor = { kind: 'command' as const, id: 'test' };
    const key = { programId, name: 'Shop', scopes: ['read' as const, 'write' as const], expiresAt: null, actor };
    const { apiKey } = await transact(app.service.ctx, (tx) => issueKey(tx, key));
    program = { ...app.service.program, programId, key: apiKey, path: `/v1/programs/${programId}` };
    await page.getByRole('heading', { level: 1, name: 'Get your first conversion.' }).waitFor();
    await page.getByText('0 of 9 complete').first().waitFor();
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('says what each step lacks, and leads there', async () => {
    const { page } = watched;
    await open();
    await checkAccessibility(page, 'the first steps');
    await shoot('steps');
    const details = (await page.getByRole('region', { name: 'First steps' }).locator('li').allInnerTexts()).map((text) =>
      text.split('\n').slice(2).join(' '),
    );
    const sentences = details.flatMap((text) => text.split(/(?<=\.) /));
    assert.equal(details.length, 9);
    assert.deepEqual(sentences, [...new Set(sentences)], 'no step repeats a sentence of another one');
    await step('Website and brand').getByText('The website is missing').waitFor();
    await step('Website and brand').getByRole('link').click();
    await page.getByLabel('Website').fill('https://shores.example/');
    await page.getByRole('button', { name: /^Save changes/ }).click();
    await page.getByText('Settings saved').first().waitFor();
    await open();
    await step('Website and brand').getByRole('link').click();
    await page.waitForURL(/settings\/brand$/);
    await page.getByLabel('Color', { exact: true }).fill('#3366CC');
    await page.getByRole('button', { name: /^Save changes/ }).click();
    await page.getByText('Settings saved').first().waitFor();
    await open();
    await step('Website and brand').getByText('Complete').waitFor();
    await step('First commission rule').getByRole('link').click();
    await page.waitForURL(/\/rules$/);
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('completes the other steps as their conditions are met, and amounts are in its currency', async () => {
    const { page } = watched;
    await aRule(app.service, { rate: 10 }, program);
    await aProduct(app.service, {}, program);
    const { id: affiliateId } = await anAffiliate(app.service, { status: 'active' }, program);
    await aClick(app.service, affiliateId, program);
    await open();
    await page.getByText('6 of 9 complete').first().waitFor();
    await step('First order').getByText('No order yet').waitFor();
    await anOrder(app.service, { affiliateId, amountCents: 12_345_678 }, program);
    await open();
    await page.getByText('7 of 9 complete').first().waitFor();
    await shoot('next');
    await open('?sheet=go-live');
    await page.getByText(/KWD\s1,234\.568 of unpaid commissions/).waitFor();
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('goes live with the total that was shown, and hides its first steps once all are complete', async () => {
    const { page } = watched;
    await anOrder(app.service, { orderId: 'later', affiliateId: await theAffiliate(), amountCents: 1000 }, program);
    await page.getByRole('button', { name: /^Go live with/ }).click();
    await page.getByText('The unpaid commissions have changed').waitFor();
    watched.takeFaults();
    await page.getByText(/KWD\s1,234\.668 of unpaid commissions/).waitFor();
    await checkAccessibility(page, 'going live');
    await shoot('go-live');
    await page.getByRole('button', { name: /^Go live with/ }).click();
    await page.getByText('The program is live.').first().waitFor();
    const { body } = await app.service.request('GET', program.path, { key: program.key });
    assert.equal(body.mode, 'live');
    await page.getByText('8 of 9 complete').first().waitFor();
    const provider = { kind: 'payout', type: 'manual', name: 'Bank' };
    const connected = await app.service.request('POST', `${program.path}/providers`, { key: program.key, body: provider });
    assert.equal(connected.status, 201, connected.text);
    await page.reload();
    await waitForScreen(page);
    await page.getByText('Top affiliates').first().waitFor();
    assert.equal(await page.getByText('First steps').count(), 0);
    assert.deepEqual(watched.takeFaults(), []);
  });

  const theAffiliate = async () => {
    const { body } = await app.service.request('GET', `${program.path}/affiliates`, { key: program.key });
    return body.affiliates[0].id as string;
  };

  test('another one is created from the switcher, which members without that right don’t see', async () => {
    const { page } = watched;
    await page.getByRole('button', { name: /Switch program/ }).click();
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, 'new-program-switcher.png') });
    await page.getByRole('link', { name: 'Create program' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Second Shore');
    const groupId = await aGroup(app.service, 'Gold', program);
    await aRule(app.service, { name: 'Gold rate', groupId, rate: 17.5 }, program);
    await aRule(app.service, { name: 'Only Ada', affiliateId: await theAffiliate(), rate: 40 }, program);
    assert.equal(await page.getByLabel('Copy the terms of').count(), 0, 'no program has this currency');
    await page.getByRole('combobox', { name: 'Currency' }).fill('KWD');
    await page.getByRole('option', { name: /^KWD/ }).click();
    await page.getByRole('combobox', { name: 'Copy the terms of' }).click();
    await page.getByRole('option', { name: 'Quiet Shores' }).click();
    await checkAccessibility(page, 'a new program with the terms of another');
    await shoot('copy');
    await page.getByRole('dialog').getByRole('button', { name: 'Create program' }).click();
    await page.getByText('Second Shore was created.').first().waitFor();
    await page.waitForURL((url) => /console\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.includes(program.programId));
    const [, copyId = ''] = /console\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
    const read = async (id: string, path: string) => (await founder.request('GET', `/${path.replace('PROGRAM', id)}`)).body;
    const groups = (await read(copyId, 'v1/programs/PROGRAM/groups')).groups;
    assert.deepEqual(
      groups.map(({ name }: { name: string }) => name),
      ['Gold'],
    );
    const rulesOf = async (id: string) => (await read(id, 'v1/programs/PROGRAM/commission-rules?status=active')).commissionRules as Rule[];
    const facts = (rules: Rule[]) =>
      rules.map(({ name, type, rate, amountCents, groupId: group }) => [name, type, rate, amountCents, group !== null]);
    const expected = (await rulesOf(program.programId)).filter(({ affiliateId, productId }) => affiliateId === null && productId === null);
    assert.deepEqual(facts(await rulesOf(copyId)), facts(expected));
    assert.ok(expected.some(({ name }) => name === 'Gold rate'));
    assert.equal(
      (await read(copyId, 'app/programs/PROGRAM/brand')).color,
      (await read(program.programId, 'app/programs/PROGRAM/brand')).color,
    );
    assert.deepEqual(watched.takeFaults(), []);
    // The open page would read a program that the next user is not a member of.
    await page.goto('about:blank');
    await app.signInAs(await app.service.asMember('finance'));
    await page.goto(`${app.origin}/console?all=1`);
    await page.getByRole('heading', { name: 'Your programs' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create program' }).count(), 0);
    assert.deepEqual(watched.takeFaults(), []);
  });
});
