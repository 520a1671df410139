// The guides of mobile apps, Next.js and consent: the code that they show runs against the service.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { createClient } from '../../sdk/index.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { reviewPage } from '../../server/promotion/landing-pages/review.ts';
import { script } from '../../server/promotion/tracking/pages/script.ts';
import { chrome } from '../support/browsers.ts';
import { aClick, anAffiliate, aPage, aProduct, aRule } from '../support/builders.ts';
import { runCode } from '../support/documents/run-code.ts';
import { importModules } from '../support/documents/run-modules.ts';
import { openTestService, type TestService } from '../support/harness.ts';

/** Loaded at run time: its types belong to the browser. */
const { renderToStaticMarkup } = (await import('react-dom/server' as string)) as { renderToStaticMarkup(element: unknown): string };
const sdk = pathToFileURL(resolve('sdk/index.ts')).href;

type Run = (...args: unknown[]) => Promise<unknown>;

let service: TestService;
let url: string;
let affiliate: { id: string; referralCode: string };
before(async () => {
  service = await openTestService();
  url = await service.app.listen({ port: 0, host: '127.0.0.1' });
  await aRule(service, { rate: 10 });
  affiliate = await anAffiliate(service, { status: 'active' });
});
after(() => service?.close());

describe('mobile apps', () => {
  const click = '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f';
  const runGuide = async (given: object) => (await runCode('docs/guides/mobile-apps.md', { ...given })) as Record<string, Run>;

  test('the page leads on with the click, and the app finds it', async () => {
    for (const OS of ['android', 'ios']) {
      let initial: string | null = null;
      let referrer: string | null = 'utm_source=google-play';
      const app = await runGuide({
        Platform: { OS },
        Linking: { getInitialURL: async () => initial },
        Application: { getInstallReferrerAsync: async () => referrer },
        client: {},
      });
      assert.equal(await app.findClick?.(), null);
      const address = new URL(
        String(await app.openApp?.(`https://shop.example.com/app?trb_click=${click}`, OS === 'ios' ? 'iPhone' : 'Android 16')),
      );
      referrer = address.searchParams.get('referrer') ?? referrer;
      if (OS === 'ios') initial = address.href;
      assert.equal(await app.findClick?.(), click, OS);
    }
  });

  test('a sign-up binds the customer, whose purchases and refunds need nothing else', async () => {
    const client = createClient({ url, apiKey: service.program.key });
    const app = await runGuide({ client });
    const clickId = await aClick(service, affiliate.id);
    const user = { id: 'u-1', email: 'rosa@example.com' };
    assert.equal(await app.signUp?.({ user, clickId, code: null }), 'credited');
    assert.equal(await app.signUp?.({ user, clickId, code: null }), 'credited');
    assert.equal(await app.signUp?.({ user: { id: 'u-2', email: null }, clickId: null, code: null }), 'no_signal');
    assert.equal(await app.signUp?.({ user: { id: 'u-2', email: null }, clickId: null, code: 'WRONG' }), 'unknown');
    assert.equal(await app.signUp?.({ user: { id: 'u-2', email: null }, clickId: null, code: affiliate.referralCode }), 'credited');
    for (const userId of ['u-1', 'u-2'])
      assert.equal(
        await app.reportPurchase?.({ transactionId: `t-${userId}`, userId, amountCents: 999, subscriptionId: `s-${userId}` }),
        100,
      );
    assert.equal(await app.reportPurchase?.({ transactionId: 't-3', userId: 'u-3', amountCents: 999 }), 0);
    await app.reportRefund?.({ transactionId: 't-u-1', amountCents: 999 });
    const { rows } = await service.pool.query('select count(*)::int as refunds from refunds');
    assert.deepEqual(rows, [{ refunds: 1 }]);
  });
});

