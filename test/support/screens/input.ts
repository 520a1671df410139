// How a person uses a page: with a pointer, or with only the keyboard. Both perform the same steps.
import type { Locator, Page } from 'playwright-core';
import { tabTo } from './keyboard.ts';

export type Input = {
  /** Presses a button, follows a link or switches a choice. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  enter(target: Locator, text: string): Promise<void>;
  /** Chooses the option that is found by typing. */
  choose(field: Locator, text: string, option: Locator): Promise<void>;
};

const usePointer = (): Input => ({
  press: (target) => target.click(),
  enter: (target, text) => target.fill(text),
  async choose(field, text, option) {
    await field.fill(text);
    await option.click();
  },
});

const useKeyboard = (page: Page): Input => ({
  async press(target) {
    if ((await target.getAttribute('role')) === 'tab') return pressTab(page, target);
    await tabTo(page, target);
    const isSwitch = (await target.getAttribute('role')) === 'switch' || (await target.getAttribute('type')) === 'checkbox';
    await page.keyboard.press(isSwitch ? 'Space' : 'Enter');
  },
  async enter(target, text) {
    await tabTo(page, target);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  },
  async choose(field, text, option) {
    await this.enter(field, text);
    await option.waitFor();
    while ((await option.getAttribute('data-combobox-selected')) === null) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  },
});

/** Of a list of tabs, the Tab key reaches the selected one only; arrows move between them. */
async function pressTab(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target.locator('..').getByRole('tab', { selected: true }));
  while ((await target.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowRight');
}

/** Both, for tests of the same steps with each. */
export const inputs = [
  { name: 'pointer', create: usePointer },
  { name: 'keyboard', create: useKeyboard },
] as const;
