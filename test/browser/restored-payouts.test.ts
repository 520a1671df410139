// After a backup was restored, the console says why payouts are locked and what to check, and unlocks them once every step is
// done. The payment that the backup doesn't know is found, and never made again. With SCREENSHOTS=1: pictures in
// .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { restoreBackup } from '../../server/operations/backup/restore-backup.ts';
import { writeBackup } from '../../server/operations/backup/write-backup.ts';
import { sendQueued } from '../../server/paying/payouts/send/send.ts';
import { ensureAppRole } from '../../server/platform/db/app-role.ts';
import { anOrder, aRule } from '../support/builders.ts';
import type { TestMember } from '../support/harness.ts';
import { withCopyClient } from '../support/own-connections.ts';
import { anExternalProvider, aPayee, aRail } from '../support/payees.ts';
import { checkAccessibility, checkWidth } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const screens = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('payouts after a restore', () => {
  let app: Console;
  let page: Page;
  let rail: Awaited<ReturnType<typeof aRail>>;
  let dana: TestMember;
  let folder: string;

  before(async () => {
    mkdirSync(screens, { recursive: true });
    folder = mkdtempSync(join(tmpdir(), 'tributary-restored-'));
    app = await openConsole();
    const { service } = app;
    rail = await aRail(service);
    await anExternalProvider(service, rail.url);
    await aRule(service, { rate: 10 });
    dana = await service.asMember('owner', { name: 'Dana Calder' });
    const { id } = await aPayee(service);
    await anOrder(service, { affiliateId: id, amountCents: 100_000 });
    service.clock.advance({ days: 31 });
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
  });
  after(async () => {
    await app?.close();
    await rail?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = (path: string, body: object) => app.service.request('POST', `${app.service.program.path}/${path}`, { body });
  const open = async (path: string) => {
    await app.context.clock.setFixedTime(app.service.clock.now());
    await app.signInAs(await app.service.signIn(dana.userId));
    await page.goto(`${app.origin}/console/${app.service.program.programId}/${path}`);
    await waitForScreen(page);
  };
  const look = async (name: string) => {
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await checkWidth(page, `${name}, ${width} px`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        if (process.env.SCREENSHOTS) await page.screenshot({ path: join(screens, `${name}-${colorScheme}-${width}.png`), fullPage: true });
      }
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await checkAccessibility(page, name);
  };

  test('are locked until the records were compared and the other payments confirmed', async () => {
    const { service } = app;
    const file = join(folder, 'before.backup');
    await withCopyClient(service.pool, (client) => writeBackup(client, { path: file, version: 'test', encryptedColumns: [] }));
    assert.equal((await send('payouts/dispatch', {})).status, 201);
    await sendQueued(service.ctx, service.program.programId);
    assert.equal(rail.payments().length, 1);
    service.clock.advance({ days: 1 });
    await withCopyClient(service.pool, (client) => restoreBackup(file, { client, boss: service.boss, now: service.clock.now() }));
    await ensureAppRole(service.pool);

    await open('payouts');
    await page.getByText('This database was restored from a backup, so it may not know the latest payments.').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Pay \d/ }).count(), 0);
    await page.getByRole('link', { name: 'Reconcile payouts' }).click();
    const checklist = page.getByRole('region', { name: 'Payouts are locked' });
    await checklist.getByText('Payment files: was one uploaded').waitFor();
    const unlock = checklist.getByRole('button', { name: 'Unlock payouts' });
    assert.deepEqual([await unlock.isDisabled(), await checklist.getByText('Done', { exact: true }).count()], [true, 0]);
    await look('restored');

    await page.getByRole('button', { name: 'Compare now' }).click();
    await checklist.getByText('Done', { exact: true }).nth(1).waitFor();
    assert.ok(await unlock.isDisabled(), 'the payments that no provider lists are not confirmed yet');
    await checklist.getByLabel(/I checked manual payouts/).check();
    await look('restored-ready');
    await unlock.click();
    await checklist.waitFor({ state: 'detached' });
    assert.deepEqual([(await send('payouts/dispatch', {})).status, rail.payments().length], [422, 1]);
  });
});
