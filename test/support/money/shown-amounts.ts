// The amounts that a screen shows, as a reader takes them from it, in the smallest unit of their currency.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { isoDecimals } from './shown-amount.ts';

export type ShownAmounts = {
  /** Every amount in the text and in names for screen readers, in order; those on the axis of a chart are shortened and left out. */
  amounts: string[];
  /** The lines of the text, for amounts below their label. */
  lines: string[];
  /** The texts of the cells of each column of a table. */
  columns: { header: string; cells: string[] }[];
};

/** Runs in the page. */
const findAmounts = `() => {
  const main = document.querySelector('main');
  const money = /[+\\u2212-]?(?:[$\\u20ac\\u00a3\\u00a5]|\\b[A-Z]{3}\\u00a0)[\\d.,]*\\d[a-z]?|[+\\u2212-]?[\\d.,]*\\d\\u00a0(?:[$\\u20ac\\u00a3\\u00a5]|[A-Z]{3}\\b)/g;
  const texts = [];
  const nodes = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode())
    if (!node.parentElement.closest('svg, script, style') && node.parentElement.checkVisibility()) texts.push(node.data);
  for (const named of main.querySelectorAll('[aria-label]')) texts.push(named.getAttribute('aria-label'));
  const trim = (element) => element.innerText.trim();
  const columns = [...main.querySelectorAll('table')].flatMap((table) =>
    [...table.querySelectorAll('thead th')].map((head, index) => ({
      header: trim(head),
      cells: [...table.querySelectorAll('tbody tr')].map((row) => (row.children[index] ? trim(row.children[index]) : '')),
    })),
  );
  return {
    amounts: texts.flatMap((text) => text.match(money) ?? []),
    lines: main.innerText.split('\\n').map((line) => line.trim()).filter((line) => line !== ''),
    columns,
  };
}`;

export async function readAmounts(page: Page): Promise<ShownAmounts> {
  return (await page.evaluate(`(${findAmounts})()`)) as ShownAmounts;
}

const symbols: Readonly<Record<string, string>> = { EUR: '€', JPY: '¥', USD: '$', GBP: '£' };

/** The cents of an amount that has to be in this currency, with all of its decimals, as the language writes them. */
export function toCents(text: string, currency: string, language: 'en' | 'de' = 'en'): number {
  const decimals = isoDecimals.get(currency) ?? 2;
  const symbol = (symbols[currency] ?? `${currency}\u00a0`).replace('$', '\\$');
  const [group, point] = language === 'de' ? ['\\.', ','] : [',', '\\.'];
  const number = `(\\d{1,3}(?:${group}\\d{3})*)${decimals === 0 ? '()' : `${point}(\\d{${decimals}})`}`;
  const written = new RegExp(`^([+\u2212]?)${language === 'de' ? `${number}\u00a0${symbol.trim()}` : `${symbol}${number}`}$`);
  const [, sign = '', whole = '', fraction = ''] = written.exec(text) ?? assert.fail(`"${text}" is not an amount of ${currency}`);
  const cents = Number(`${whole.replace(/\D/g, '')}${fraction}`);
  return sign === '\u2212' ? -cents || 0 : cents;
}

/** The amount in the line below a label. */
export function amountBelow({ lines }: ShownAmounts, label: string, currency: string): number {
  const found = lines.find((line, index) => lines[index - 1] === label && /\d/.test(line));
  return toCents(found ?? assert.fail(`no amount below "${label}"`), currency);
}

/** The sum of a column. An empty amount is a dash; what an amount consists of is in the lines below it. */
export function sumOfColumn({ columns }: ShownAmounts, header: string, currency: string): number {
  const column = columns.find((each) => each.header === header) ?? assert.fail(`no column "${header}"`);
  const amounts = column.cells.map((text) => text.split('\n')[0] ?? '').filter((text) => text !== '–');
  return amounts.reduce((sum, text) => sum + toCents(text, currency), 0);
}
