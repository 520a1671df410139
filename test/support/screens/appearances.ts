// The appearances of a screen: both colour schemes at both widths. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { checkAccessibility, checkHeadline, checkWidth } from './checks.ts';

export const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const narrow = { width: 320, height: 700 };
const folder = join(import.meta.dirname, '..', '..', '..', '.tributary', 'screens');

/** Waits until the app shows the other scheme. With reduced motion, nothing may move on the way there. */
async function settle(page: Page, name: string): Promise<void> {
  const moving = await page.evaluate(`(async () => {
    const scheme = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    const shown = () => document.documentElement.dataset.mantineColorScheme ?? scheme();
    do await new Promise((resolve) => requestAnimationFrame(resolve));
    while (shown() !== scheme());
    return document.getAnimations().length;
  })()`);
  assert.equal(moving, 0, `${name}: transitions that a change of the scheme starts`);
}

/** Resizes the page, and waits until its layout is the same in two frames: parts that depend on the width are rendered again. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(`(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const layout = () => [...document.querySelectorAll('a, button')].map((each) => each.getBoundingClientRect().y).join();
    let before;
    let now = layout();
    do {
      before = now;
      await nextFrame();
      await nextFrame();
      now = layout();
    } while (now !== before);
  })()`);
}

/** Checks the four appearances of a page that is loaded at the size `desktop` in the light scheme. */
export async function checkAppearances(page: Page, name: string): Promise<void> {
  const shoot = async (appearance: string) => {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, `${name}-${appearance}.png`), fullPage: true });
  };
  await checkHeadline(page, name);
  await shoot('light-1440');
  await checkAccessibility(page, `${name}, light, 1440`);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await settle(page, name);
  await shoot('dark-1440');
  await checkAccessibility(page, `${name}, dark, 1440`, { isContrastOnly: true });
  await resize(page, phone);
  await shoot('dark-390');
  await checkAccessibility(page, `${name}, dark, 390`);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await settle(page, name);
  await shoot('light-390');
  await checkAccessibility(page, `${name}, light, 390`, { isContrastOnly: true });
  await resize(page, narrow);
  await checkWidth(page, `${name} at 320 px`);
}
