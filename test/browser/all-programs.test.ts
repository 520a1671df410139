// An agency sees its programs side by side, with amounts in their currencies, and decides what awaits a decision in any of them.
// With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addMember } from '../../server/accounts/identity/members/add-member.ts';
import { createProgram } from '../../server/accounts/programs/create.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import type { TestMember, TestProgram } from '../support/harness.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');
const actor = { kind: 'command', id: 'test' } as const;

describe('the programs of an agency', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let agent: TestMember;
  let atelier: TestProgram;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    const { service } = app;
    agent = await service.asMember('admin', { name: 'Dana Calder' });
    await aRule(service, { rate: 10 });
    const ada = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist' });
    await anOrder(service, { orderId: 'FF-1', affiliateId: ada.id, amountCents: 123_456 });
    await anAffiliate(service, { firstName: 'Noor', lastName: 'Haddad', autoApprove: false, sendInvite: false });
    atelier = await aProgram('Atelier Ōsaka', 'JPY');
    await aProgram('Studio Nord', 'USD');
    const applicant = { email: 'mei@example.com', firstName: 'Mei', lastName: 'Tanaka', autoApprove: false, sendInvite: false };
    const invited = await service.request('POST', `${atelier.path}/affiliates`, { key: atelier.key, body: applicant });
    assert.equal(invited.status, 201, invited.text);
    await service.pool.query(
      `insert into providers (program_id, id, kind, type, name, status, is_default, mode, currencies, config, created_at, updated_at)
        values ($1, gen_random_uuid(), 'commerce', 'stripe', 'Stripe', 'needs_attention', false, 'live', '{}', '{}', now(), now())`,
      [atelier.programId],
    );
    await app.signInAs(agent);
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  async function aProgram(name: string, currency: string): Promise<TestProgram> {
    const { service } = app;
    const fresh = { name, mode: 'live' as const, currency, timezone: 'UTC', websiteUrl: null };
    const { programId, apiKey: key } = await transact(service.ctx, (tx) => createProgram(tx, fresh, actor));
    await transact(service.ctx, (tx) => addMember(tx, { programId, userId: agent.userId, role: 'admin', actor }));
    return { programId, key, readKey: key, path: `/v1/programs/${programId}` };
  }

  /** Pictures in both schemes and at three widths, each without text that is cut off. */
  async function shoot(name: string): Promise<void> {
    if (!process.env.SCREENSHOTS) return;
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 820, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await waitUntilStill(page);
        await page.screenshot({ path: join(folder, `agency-${name}-${colorScheme}-${width}.png`), fullPage: true });
      }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  const row = (name: string) => page.locator('[data-row]').filter({ hasText: name });

  test('are in one table, and sums only contain amounts of one currency', async () => {
    await page.goto(`${app.origin}/console?all=1`);
    await row('Atelier Ōsaka').getByText('Store not connected').waitFor();
    await waitForScreen(page);
    await row('Atelier Ōsaka').getByText('1 · Affiliate to approve').waitFor();
    const { name } = (await agent.request('GET', '/app/me')).body.programs.find(
      ({ id }: { id: string }) => id === app.service.program.programId,
    );
    await row(name).getByText('$1,234.56').waitFor();
    await row('Studio Nord').getByText('Nothing to decide').waitFor();
    await row('Studio Nord').getByText('No problems').waitFor();
    const totals = page.getByRole('region', { name: 'Totals by currency' });
    const texts = await totals.getByRole('listitem').allInnerTexts();
    assert.deepEqual(
      texts.map((text) => text.replace(/\s+/g, ' ')),
      [
        'USD 2 programs Affiliate sales $1,234.56 Commissions $123.46 Ready to pay $0.00',
        'JPY 1 program Affiliate sales ¥0 Commissions ¥0 Ready to pay ¥0',
      ],
    );
    await checkAccessibility(page, 'the programs of an agency');
    await shoot('programs');
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('have one list of what awaits a decision, which opens the inbox of the program', async () => {
    await page.getByRole('tab', { name: 'Review' }).click();
    await row('Mei Tanaka').getByText('Atelier Ōsaka').waitFor();
    await row('Noor Haddad').waitFor();
    await waitForScreen(page);
    await checkAccessibility(page, 'the review of all programs');
    await shoot('review');
    await row('Mei Tanaka').getByRole('link').first().click();
    await page.waitForURL(new RegExp(`/console/${atelier.programId}/review`));
    await page.getByRole('heading', { name: 'Mei Tanaka' }).waitFor();
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('are found by name, in German too', async () => {
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await page.goto(`${app.origin}/console?all=1`);
    await page.getByRole('tab', { name: 'Prüfung' }).waitFor();
    await row('Studio Nord').getByText('Keine Probleme').waitFor();
    await page.getByRole('searchbox', { name: 'Programme durchsuchen' }).fill('osaka');
    await row('Studio Nord').waitFor({ state: 'detached' });
    await row('Atelier Ōsaka').getByText('1 · Affiliate freischalten').waitFor();
    await shoot('german');
    assert.deepEqual(watched.takeFaults(), []);
  });
});
