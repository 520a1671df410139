// The files that an import leaves: the rows that were not taken, and the balances that prove the rest.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { toDecimal } from '../../platform/lib/currency.ts';
import type { ImportResult } from './import-history.ts';

/** Writes `rejected.csv` and `balances.csv` into the folder, which is created, and returns their paths. */
export async function writeReport(
  folder: string,
  { rejections, proof, currency }: ImportResult,
): Promise<{ rejected: string; balances: string }> {
  await mkdir(folder, { recursive: true });
  const paths = { rejected: join(folder, 'rejected.csv'), balances: join(folder, 'balances.csv') };
  const amount = (cents: number) => toDecimal(cents, currency);
  const balances = proof.balances.map(({ affiliate, account, previousCents, ledgerCents }) => [
    affiliate,
    account,
    currency,
    amount(previousCents),
    amount(ledgerCents),
    amount(ledgerCents - previousCents),
  ]);
  const rejected = rejections.map(({ file, row, column, reason }) => [file, row, column, reason]);
  await writeFile(paths.rejected, toCsv(['file', 'row', 'column', 'reason'], rejected));
  await writeFile(paths.balances, toCsv(['affiliate', 'account', 'currency', 'previous', 'ledger', 'difference'], balances));
  return paths;
}

/** Spreadsheets must not run a cell as a formula; amounts such as -10.00 are none and stay as they are. */
function toCsv(header: string[], rows: unknown[][]): string {
  const string = (value: string) => ({ value, escape_formulas: !/^-?\d+(\.\d+)?$/.test(value) });
  return stringify([header, ...rows], { escape_formulas: true, cast: { string } });
}
