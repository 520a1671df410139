// No amount is shortened, broken, written over its surroundings or left over in a row, between the sizes of phones and
// desktops.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { resize } from './watched-page.ts';

/** Desktops, tablets, half a screen, and a desktop of 1440 pixels at 200 %, which leaves 720 × 450. */
const sizes = [
  { name: '1440 px', width: 1440, height: 900 },
  { name: '720 px', width: 720, height: 900 },
  { name: '820 px', width: 820, height: 1180 },
  { name: '900 px', width: 900, height: 900 },
  { name: '200 %', width: 720, height: 450 },
];

/** The amounts that a reader can't see in full, with the reason. Runs in the page. */
const findCutAmounts = `() => {
  const money = /[+\\u2212-]?(?:[$\\u20ac\\u00a3\\u00a5]|\\b[A-Z]{3}\\u00a0)[\\d.,]*\\d|[\\d.,]*\\d\\u00a0[$\\u20ac\\u00a3\\u00a5]/g;
  const faults = [];
  const judge = (range, parent) => {
    const box = range.getBoundingClientRect();
    if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) return 'is on two lines';
    for (let each = parent, isContained = false; each && each !== document.body; each = each.parentElement) {
      const { overflowX, display, textOverflow } = getComputedStyle(each);
      const { left, right, width } = each.getBoundingClientRect();
      if (width <= 1) return null;
      if (/auto|scroll/.test(overflowX)) return null;
      const isOutside = box.right > right + 1 || box.left < left - 1;
      if (/hidden|clip/.test(overflowX) && isOutside) return 'is cut by ' + each.className;
      if (textOverflow === 'ellipsis' && each.scrollWidth > each.clientWidth && (box.width === 0 || box.right > right - 10)) return 'is shortened in ' + each.className;
      if (!isContained && !display.startsWith('inline') && display !== 'contents') {
        if (isOutside) return 'leaves ' + each.className;
        isContained = true;
      }
    }
    return null;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest('svg, script, style, [hidden], [aria-hidden=true]') || !parent.checkVisibility({ visibilityProperty: true })) continue;
    for (const match of node.data.matchAll(money)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const reason = judge(range, parent);
      if (reason) faults.push(match[0] + ' ' + reason);
    }
  }
  return [...new Set(faults)];
}`;

/** The lists of amounts whose rows differ by more than one. Runs in the page. */
const findUnevenRows = `() => {
  const faults = [];
  for (const list of document.querySelectorAll('main dl[class*=amounts]')) {
    const rows = Map.groupBy(list.children, (each) => Math.round(each.getBoundingClientRect().top));
    const counts = [...rows.values()].map(({ length }) => length);
    if (Math.max(...counts) - Math.min(...counts) > 1) faults.push('rows of ' + counts.join(' and ') + ' amounts');
  }
  return faults;
}`;

/** Checks the screen that the page shows, at every size, and restores its size. */
export async function checkAmounts(page: Page, label: string): Promise<void> {
  const found: string[] = [];
  const before = page.viewportSize();
  for (const { name, width, height } of sizes) {
    await resize(page, { width, height });
    const faults = (await page.evaluate(`[...(${findCutAmounts})(), ...(${findUnevenRows})()]`)) as string[];
    found.push(...faults.map((fault) => `${name}: ${fault}`));
  }
  if (before) await page.setViewportSize(before);
  assert.deepEqual(found, [], label);
}
