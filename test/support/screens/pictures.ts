// Pictures of a page as it is, in both schemes and three widths. Only with SCREENSHOTS=1: in .tributary/screens.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { desktop } from './appearances.ts';
import { waitUntilStill } from './watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '..', '.tributary', 'screens');
const allWidths = [1440, 820, 390];

/** Takes the pictures, then restores the width and color scheme of the page. */
export async function takePictures(page: Page, name: string, widths: readonly number[] = allWidths): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  const viewport = page.viewportSize() ?? desktop;
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await waitUntilStill(page);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(viewport);
}
