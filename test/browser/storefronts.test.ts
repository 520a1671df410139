// Public pages in a browser: no script of anyone runs, nothing is inaccessible in either scheme, nothing scrolls sideways on
// a narrow phone, no other site is asked for anything. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Browser, BrowserContext } from 'playwright-core';
import { serveIcon } from '../../server/platform/http/pages/icon.ts';
import { serveFonts } from '../../server/promotion/storefronts/fonts.ts';
import { renderStorefront } from '../../server/promotion/storefronts/render.ts';
import type { Storefront, TemplateName } from '../../server/promotion/storefronts/storefront.ts';
import { picturesOf } from '../../server/promotion/storefronts/storefront.ts';
import { contentPolicy, styleSheetOf } from '../../server/promotion/storefronts/styles.ts';
import { openBrowser } from '../support/browser.ts';
import { checkAccessibility, checkWidth } from '../support/screens/checks.ts';
import { type Watched, watchPage } from '../support/screens/watched-page.ts';
import { aStorefront, someProducts } from '../support/storefronts/contents.ts';
import { injections } from '../support/storefronts/injections.ts';

const templates: TemplateName[] = ['clinical', 'creator', 'minimalist'];
const folder = '.tributary/screens';

const long = {
  title: 'Everything I keep in the cupboard above the stove, and why the other forty things went to my neighbor instead of staying',
  affiliateName: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh Maximiliana',
  headline: 'A headline of more than one line, so that every template has to decide what to do with it, without a scrollbar',
  coupon: { code: 'ALONGCODETHATNOBODYTYPES2026', discount: '12.5% off' },
  products: someProducts(3).map((product) => ({ ...product, name: `${product.name} ${'Unbreakable'.repeat(9)}` })),
};
const rightToLeft = {
  title: 'ما أستخدمه كل يوم',
  affiliateName: 'ليلى الحداد',
  headline: 'قائمة قصيرة',
  bio: 'أعمل أخصائية تغذية منذ عشر سنوات، وهذه هي المنتجات التي أوصي بها.',
  products: someProducts(5).map((product) => ({ ...product, name: 'شاي المساء', text: 'أشربه كل ليلة قبل النوم.' })),
};

/** Contents by the name of a case. */
const cases: Record<string, Partial<Storefront>> = {
  typical: {},
  one: { products: someProducts(1) },
  forty: { products: someProducts(40) },
  long,
  'right-to-left': rightToLeft,
  empty: { products: [], coupon: null, offer: null, links: [], bio: null },
};

/** Every text that a person writes is the given one. */
function filledWith(template: TemplateName, text: string): Storefront {
  const page = aStorefront(template);
  // A line break starts a paragraph, and short headlines have a separate element.
  const [oneLine, longer] = [text.replaceAll('\n', ' '), `${text} ${'.'.repeat(40)}`];
  const products = someProducts(3).map((product) => ({ ...product, name: text, text }));
  const program = { ...page.program, name: text, disclosure: text, disclaimer: oneLine };
  const texts = { title: text, headline: longer, bio: oneLine, offer: text, affiliateName: text };
  return {
    ...page,
    ...texts,
    program,
    products,
    coupon: { code: text, discount: text },
    links: [{ label: text, url: 'https://a.example/' }],
  };
}

/** The elements, except those around names in a disclosure, and the names of their attributes, and their addresses, of each document. */
const outline = `(documents) => documents.map((text) => [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('*:not(bdi)')].map(
  (element) => element.localName + [...element.attributes].map(({ name, value }) => ' ' + name + (/href|src/.test(name) ? value : '')).sort().join('')
).join('\\n'))`;

describe('public pages', () => {
  const app: FastifyInstance = Fastify({ forceCloseConnections: true });
  const pages = new Map<string, Storefront>();
  let browser: Browser;
  let context: BrowserContext;
  let watched: Watched;
  let origin: string;
  before(async () => {
    serveFonts(app);
    serveIcon(app);
    app.get<{ Params: { name: string } }>('/:name', async (request, reply) => {
      const page = pages.get(request.params.name);
      if (!page) return reply.code(404).send();
      const policy = contentPolicy(styleSheetOf(page.template, page.accent), { embedding: 'forbidden', pictures: picturesOf(page) });
      return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(renderStorefront(page));
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    browser = await openBrowser();
    context = await browser.newContext();
    context.setDefaultTimeout(60_000);
    watched = await watchPage(context, origin);
  });
  after(async () => {
    await browser.close();
    await app.close();
  });

  const open = async (name: string, content: Storefront) => {
    pages.set(name, content);
    await watched.page.goto(`${origin}/${name}`);
    await watched.page.evaluate('document.fonts.ready');
  };
  const picture = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    mkdirSync(folder, { recursive: true });
    await watched.page.screenshot({ path: `${folder}/storefront-${name}.png`, fullPage: true });
  };

  for (const template of templates) {
    test(`${template} has the same elements whatever its texts contain`, async () => {
      await open('blank', aStorefront(template));
      const documents = ['text', ...injections].map((text) => renderStorefront(filledWith(template, text)));
      const [expected, ...found] = (await watched.page.evaluate(`(${outline})(${JSON.stringify(documents)})`)) as string[];
      assert.equal(found.length, injections.length);
      for (const [index, elements] of found.entries()) assert.equal(elements, expected, injections[index]);
    });

    test(`${template} runs no script of its texts, and requests nothing from other sites`, async () => {
      const text = injections.join(' ');
      await watched.page.addInitScript('window.x = () => { window.hasRun = true; }');
      await open('attacked', {
        ...filledWith(template, text),
        products: injections.map((name) => ({ ...someProducts(1)[0], name, text: name })) as Storefront['products'],
      });
      assert.equal(await watched.page.evaluate('window.hasRun === undefined'), true);
      assert.deepEqual(watched.takeFaults(), []);
    });

    for (const [name, given] of Object.entries(cases)) {
      test(`${template}, ${name}: accessible in both schemes, and not too wide at 320, 390 and 1440 pixels`, async () => {
        const { page } = watched;
        await page.emulateMedia({ colorScheme: 'light' });
        await page.setViewportSize({ width: 1440, height: 900 });
        await open(`${template}-${name}`, aStorefront(template, given));
        await checkAccessibility(page, `${template} ${name}`);
        for (const width of [1440, 390, 320]) {
          await page.setViewportSize({ width, height: 844 });
          await checkWidth(page, `${template} ${name} at ${width}`);
          await picture(`${template}-${name}-${width}-light`);
        }
        await page.emulateMedia({ colorScheme: 'dark' });
        await checkAccessibility(page, `${template} ${name}, dark`, { isContrastOnly: true });
        await picture(`${template}-${name}-320-dark`);
        assert.deepEqual(watched.takeFaults(), []);
      });
    }
  }
});
