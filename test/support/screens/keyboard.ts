// Using a page without a pointer: the focus moves with Tab, and Enter or Space press what has it.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

const mostStops = 400;

/** Presses Tab until an element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await target.evaluate((element) => (element as unknown as { matches(selector: string): boolean }).matches(':focus'))) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${target} can't be reached with the Tab key`);
}

/** Presses a button or follows a link by keyboard. */
export async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}
