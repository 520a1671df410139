// `import SOURCE FILES`: the history of another system, with a report and a proof of the balances.

import { formatCents } from '../../../platform/lib/currency.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import type { AmountForm } from '../../moving/files/parse-cell.ts';
import { getSource, type ImportResult, importHistory } from '../../moving/import-history.ts';
import type { Counts } from '../../moving/plan/rejections.ts';
import { writeReport } from '../../moving/report.ts';
import { sources } from '../../moving/sources/index.ts';
import { parseUuid } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { printField, printJson, printLine } from '../print.ts';
import { commandActor, withService } from '../run.ts';

export type HistoryOptions = { program: string; dryRun?: boolean; json?: boolean; report?: string; amounts?: string };

/** The systems that `import` knows. */
export const sourceNames = sources.map(({ name }) => name);

const shown = 20;
const format = (count: number) => count.toLocaleString('en');

/** Runs the import. Exits with 1 if a row is not taken or a balance differs. */
export async function importFrom(sourceName: string, paths: readonly string[], options: HistoryOptions): Promise<void> {
  const { dryRun: isDryRun = false, json = false, report } = options;
  const programId = parseUuid(options.program, '--program');
  const source = getSource(sources, sourceName);
  const amounts = parseAmountForm(options.amounts);
  await withService('import', async ({ ctx }) => {
    const onProgress = createProgress();
    const result = await importHistory(ctx, { programId, source, paths, amounts, actor: commandActor(), isDryRun, onProgress }).catch(
      describe,
    );
    const written = report === undefined ? null : await writeReport(report, result);
    if (json) printJson(summarize(result, written));
    else printResult(result, { isDryRun, written });
    if (result.rejections.length > 0 || result.proof.differences.length > 0) process.exitCode = 1;
  });
}

function parseAmountForm(text: string | undefined): AmountForm | undefined {
  if (text === undefined || text === 'cents' || text === 'decimal') return text;
  throw new CommandError('--amounts must be cents or decimal.');
}

/** One line that counts on a terminal; elsewhere a line for each tenth. */
function createProgress(): (done: number, total: number) => void {
  let tenth = 0;
  return (done, total) => {
    if (process.stderr.isTTY) process.stderr.write(`\r  Imported ${format(done)} of ${format(total)}${done === total ? '\n' : ''}`);
    else if (Math.floor((done / total) * 10) > tenth) {
      tenth = Math.floor((done / total) * 10);
      process.stderr.write(`  ${tenth * 10}% imported\n`);
    }
  };
}

function describe(error: unknown): never {
  throw error instanceof Invalid ? new CommandError(error.message) : error;
}

/** Without the balances that are equal, which a report has. */
function summarize({ proof: { balances, differences }, ...result }: ImportResult, report: Shown['written']) {
  return { ...result, balances: { total: balances.length, equal: balances.length - differences.length, differences }, report };
}

type Shown = { isDryRun: boolean; written: { rejected: string; balances: string } | null };

function printResult({ files, rejections, counts, currency, hasChanged, proof }: ImportResult, { isDryRun, written }: Shown): void {
  for (const { file, kind, rows } of files) printLine(`  ${file}: ${format(rows)} rows of ${kind}`);
  printCounts(counts, isDryRun);
  for (const { file, row, column, reason } of rejections.slice(0, shown))
    printLine(`  ${file}, row ${row}: ${column ? `${column} ` : ''}${reason}`);
  if (rejections.length > shown) printLine(`  … and ${format(rejections.length - shown)} more rows that are not taken`);
  for (const { affiliate, account, previousCents, ledgerCents } of proof.differences.slice(0, shown))
    printLine(
      `  ${affiliate}, ${account}: ${formatCents(previousCents, currency)} before, ${formatCents(ledgerCents, currency)} in the ledger`,
    );
  if (proof.differences.length > shown) printLine(`  … and ${format(proof.differences.length - shown)} more balances that differ`);
  const equal = proof.balances.length - proof.differences.length;
  printField(
    'Balances',
    `${format(equal)} of ${format(proof.balances.length)} ${isDryRun ? 'would be' : 'are'} equal to the previous system`,
  );
  if (!isDryRun && !hasChanged) printField('Import', 'Nothing has changed');
  if (written) printField('Report', `${written.rejected}, ${written.balances}`);
}

function printCounts(counts: Counts, isDryRun: boolean): void {
  const names = {
    affiliate: 'Affiliates',
    link: 'Links',
    customer: 'Customers',
    order: 'Orders',
    commission: 'Commissions',
    payout: 'Payouts',
  } as const;
  for (const [kind, { taken, existed, rejected }] of Object.entries(counts)) {
    if (taken + existed + rejected === 0) continue;
    const verb = isDryRun ? 'would be imported' : 'imported';
    printField(names[kind as keyof Counts], `${format(taken)} ${verb}, ${format(existed)} existed, ${format(rejected)} not taken`);
  }
}
