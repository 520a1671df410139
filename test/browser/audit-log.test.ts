// The audit log in the console: entries with their actors and changes, filtered, verified by its seals, and exported. With
// SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sealAuditLogs } from '../../server/platform/audit/seal.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import type { TestMember } from '../support/harness.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('the audit log', () => {
  let app: Console;
  let page: Page;
  let owner: TestMember;
  let adaId: string;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    const { service } = app;
    owner = await service.asMember('owner', { name: 'Dana Calder' });
    await aRule(service, { name: 'Everyone earns 10%', rate: 10 });
    const ada = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Marino' });
    const changed = await owner.request('PATCH', `${service.program.path}/affiliates/${ada.id}`, {
      body: { lastName: 'Lindqvist', tags: ['vip'] },
    });
    assert.equal(changed.status, 200, changed.text);
    const held = await owner.request('PATCH', service.program.path, { body: { holdDays: 45 } });
    assert.equal(held.status, 200, held.text);
    adaId = ada.id;
    await service.request('PATCH', service.program.path, { body: { payoutApprovalCents: 1000 } });
    await anOrder(service, { affiliateId: ada.id, amountCents: 100_000, occurredAt: '2026-01-02T12:00:00.000Z' });
    const dispatched = await service.request('POST', `${service.program.path}/payouts/dispatch`, { body: {} });
    assert.equal(dispatched.status, 201, dispatched.text);
    await sealAuditLogs.run(service.ctx, {}, { isLast: true });
    await app.signInAs(owner);
    page = (await watchPage(app.context, app.origin)).page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${service.program.programId}/settings/audit-log`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const shoot = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    await waitUntilStill(page);
    await page.screenshot({ path: join(folder, `audit-${name}.png`) });
  };

  test('shows who changed what, from where, and until when it is verified', async () => {
    await page.getByText(/^Verified until/).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Dana Calder changed the affiliate Ada Lindqvist' });
    await page.getByRole('row').filter({ hasText: 'Dana Calder changed the hold period from 30 to 45 days' }).waitFor();
    const link = row.getByRole('link', { name: 'Ada Lindqvist', exact: true });
    assert.equal(await link.locator('bdi').innerText(), 'Ada Lindqvist');
    assert.equal(await page.getByRole('main').getByText('affiliate.updated').count(), 0);
    await shoot('list');
    await link.click();
    await page.waitForURL(new RegExp(`/affiliates/${adaId}`));
    await page.goBack();
    await row.getByRole('link').first().click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('affiliate.updated').waitFor();
    await sheet.getByText('Marino').waitFor();
    await sheet.getByRole('link', { name: 'Ada Lindqvist' }).waitFor();
    await sheet.getByText('Dana Calder').first().waitFor();
    await shoot('sheet');
    await checkAccessibility(page, 'an entry of the audit log');
  });

  test('names each entry in the link of its row', async () => {
    await page.goto(`${app.origin}/console/${app.service.program.programId}/settings/audit-log`);
    await waitForScreen(page);
    await page.getByRole('link', { name: /Dana Calder changed the hold period from 30 to 45 days$/ }).waitFor();
  });

  test('is searched by names', async () => {
    const search = page.getByRole('searchbox', { name: 'Search by name, action or ID' });
    await search.fill('lindqvist');
    await page.getByRole('row').filter({ hasText: 'created the rule' }).waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'Dana Calder changed the affiliate Ada Lindqvist' }).waitFor();
    await shoot('search');
  });

  test('links to a payout batch that awaits approval', async () => {
    await page.goto(`${app.origin}/console/${app.service.program.programId}/settings/audit-log`);
    await waitForScreen(page);
    const row = page.getByRole('row').filter({ hasText: /dispatched the payout batch of 1 Mar, \$\d/ });
    await row.getByRole('link', { name: 'the payout batch of 1 Mar', exact: true }).click();
    await page.waitForURL(/\/payouts\/batches\/[0-9a-f-]{36}$/);
    await page.goBack();
    await page.waitForURL(/\/settings\/audit-log/);
    await waitForScreen(page);
  });

  test('is narrowed to an actor and to an action, and exported as CSV', async () => {
    await page.getByRole('link', { name: /Dana Calder changed the affiliate Ada Lindqvist$/ }).click();
    await page.getByRole('button', { name: 'Same actor' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.match(page.url(), new RegExp(`actorId=${owner.userId}`));
    await page.getByRole('row').filter({ hasText: 'created the rule' }).waitFor({ state: 'detached' });
    // An export ends before the moment at which it starts.
    app.service.clock.advance({ seconds: 1 });
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    assert.match(lines[0] ?? '', /createdAt,action/);
    assert.ok(lines.length > 1 && lines.slice(1).every((line) => line.includes(owner.userId)), lines.join('\n'));
  });

  test('says so when an entry was changed in the database', async () => {
    const { pool, program } = app.service;
    await pool.query(`update audit_log set network = '203.0.113.0/24' where program_id = $1 and action = 'affiliate.updated'`, [
      program.programId,
    ]);
    await page.reload();
    await page.getByText(/^The log was changed/).waitFor();
  });

  test('looks right in dark, on a phone and in German', async () => {
    if (!process.env.SCREENSHOTS) return;
    await shoot('broken');
    await page.goto(`${app.origin}/console/${app.service.program.programId}/settings/audit-log`);
    await waitForScreen(page);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      for (const width of [1440, 820, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await shoot(`${width}-${scheme}`);
      }
    }
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await page.reload();
    await waitForScreen(page);
    await shoot('phone-german');
    await page.getByText('hat Ada Lindqvist geändert').first().click();
    await page.getByRole('dialog').getByText('Marino').waitFor();
    await shoot('phone-sheet');
  });
});
