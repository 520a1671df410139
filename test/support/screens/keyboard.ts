// Using a page without a pointer: the focus moves with Tab, and Enter or Space press what has it.
import assert from 'node:assert/strict';
import type { ElementHandle, Locator, Page } from 'playwright-core';

const mostStops = 400;

/** Whether an element has the focus; null if it is no longer in the page. */
async function isFocused(element: ElementHandle): Promise<boolean | null> {
  return element.evaluate((each) => {
    const { isConnected, matches } = each as unknown as { isConnected: boolean; matches(selector: string): boolean };
    return isConnected ? matches.call(each, ':focus') : null;
  });
}

/** Presses Tab until an element has the focus. It is found once, because finding it by its role and name reads the whole page. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  let element: ElementHandle | null = null;
  for (let stop = 0; stop < mostStops; stop += 1) {
    element ??= await target.elementHandle();
    const isReached = element === null ? null : await isFocused(element);
    if (isReached) return;
    // It was drawn again: the next element of this role and name is meant.
    if (isReached === null) element = null;
    else await page.keyboard.press('Tab');
  }
  assert.fail(`${target} can't be reached with the Tab key`);
}

/** Presses a button or follows a link by keyboard. */
export async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}
