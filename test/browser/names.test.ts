// Names in right-to-left scripts don't reorder the text around them: on every screen they are isolated, by `<bdi>` or by
// the characters that isolate them in plain text.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { fillProgram } from '../support/screens/fill-program.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { listScreens } from '../support/screens/table-of-contents.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const screens = { console: await listScreens('console'), portal: await listScreens('portal') };

/** Texts with right-to-left characters that are not isolated, with the element they are in. */
const findExposed = `(() => {
  const rightToLeft = /[\\u0590-\\u08ff]/;
  const isolated = /\\u2068[^\\u2068\\u2069]*\\u2069/g;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { textContent, parentElement } = walker.currentNode;
    if (!rightToLeft.test(textContent.replace(isolated, '')) || parentElement.closest('bdi, [dir=auto], script, style')) continue;
    found.push(parentElement.outerHTML.slice(0, 160));
  }
  return { found, count: document.body.innerText.match(/خليل/g)?.length ?? 0 };
})()`;

describe('names in right-to-left scripts', () => {
  let app: Console;
  let page: Page;
  let examples: Record<string, string>;
  before(async () => {
    app = await openConsole();
    const { service } = app;
    examples = await fillProgram(service, service.program);
    await service.pool.query(`update affiliates set first_name = 'نور', last_name = 'خليل'`);
    await app.context.clock.setFixedTime(service.clock.now());
    page = await app.context.newPage();
  });
  after(() => app?.close());

  async function find(address: string): Promise<{ found: string[]; count: number }> {
    await page.goto(address);
    await waitForScreen(page);
    return (await page.evaluate(findExposed)) as { found: string[]; count: number };
  }

  for (const name of ['console', 'portal'] as const) {
    for (const width of [1440, 390]) {
      test(`are isolated on every screen of the ${name} at ${width} px`, async () => {
        const { service, origin } = app;
        const { programId } = service.program;
        const { affiliateId = '' } = examples;
        const { body } = await service.request('GET', `${service.program.path}/affiliates/${affiliateId}`);
        if (name === 'console') await app.signInAs(await service.asMember('owner', { name: 'دانا قلعجي خليل' }));
        else {
          await app.signInAs(await service.asAffiliate({ id: affiliateId, email: body.email }));
          await service.pool.query(`update users set name = 'نور خليل'`);
        }
        await page.setViewportSize({ width, height: 900 });
        const exposed: string[] = [];
        let names = 0;
        for (const { path } of screens[name]) {
          const filled = path.replace(/\$(\w+)/g, (_, key: string) => examples[key] ?? '').replace(/^\//, '');
          const { found, count } = await find(`${origin}/${name}/${programId}/${filled}`);
          exposed.push(...found.map((element) => `${path}: ${element}`));
          names += count;
        }
        assert.deepEqual(exposed, []);
        assert.ok(names >= (name === 'console' ? 60 : 1), `${names} names were found`);
      });
    }
  }

  test('are isolated in sheets, questions and notifications', async () => {
    const { service, origin } = app;
    await app.signInAs(await service.asMember('owner', { name: 'دانا' }));
    await page.setViewportSize({ width: 1440, height: 900 });
    const { id } = await anAffiliate(service, { email: 'nour@example.com', firstName: 'نور', lastName: 'خليل' });
    await find(`${origin}/console/${service.program.programId}/affiliates/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
    await page.getByLabel('Last name').waitFor();
    assert.deepEqual(((await page.evaluate(findExposed)) as { found: string[] }).found, []);
  });
});
