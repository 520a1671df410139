// On a tablet, the amounts and the state of a row are visible without scrolling: less important columns give up their place.
// With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { takePictures } from './pictures.ts';
import { resize, waitForScreen } from './watched-page.ts';

const tablet = { width: 820, height: 1180 };

/** Amounts and states of the first row of each table that are outside of its visible part, or shortened. Runs in the page. */
const findHidden = `() => {
  const money = /[$\\u20ac\\u00a3\\u00a5]/;
  const faults = [];
  const judge = (cell, row) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const box = range.getBoundingClientRect();
    const first = row.querySelector('td, th');
    const covered = getComputedStyle(first).position === 'sticky' && cell !== first ? first.getBoundingClientRect().right : 0;
    if (box.left < covered - 1) return 'is under the first column';
    for (let each = cell; each && each !== document.documentElement; each = each.parentElement) {
      const { overflowX } = getComputedStyle(each);
      const { left, right } = each.getBoundingClientRect();
      if (overflowX !== 'visible' && (box.right > right + 1 || box.left < left - 1)) return 'is cut by ' + each.className;
    }
    if (box.right > innerWidth) return 'is beside the window';
    const isCut = [...cell.querySelectorAll('*')].some((each) => getComputedStyle(each).textOverflow === 'ellipsis' && each.scrollWidth > each.clientWidth);
    return isCut && cell.querySelector('[data-tone]') ? 'is shortened' : null;
  };
  for (const table of document.querySelectorAll('main table')) {
    if (!table.checkVisibility()) continue;
    const row = table.querySelector('tbody tr');
    for (const cell of row?.cells ?? []) {
      if (!money.test(cell.textContent) && !cell.querySelector('[data-tone]')) continue;
      const fault = judge(cell, row);
      if (fault) faults.push(cell.textContent.trim() + ' ' + fault);
    }
  }
  return faults;
}`;

/** Checks every table of the screen that the page shows, in each of its tabs, and leaves the page at the size of a tablet. */
export async function checkNarrowTables(page: Page, label: string): Promise<void> {
  await resize(page, tablet);
  const found = new Map<string, string[]>();
  const check = async (tab: string) => found.set(tab, (await page.evaluate(`(${findHidden})()`)) as string[]);
  const tabs = page.locator('main [role=tab]');
  await check('');
  await takePictures(page, label, [tablet.width]);
  for (let index = 0; index < (await tabs.count()); index += 1) {
    const tab = tabs.nth(index);
    if ((await tab.getAttribute('aria-selected')) === 'true') continue;
    const name = await tab.innerText();
    await tab.click();
    await waitForScreen(page);
    await resize(page, tablet);
    await check(name);
    await takePictures(page, `${label}-${index}`, [tablet.width]);
  }
  const faults = [...found].flatMap(([tab, each]) => each.map((fault) => `${tab}: ${fault}`));
  assert.deepEqual(faults, [], `${label}: amounts and states at 820 px`);
}
