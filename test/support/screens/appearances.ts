// The appearances of a screen: both colour schemes at both widths. With SCREENSHOTS=1: pictures in .tributary/screens.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { checkAccessibility, checkHeadline, checkWidth } from './checks.ts';

export const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const narrow = { width: 320, height: 700 };
const folder = join(import.meta.dirname, '..', '..', '..', '.tributary', 'screens');

/** Waits until a change of the scheme has reached every element: the app's own attribute, then the transitions that it starts. */
const settle = (page: Page) =>
  page.evaluate(`(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const scheme = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    const shown = () => document.documentElement.dataset.mantineColorScheme ?? scheme();
    do await nextFrame();
    while (shown() !== scheme());
    do {
      await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
      await nextFrame();
    } while (document.getAnimations().length > 0);
  })()`);

/** Checks the four appearances of a page that is loaded at the size `desktop` in the light scheme. */
export async function checkAppearances(page: Page, name: string): Promise<void> {
  const shoot = async (appearance: string) => {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, `${name}-${appearance}.png`), fullPage: true });
  };
  await checkHeadline(page, name);
  await shoot('light-1440');
  await checkAccessibility(page, `${name}, light, 1440`);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await settle(page);
  await shoot('dark-1440');
  await checkAccessibility(page, `${name}, dark, 1440`, { isContrastOnly: true });
  await page.setViewportSize(phone);
  await shoot('dark-390');
  await checkAccessibility(page, `${name}, dark, 390`);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await settle(page);
  await shoot('light-390');
  await checkAccessibility(page, `${name}, light, 390`, { isContrastOnly: true });
  await page.setViewportSize(narrow);
  await checkWidth(page, `${name} at 320 px`);
}
