// What holds on every screen.
import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';
import { until } from '../time/wait.ts';

// Functions that run in the page are texts: the check of types knows only the server's globals.

/**
 * By how much the page is too wide, and the first elements that are. What follows a change of the size is drawn some frames
 * later, so a page that is too wide is measured again until it is not, or has been for a second.
 */
const overflow = `async () => {
  const measure = () => {
    const limit = document.documentElement.clientWidth;
    const outside = [...document.querySelectorAll('main *, header *, nav *')].filter((element) => {
      const { right, width } = element.getBoundingClientRect();
      return width > 0 && right > limit + 1;
    });
    return { width: document.documentElement.scrollWidth - limit, wide: outside.slice(0, 3).map((each) => each.outerHTML.slice(0, 160)) };
  };
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  for (let frames = 0; frames < 60 && measure().width > 0; frames += 1) await frame();
  return measure();
}`;

/** The focused element, if neither it nor what surrounds it has a ring. */
const unseenFocus = `() => {
  const hasRing = (element) => {
    if (!element || element === document.body) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || (boxShadow !== 'none' && element.matches(':focus-within'));
  };
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  return hasRing(element) || hasRing(element.parentElement) ? null : element.outerHTML.slice(0, 160);
}`;

const everyRule: axe.RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
const contrast: axe.RunOnly = { type: 'rule', values: ['color-contrast'] };

/** No violation of WCAG 2.2 AA in a page, or in a frame of another site, which is not checked with its page. `isContrastOnly`: after a change of the colour scheme, nothing else can differ. */
export async function checkAccessibility(page: Page | Frame, label: string, { isContrastOnly = false } = {}): Promise<void> {
  // A preview loads again with another colour scheme, and axe writes an error to the console if it finds an empty frame.
  const frames = () => ('frames' in page ? page.frames() : page.childFrames());
  await until('previews are loaded', () => frames().every((frame) => !['', 'about:blank'].includes(frame.url())));
  // Once per loaded document: the script is half a megabyte.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const options: axe.RunOptions = { runOnly: isContrastOnly ? contrast : everyRule, resultTypes: ['violations'] };
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as axe.AxeResults;
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
  assert.deepEqual(found, [], label);
}

/** One headline, in a main landmark. */
export async function checkHeadline(page: Page, label: string): Promise<void> {
  assert.equal(await page.locator('h1').count(), 1, `${label}: headlines`);
  assert.notEqual((await page.locator('main h1').innerText()).trim(), '', `${label}: the headline is empty`);
  assert.match(await page.title(), /\S · /, `${label}: the title of the window`);
}

/** The page scrolls in one direction only. */
export async function checkWidth(page: Page, label: string): Promise<void> {
  const { wide, width } = (await page.evaluate(`(${overflow})()`)) as { wide: string[]; width: number };
  assert.ok(width <= 0, `${label} scrolls sideways by ${width} px: ${wide.join('\n')}`);
}

/** The table of a tab ends within the window, with its pager: its rows scroll, and the page does not. */
export async function checkTableHeight(page: Page, label: string): Promise<void> {
  const outside = await page.evaluate(`[...document.querySelectorAll('[data-width=full] [role=tabpanel] > [data-table]')]
    .map((table) => Math.round(table.getBoundingClientRect().bottom - innerHeight)).filter((by) => by > 0)`);
  assert.deepEqual(outside, [], `${label}: by how many pixels a table is too long`);
}

/** Every stop of the Tab key is visible: the element, or what surrounds it, has a ring. */
export async function checkFocus(page: Page, label: string, stops = 12): Promise<void> {
  await page.evaluate('document.activeElement?.blur()');
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press('Tab');
    const unseen = await page.evaluate(`(${unseenFocus})()`);
    assert.equal(unseen, null, `${label}: the focus is invisible`);
  }
}
