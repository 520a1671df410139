// What affiliates and accountants read: statements as JSON, CSV and PDF, compared with the ledger that the model predicts.
import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { readPdfText } from '../money/pdf-text.ts';
import { isoDecimals, numberIn, writtenAmount } from '../money/shown-amount.ts';
import { add } from './numbers.ts';
import type { World } from './world.ts';

const entryTitles = { accrue: 'Commission', reverse: 'Reversal', restore: 'Reversal undone' };

type Statement = {
  openingCents: number;
  earnedCents: number;
  adjustedCents: number;
  paidCents: number;
  closingCents: number;
  currency: string;
  lines: { entry: string; orderId: string; amountCents: number }[];
};

/** What the statement of a month must show according to the model, and its address. */
function predict(world: World, affiliateId: string, month: string) {
  const own = world.entries.filter((entry) => entry.affiliateId === affiliateId);
  return {
    where: `TEST_SEED=${world.seed} ${world.currency} ${affiliateId}`,
    own,
    earnedCents: add(own.filter(({ entry }) => entry === 'accrue').map(({ cents }) => cents)),
    closingCents: add(own.map(({ cents }) => cents)),
    url: `${world.path}/affiliates/${affiliateId}/statement?month=${month}`,
  };
}

/** Compares the statement of a month with the model, as JSON and CSV. Returns the number of amounts that were read. */
export async function compareStatement(world: World, affiliateId: string, month: string): Promise<number> {
  const { where, own, url, earnedCents, closingCents } = predict(world, affiliateId, month);

  const json = (await (await world.read(url)).json()) as Statement;
  assert.deepEqual(
    [json.openingCents, json.earnedCents, json.adjustedCents, json.paidCents, json.closingCents, json.currency],
    [0, earnedCents, earnedCents - closingCents, 0, closingCents, world.currency],
    where,
  );
  const expected = own.map(({ entry, orderId, cents }) => `${entry} ${orderId} ${cents}`).sort();
  assert.deepEqual(json.lines.map(({ entry, orderId, amountCents }) => `${entry} ${orderId} ${amountCents}`).sort(), expected, where);

  const rows: Record<string, string>[] = parse(await (await world.read(`${url}&format=csv`)).text(), { columns: true });
  const [opening, ...lines] = rows;
  const closing = lines.pop();
  assert.deepEqual([opening?.amountCents, closing?.amountCents], ['0', String(closingCents)], where);
  const named = own.map(({ entry, orderId, cents }) => `${entryTitles[entry]} ${orderId} ${cents} ${world.currency}`).sort();
  const shown = lines.map(
    ({ description, orderId, amountCents, currency }) => `${description?.split(',')[0]} ${orderId} ${amountCents} ${currency}`,
  );
  assert.deepEqual(shown.sort(), named, where);
  return 7 + own.length * 2;
}

/** Compares the statement as PDF. Drawing one takes twenty times as long as the others. */
export async function comparePdf(world: World, affiliateId: string, month: string): Promise<number> {
  const { where, own, url, earnedCents, closingCents } = predict(world, affiliateId, month);
  const pdf = readPdfText(Buffer.from(await (await world.read(`${url}&format=pdf`)).arrayBuffer()));
  const after = (label: string) => pdf[pdf.indexOf(label) + 1] ?? '';
  const totals = { Opening: 0, Earned: earnedCents, Adjusted: closingCents - earnedCents, Paid: 0, Closing: closingCents };
  for (const [label, cents] of Object.entries(totals))
    assert.equal(amountIn(after(label)), written(cents, world.currency), `${where} ${label}`);
  // Each row is a date, a description and an amount.
  const start = pdf.indexOf('Closing') + 2;
  const amounts = own.map((_, index) => amountIn(pdf[start + 3 * index + 2] ?? '')).sort();
  assert.deepEqual(amounts, own.map(({ cents }) => written(cents, world.currency)).sort(), where);
  return 5 + own.length;
}

/** The sign and the number of an amount, such as "-12.50" of "-$12.50". */
function amountIn(text: string): string {
  return `${/[-\u2212]/.test(text) ? '-' : ''}${numberIn(text)}`;
}

function written(cents: number, currency: string): string {
  assert.ok(isoDecimals.has(currency));
  return `${cents < 0 ? '-' : ''}${writtenAmount(Math.abs(cents), currency)}`;
}
