// Files for tax authorities. They contain tax numbers and bank accounts, so they are written with mode 600, and no file is
// overwritten.
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { create1099, createDac7 } from '../../paying/tax/files/create-files.ts';
import type { PaidTotal } from '../../paying/tax/paid-totals.ts';
import { recordExport } from '../../paying/tax/read-filing.ts';
import { transact } from '../../platform/db/transact.ts';
import { optionalLine } from '../../platform/http/declaration/fields.ts';
import { formatCents, fromDecimal } from '../../platform/lib/currency.ts';
import { parseField, parseUuid } from './arguments.ts';
import { CommandError } from './command-error.ts';
import { formatCount, printLine, printWarning } from './print.ts';
import { commandActor, withService } from './run.ts';

type FileOptions = { program: string; year: string; out: string };
type PayerOptions = {
  payerName?: string;
  payerTin: string;
  payerAddress: string;
  payerCity: string;
  payerState: string;
  payerZip: string;
  payerPhone: string;
};
type OperatorOptions = { operatorName?: string; operatorCountry: string; operatorTin?: string; operatorAddress?: string };

export function taxCommands(cli: Command): void {
  const tax = cli.command('tax');
  const add = (name: string, description: string) =>
    tax
      .command(name)
      .description(description)
      .requiredOption('--program <id>', 'Program that paid (required)')
      .requiredOption('--year <year>', "Calendar year of the payouts, in the program's time zone (required)")
      .requiredOption('--out <file>', 'File to create; an existing file is not overwritten (required)');
  add('1099', 'Write 1099-NEC rows as CSV for affiliates with a W-9 who reached the threshold')
    .option('--threshold <dollars>', 'Reporting threshold; default: 2000, or 600 for payments before 2026')
    .option('--payer-name <name>', "Payer's name; default: name of the program")
    .option('--payer-tin <tin>', "Payer's taxpayer identification number", '')
    .option('--payer-address <text>', "Payer's street address", '')
    .option('--payer-city <text>', "Payer's city", '')
    .option('--payer-state <text>', "Payer's state", '')
    .option('--payer-zip <text>', "Payer's ZIP code", '')
    .option('--payer-phone <text>', "Payer's phone number", '')
    .action(write1099);
  add('dac7', 'Write a DAC7 XML report of sellers in the European Union, by quarter')
    .option('--operator-name <name>', 'Platform operator; default: name of the program')
    .option('--operator-country <code>', 'Country you report to (ISO 3166-1)', 'XX')
    .option('--operator-tin <tin>', "Operator's tax number in that country")
    .option('--operator-address <text>', "Operator's registered address")
    .action(writeDac7);
}

async function write1099(options: FileOptions & PayerOptions & { threshold?: string }): Promise<void> {
  const { program, year: yearText, out, threshold, ...payerOptions } = options;
  const [programId, year] = [parseUuid(program, '--program'), parseYear(yearText)];
  requireSingleLines(payerOptions);
  const thresholdCents = threshold === undefined ? undefined : parseDollars(threshold);
  await withService('tax 1099', async ({ ctx }) => {
    const { currency } = await getProgram(ctx, programId);
    if (currency !== 'USD') throw new CommandError(`1099 forms are in US dollars; this program pays in ${currency}.`);
    const payer = {
      name: payerOptions.payerName ?? null,
      tin: payerOptions.payerTin,
      address: payerOptions.payerAddress,
      city: payerOptions.payerCity,
      state: payerOptions.payerState,
      zip: payerOptions.payerZip,
      phone: payerOptions.payerPhone,
    };
    const { text, count, lacking, exemptCount } = await create1099(ctx, { programId, year, thresholdCents, payer });
    await writeNewFile(ctx, { out, text, programId, kind: '1099', year, count });
    const omitted = exemptCount > 0 ? ` ${formatCount(exemptCount, 'corporation')} omitted.` : '';
    printLine(`  Wrote ${formatCount(count, 'recipient')} to ${out}.${omitted}`);
    if (payer.tin === '') printWarning("The payer's TIN is missing: pass --payer-tin.");
    reportMissingForms(lacking, { form: 'W-9 or W-8', currency });
  });
}

async function writeDac7({ program, year: yearText, out, ...options }: FileOptions & OperatorOptions): Promise<void> {
  const [programId, year] = [parseUuid(program, '--program'), parseYear(yearText)];
  requireSingleLines(options);
  const { operatorName, operatorCountry, operatorTin, operatorAddress } = options;
  if (!/^[A-Z]{2}$/.test(operatorCountry)) throw new CommandError('--operator-country must be two capital letters, such as DE.');
  await withService('tax dac7', async ({ ctx }) => {
    const operator = { name: operatorName ?? null, country: operatorCountry, tin: operatorTin ?? null, address: operatorAddress ?? null };
    const { text, count, lacking, program: paidBy } = await createDac7(ctx, { programId, year, operator });
    await writeNewFile(ctx, { out, text, programId, kind: 'dac7', year, count });
    printLine(`  Wrote ${formatCount(count, 'seller')} to ${out}.`);
    if (operatorCountry === 'XX' || !operatorTin || !operatorAddress)
      printWarning(
        'Operator details are incomplete: pass --operator-country, --operator-tin and --operator-address. XX, NOTIN and "unknown" were written instead.',
      );
    reportMissingForms(lacking, { form: 'tax form', currency: paidBy.currency });
  });
}

/** These options are written to the files unchanged. */
function requireSingleLines(options: Record<string, string | undefined>): void {
  for (const [name, text] of Object.entries(options)) {
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (text !== undefined) parseField(optionalLine(200), text, option);
  }
}

type Export = { out: string; text: string; programId: string; kind: '1099' | 'dac7'; year: number; count: number };

async function writeNewFile(ctx: Context, { out, text, ...exported }: Export): Promise<void> {
  try {
    await writeFile(out, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new CommandError(`${out} already exists. It was not overwritten.`);
    throw error;
  }
  await transact(ctx, (tx) => recordExport(tx, { ...exported, actor: commandActor() }));
}

function reportMissingForms(lacking: readonly PaidTotal[], { form, currency }: { form: string; currency: string }): void {
  if (lacking.length === 0) return;
  const paid = lacking.length === 1 ? '1 paid affiliate has' : `${lacking.length} paid affiliates have`;
  printWarning(`${paid} no valid ${form}:`);
  for (const { affiliateId, firstName, lastName, amountCents } of lacking)
    printWarning(`  ${affiliateId}  ${firstName} ${lastName}  ${formatCents(amountCents, currency)}`);
  process.exitCode = 2;
}

function parseYear(text: string): number {
  if (!/^20\d\d$/.test(text)) throw new CommandError(`--year must be a year such as 2026, not "${text}".`);
  return Number(text);
}

/** "600" or "600.50" in cents. */
function parseDollars(text: string): number {
  if (!/^\d{1,9}(\.\d\d)?$/.test(text)) throw new CommandError(`--threshold must be an amount in dollars, not "${text}".`);
  return fromDecimal(text, 'USD') ?? 0;
}
