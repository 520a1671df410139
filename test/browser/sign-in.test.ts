// The sign-in pages in a real browser: without scripts, with passkeys (a virtual authenticator), and how they look.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { readSignInEmail } from '../support/visitor.ts';

const folder = '.tributary/screens';

let service: TestService;
let browser: Browser;
let origin: string;

before(async () => {
  mkdirSync(folder, { recursive: true });
  service = await openTestService();
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://localhost:${(service.app.server.address() as AddressInfo).port}`;
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await service.close();
});

/** Requests an email on the page and returns what it contains. */
async function requestEmail(page: Page, email: string) {
  await page.goto(`${origin}/sign-in`);
  await page.locator('#email').fill(email);
  await page.locator('form button').first().click();
  await page.locator('#code').waitFor();
  await service.drain();
  // Notices about earlier changes may be sent with it.
  const mail = service.mails.findLast(({ text }) => text.includes('/enter/'));
  assert.equal(mail?.to, email);
  return readSignInEmail(mail as NonNullable<typeof mail>);
}

const sessionOf = async (context: BrowserContext) => (await context.cookies(origin)).find(({ name }) => name === 'trb')?.value;

describe('without scripts', () => {
  test('a user signs in with the code, or with the link', async () => {
    const { email } = await service.asMember('owner', { name: 'Dana Calder' });
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const { code } = await requestEmail(page, email);
    await page.locator('#code').fill(code ?? '');
    await page.locator('form button').click();
    assert.ok(await sessionOf(context));
    await context.clearCookies();
    const { path } = await requestEmail(page, email);
    await page.goto(origin + path);
    assert.equal(await page.locator('.who strong').innerText(), email);
    assert.equal(await sessionOf(context), undefined);
    await page.getByRole('button', { name: 'Continue' }).click();
    assert.ok(await sessionOf(context));
  });
});

describe('passkeys', () => {
  // A separate browser: the small browser of CI confuses the cookies of several contexts.
  let ownBrowser: Browser;
  let context: BrowserContext;
  let page: Page;
  let cdp: CDPSession;
  let userId: string;
  after(() => ownBrowser?.close());
  before(async () => {
    ownBrowser = await openBrowser();
    context = await ownBrowser.newContext();
    page = await context.newPage();
    cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    } as const;
    await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, automaticPresenceSimulation: true } });
    const member = await service.asMember('owner', { hasPasskey: false });
    userId = member.userId;
    await service.ctx.db.updateTable('users').set({ lastSignInAt: null }).where('id', '=', userId).execute();
    const { path } = await requestEmail(page, member.email);
    await page.goto(origin + path);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/welcome**');
  });

  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  type Called = { status: number; body: any };

  /** Calls an endpoint from the page, as the console does. */
  const call = (method: string, path: string, body?: unknown): Promise<Called> => {
    const sent =
      body === undefined ? '' : `, headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))}`;
    return page.evaluate(
      `fetch('${path}', { method: '${method}'${sent} }).then(async (response) => ({ status: response.status, body: await response.json() }))`,
    );
  };

  test('one is added after the first sign-in, and named after the browser', async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Passkey added.').waitFor();
    const { passkeys } = (await call('GET', '/app/passkeys')).body;
    assert.equal(passkeys.length, 1);
    assert.match(passkeys[0].name, /Chrome/);
  });

  test('it signs in without an email, for the same user, with a new session', async () => {
    await context.clearCookies();
    await page.goto(`${origin}/sign-in?next=/opened-after`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${origin}/opened-after`);
    const session = await service.ctx.db
      .selectFrom('sessions')
      .selectAll()
      .where('userId', '=', userId)
      .where('method', '=', 'passkey')
      .execute();
    assert.equal(session.length, 1);
  });

  test('it confirms an identity, and a response works once', async () => {
    await page.goto(`${origin}/welcome`);
    assert.deepEqual((await call('GET', '/app/confirm')).body.methods, ['passkey']);
    const previous = await sessionOf(context);
    const { options } = (await call('POST', '/app/confirm/passkey-options', {})).body;
    const response = await page.evaluate(`(async () => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)});
      return (await navigator.credentials.get({ publicKey })).toJSON();
    })()`);
    const signIn = await call('POST', '/app/passkeys/sign-in', { response });
    assert.deepEqual([signIn.status, signIn.body.code], [400, 'passkey_rejected'], 'a challenge is for one purpose');
    assert.equal((await call('POST', '/app/confirm', { method: 'passkey', response })).status, 200);
    assert.notEqual(await sessionOf(context), previous);
    const again = await call('POST', '/app/confirm', { method: 'passkey', response });
    assert.deepEqual([again.status, again.body.code], [400, 'not_confirmed']);
  });

  test('it can be renamed and removed, and then signs in no longer', async () => {
    const { passkeys } = (await call('GET', '/app/passkeys')).body;
    assert.equal((await call('PATCH', `/app/passkeys/${passkeys[0].id}`, { name: 'Laptop' })).body.name, 'Laptop');
    assert.equal((await call('DELETE', `/app/passkeys/${passkeys[0].id}`)).status, 200);
    assert.equal((await call('DELETE', `/app/passkeys/${passkeys[0].id}`)).status, 404);
    await context.clearCookies();
    await page.goto(`${origin}/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('We couldn’t verify your passkey').waitFor();
    assert.equal(await sessionOf(context), undefined);
  });
});

describe('every sign-in page', () => {
  /** Each page is reached as users reach it. */
  const pages: Record<string, (page: Page, email: string) => Promise<void>> = {
    'sign-in': async (page) => void (await page.goto(`${origin}/sign-in`)),
    'check-your-email': async (page, email) => void (await requestEmail(page, email)),
    'wrong-code': async (page, email) => {
      await requestEmail(page, email);
      await page.locator('#code').fill('12345');
      await page.locator('form button').click();
      await page.locator('#error').waitFor();
    },
    enter: async (page, email) => void (await page.goto(origin + (await requestEmail(page, email)).path)),
    unknown: async (page) => void (await page.goto(`${origin}/enter/unknown`)),
  };
  const looks = [
    { colorScheme: 'light', width: 1440, locale: 'en-US' },
    { colorScheme: 'dark', width: 1440, locale: 'de-DE' },
    { colorScheme: 'light', width: 390, locale: 'de-DE' },
    { colorScheme: 'dark', width: 390, locale: 'en-US' },
  ] as const;

  for (const { colorScheme, width, locale } of looks) {
    test(`is accessible, small, and loads only its own files (${colorScheme}, ${width} px, ${locale})`, async () => {
      const { email } = await service.asMember('owner', { name: 'Dana Calder' });
      const context = await browser.newContext({ colorScheme, locale, viewport: { width, height: 860 } });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !/status of (400|404)/.test(message.text())) faults.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(origin)) faults.push(request.url());
      });
      for (const [name, open] of Object.entries(pages)) {
        await open(page, email);
        await page.evaluate('document.fonts.ready');
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}-${locale}.png` });
        assert.equal(await page.locator('html').getAttribute('lang'), locale.slice(0, 2));
        assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
        await checkAccessibility(page, `${name}, ${colorScheme}, ${width}, ${locale}`);
        const bytes = Buffer.byteLength(await page.content());
        assert.ok(bytes < 18_000, `${name}: ${bytes} bytes`);
        await page.setViewportSize({ width: 320, height: 700 });
        assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 320, `${name} scrolls sideways`);
        await page.setViewportSize({ width, height: 860 });
      }
      assert.deepEqual(faults, []);
      service.clock.advance({ seconds: 3601 });
    });
  }
});
