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

/** Compares the statement of a month with the model in every format. Returns the number of amounts that were read. */
export async function compareStatement(world: World, affiliateId: string, month: string): Promise<number> {
  const where = `TEST_SEED=${world.seed} ${world.currency} ${affiliateId}`;
  const own = world.entries.filter((entry) => entry.affiliateId === affiliateId);
  const earnedCents = add(own.filter(({ entry }) => entry === 'accrue').map(({ cents }) => cents));
  const closingCents = add(own.map(({ cents }) => cents));
  const url = `${world.path}/affiliates/${affiliateId}/statement?month=${month}`;

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

  const pdf = readPdfText(Buffer.from(await (await world.read(`${url}&format=pdf`)).arrayBuffer()));
  const after = (label: string) => pdf[pdf.indexOf(label) + 1] ?? '';
  const totals = { Opening: 0, Earned: earnedCents, Adjusted: closingCents - earnedCents, Paid: 0, Closing: closingCents };
  for (const [label, cents] of Object.entries(totals))
    assert.equal(amountIn(after(label)), written(cents, world.currency), `${where} ${label}`);
  // Each row is a date, a description and an amount.
  const start = pdf.indexOf('Closing') + 2;
  const amounts = own.map((_, index) => amountIn(pdf[start + 3 * index + 2] ?? '')).sort();
  assert.deepEqual(amounts, own.map(({ cents }) => written(cents, world.currency)).sort(), where);
  return 12 + own.length * 3;
}

/** The sign and the number of an amount, such as "-12.50" of "-$12.50". */
function amountIn(text: string): string {
  return `${/[-\u2212]/.test(text) ? '-' : ''}${numberIn(text)}`;
}

function written(cents: number, currency: string): string {
  assert.ok(isoDecimals.has(currency));
  return `${cents < 0 ? '-' : ''}${writtenAmount(Math.abs(cents), currency)}`;
}
