// Every email in Chromium, with hostile texts in every field that people type, and on a phone.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Frame, locales } from '../../server/messaging/emails/look/look.ts';
import { renderSample, sampleIds } from '../../server/messaging/emails/previews/samples.ts';
import { openBrowser } from '../support/browser.ts';
import { injections } from '../support/storefronts/injections.ts';

const origin = 'https://links.example';

/** In the page: opens each text of `opened` in a frame, in which scripts may run, and returns the elements of all texts. */
const openAndRead = `async ({ opened, texts }) => {
  for (const text of opened) {
    const frame = document.createElement('iframe');
    frame.srcdoc = text;
    await new Promise((resolve) => { frame.onload = resolve; document.body.append(frame); });
    frame.remove();
  }
  return texts.map((text) => {
    const elements = [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('*')];
    return elements.filter(({ dir }) => dir === '').map(({ localName, attributes }) => localName + attributes.length).join();
  });
}`;

/** A text adds elements in every email or in none, so each email opens a quarter of them in frames, which are slow. */
const quarters = 4;

describe('emails in Chromium', () => {
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  before(async () => {
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
    page = await context.newPage();
    await page.addInitScript('window.x = () => { window.top.hasRun = true; }');
    page.on('request', (request) => {
      if (!/^(about|data):/.test(request.url())) requested.push(request.url());
    });
    await page.route('**/*', (route) => route.abort());
    await page.goto('about:blank');
  });
  after(() => browser?.close());

  for (const [index, id] of sampleIds.entries()) {
    test(`${id} runs no script of the texts in it, and requests nothing`, async () => {
      const locale = locales[index % locales.length] ?? 'en';
      const render = (text: string) => {
        const look = { of: 'program', name: text, websiteUrl: null, logoUrl: null, color: text, postalAddress: text } as const;
        const words = { firstName: text, member: text, message: text, reason: text, note: text, passkey: text };
        const frame: Frame = { look, locale };
        return renderSample(id, { frame, sender: { name: text, websiteUrl: null }, origin, words }).html;
      };
      const texts = ['text', ...injections].map(render);
      const opened = texts.filter((_, place) => place % quarters === index % quarters);
      const [expected, ...found] = (await page.evaluate(`(${openAndRead})(${JSON.stringify({ opened, texts })})`)) as string[];
      for (const [place, elements] of found.entries()) assert.equal(elements, expected, injections[place]);
      assert.equal(await page.evaluate('window.hasRun === undefined'), true);
      assert.deepEqual(requested, []);
    });

    test(`${id} fits a phone with a long name and a long link`, async () => {
      const name = 'Wolfeschlegelsteinhausenbergerdorff & Featherstonehaugh Handelsgesellschaft';
      const look = { of: 'program', name, websiteUrl: null, logoUrl: null, color: '#A93F22', postalAddress: 'x'.repeat(90) } as const;
      const sender = { name, websiteUrl: 'https://brand.example' };
      const { html } = renderSample(id, { frame: { look, locale: 'de' }, sender, origin: `https://${'long'.repeat(20)}.example` });
      await page.setContent(html);
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
      assert.ok(width <= 390, `it scrolls sideways: ${width}`);
    });
  }
});
