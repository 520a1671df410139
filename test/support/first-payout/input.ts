// How a person uses a page: with a pointer, or with the keyboard alone. Both do the same steps.
import type { Locator, Page } from 'playwright-core';
import { tabTo } from '../screens/keyboard.ts';

export type Input = {
  name: string;
  /** Presses a button, follows a link or switches a choice. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  enter(target: Locator, text: string): Promise<void>;
  /** Chooses the option that is found by typing. */
  choose(field: Locator, text: string, option: Locator): Promise<void>;
};

export const inputs: readonly ((page: Page) => Input)[] = [
  () => ({
    name: 'with a pointer',
    press: (target) => target.click(),
    enter: (target, text) => target.fill(text),
    async choose(field, text, option) {
      await field.fill(text);
      await option.click();
    },
  }),
  (page) => ({
    name: 'with the keyboard alone',
    async press(target) {
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
  }),
];
