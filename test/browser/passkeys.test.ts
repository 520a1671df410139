// Passkeys are offered only where the browser allows them; elsewhere the console and the portal explain why not.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import type { TestMember } from '../support/harness.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const words = {
  en: { card: 'Passkeys', add: 'Add a passkey', unavailable: 'need an address with HTTPS', required: 'Set up an authenticator app' },
  de: {
    card: 'Passkeys',
    add: 'Passkey hinzufügen',
    unavailable: 'benötigen eine Adresse mit HTTPS',
    required: 'Authenticator-App einrichten',
  },
};

describe('passkeys', () => {
  let app: Console;
  let owner: TestMember;
  let page: Page;

  before(async () => {
    app = await openConsole();
    owner = await app.service.asMember('owner', { name: 'Dana Calder', hasPasskey: false });
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  type Opened = { cookie: string; path: string };
  const settings = (): Opened => ({ cookie: owner.cookie, path: `console/${app.service.program.programId}/settings/security` });

  async function open(origin: string, language: 'en' | 'de', { cookie, path }: Opened = settings()): Promise<void> {
    const [name = '', value = ''] = cookie.split('=');
    await app.context.clearCookies();
    await app.context.addCookies([
      { name, value, url: origin, httpOnly: true, sameSite: 'Lax' },
      { name: 'trb-language', value: language, url: origin },
    ]);
    await page.goto(`${origin}/${path}`);
    await waitForScreen(page);
  }

  for (const language of ['en', 'de'] as const) {
    const { card, add, unavailable, required } = words[language];

    test(`are explained and not offered under an IP address, even if a proxy hides it from the service (${language})`, async () => {
      for (const isHidden of [false, true]) {
        if (isHidden) await page.route('**/app/passkeys', (route) => route.fulfill({ json: { isAvailable: true, passkeys: [] } }));
        await open(app.origin, language);
        const region = page.getByRole('region', { name: card });
        await region.getByText(unavailable).waitFor();
        assert.equal(await region.getByRole('button', { name: add }).count(), 0, `a proxy hides the address: ${isHidden}`);
        await page.getByText(required, { exact: true }).waitFor();
        await checkAccessibility(page, 'security without passkeys');
        await page.unrouteAll();
      }
    });

    test(`are offered at localhost (${language})`, async () => {
      await open(app.origin.replace('127.0.0.1', 'localhost'), language);
      const region = page.getByRole('region', { name: card });
      await region.getByRole('button', { name: add }).waitFor();
      assert.equal(await region.getByText(unavailable).count(), 0);
    });
  }

  test('are a step of the portal only where the browser allows them', async () => {
    const { service, origin } = app;
    const { id, email } = await anAffiliate(service, { status: 'active' });
    const { cookie } = await service.asAffiliate({ id, email });
    const steps = async (at: string) => {
      await open(at, 'en', { cookie, path: `portal/${service.program.programId}` });
      const card = page.getByRole('region', { name: 'Get set up' });
      await card.getByText('Share your link').waitFor();
      return card.getByText('Add a passkey').count();
    };
    assert.equal(await steps(origin), 0);
    assert.equal(await steps(origin.replace('127.0.0.1', 'localhost')), 1);
  });
});