describe('a storefront in Next.js', () => {
  test('shows the approved page, and takes the click to the checkout', async () => {
    const productId = await aProduct(service, { name: 'Sleep tea', priceCents: 1490, checkoutUrl: 'https://shop.example/cart?x=1' });
    await aPage(service, affiliate.id, 'ada', { pageTitle: 'My teas', isPublished: true });
    const options = JSON.stringify({ url, apiKey: service.program.key });
    const modules = await importModules('docs/guides/nextjs.md', {
      'next/navigation': "export const notFound = () => { throw new Error('not found'); };",
      '@tributary/client': `import { createClient as create } from '${sdk}';
        export { TributaryError } from '${sdk}';
        export const createClient = () => create(${options});`,
    });
    try {
      const { default: Page } = (await modules.load('app/with/[slug]/page.js')) as { default: Run };
      const { GET } = (await modules.load('app/with/[slug]/buy/[product]/route.js')) as { GET: (...args: unknown[]) => Promise<Response> };
      const show = async (slug: string, query = {}) =>
        renderToStaticMarkup(await Page({ params: Promise.resolve({ slug }), searchParams: Promise.resolve(query) }));
      await assert.rejects(show('nothing'), /not found/);
      await assert.rejects(show('ada'), /not found/);
      const { programId } = service.program;
      const review = { programId, slug: 'ada', revision: 1, verdict: 'approved', actor: { kind: 'command', id: 'test' } } as const;
      await transact(service.ctx, (tx) => reviewPage(tx, review));
      const html = await show('ada');
      assert.match(html, /<h1>My teas<\/h1>.*earns a commission.*<h2>Sleep tea<\/h2><p>\$14\.90<\/p>/);
      assert.ok(html.includes(`href="/with/ada/buy/${productId}" rel="nofollow sponsored"`), html);

      const buy = (query = '', headers = {}) => {
        const request = new Request(`https://fern.example/with/ada/buy/${productId}${query}`, {
          headers: { 'user-agent': chrome, 'x-forwarded-for': '203.0.113.7, 10.0.0.1', ...headers },
        });
        return GET(request, { params: Promise.resolve({ slug: 'ada', product: productId }) });
      };
      const first = new URL((await buy()).headers.get('location') ?? '');
      const clickId = first.searchParams.get('trb_click') ?? '';
      assert.deepEqual(
        [first.host, first.searchParams.get('x'), first.searchParams.get('ref')],
        ['shop.example', '1', affiliate.referralCode],
      );
      assert.ok((await show('ada', { trb_click: clickId })).includes(`/buy/${productId}?trb_click=${clickId}"`));
      const again = await buy('', { cookie: `a=b; trb_click=${clickId}` });
      const linked = await buy(`?trb_click=${clickId}`);
      for (const { headers } of [again, linked])
        assert.equal(new URL(headers.get('location') ?? '').searchParams.get('trb_click'), clickId);
      assert.match(linked.headers.get('set-cookie') ?? '', new RegExp(`^trb_click=${clickId};`));
      const bot = await buy('', { 'user-agent': 'curl/8.5.0' });
      assert.equal(bot.headers.get('location'), `https://shop.example/cart?x=1&ref=${affiliate.referralCode}`);

      const order = { orderId: 'next-1', amountCents: 1490, clickId };
      assert.equal((await service.request('POST', '/v1/conversions', { body: order })).body.commissionCents, 149);
    } finally {
      modules.remove();
    }
  });
});

describe('consent', () => {
  const click = '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f';

  /** A page with the script and the banner of the guide. `stored` is what the browser keeps between pages. */
  async function openPage(address: string, stored: { cookie: string; items: Map<string, string> }, answer: { allowed: boolean }) {
    const listeners: Record<string, () => void> = {};
    const page = createContext({
      URL,
      URLSearchParams,
      fetch,
      location: { href: address, protocol: 'https:', search: new URL(address).search },
      navigator: {},
      localStorage: {
        getItem: (key: string) => stored.items.get(key) ?? null,
        setItem: (key: string, value: string) => void stored.items.set(key, value),
        removeItem: (key: string) => void stored.items.delete(key),
      },
      document: {
        currentScript: { dataset: { consent: 'denied', program: service.program.programId }, src: `${url}/t.js` },
        referrer: '',
        querySelectorAll: () => [],
        get cookie() {
          return stored.cookie;
        },
        set cookie(text: string) {
          const [pair = '', ...rest] = text.split(';');
          stored.cookie = rest.includes('max-age=0') ? '' : pair;
        },
      },
      addEventListener: (type: string, run: () => void) => void Object.assign(listeners, { [type]: run }),
    });
    runInContext('globalThis.window = globalThis', page);
    runInContext(script, page);
    const { tributary } = page as { tributary: { clickId(): string } };
    const banner = { allows: () => answer.allowed, onChange: (run: () => void) => void Object.assign(listeners, { change: run }) };
    const addEventListener = (type: string, run: () => void) => void Object.assign(listeners, { [type]: run });
    await runCode('docs/guides/consent.md', { banner, tributary, addEventListener });
    listeners.load?.();
    return { clickId: () => tributary.clickId(), change: () => listeners.change?.() };
  }

  test('the banner of the guide decides what is stored, on this page and on later ones', async () => {
    const stored = { cookie: '', items: new Map<string, string>() };
    const answer = { allowed: false };
    const isStored = () => [stored.cookie, stored.items.get('trb_click') ?? ''];
    const landing = await openPage(`https://shop.example.com/?trb_click=${click}&ref=X`, stored, answer);
    assert.deepEqual([landing.clickId(), isStored()], [click, ['', '']]);
    assert.equal((await openPage('https://shop.example.com/cart', stored, answer)).clickId(), '');
    answer.allowed = true;
    landing.change();
    assert.deepEqual(isStored(), [`trb_click=${click}`, click]);
    const cart = await openPage('https://shop.example.com/cart', stored, answer);
    assert.equal(cart.clickId(), click);
    answer.allowed = false;
    cart.change();
    assert.deepEqual([cart.clickId(), isStored()], ['', ['', '']]);
  });
});
