// Files for tax authorities. They contain tax numbers and accounts, so only the command line writes them, with mode 600,
// and never overwrites a file.
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { readDestinations } from '../../paying/payout-details/payout-details.ts';
import { buildDac7Report } from '../../paying/tax/dac7.ts';
import { build1099, get1099ThresholdCents } from '../../paying/tax/form-1099.ts';
import type { PaidTotal } from '../../paying/tax/paid-totals.ts';
import { hasFormOfKind, readFiling, recordExport } from '../../paying/tax/read-filing.ts';
import { transact } from '../../platform/db/transact.ts';
import { optionalLine } from '../../platform/http/declaration/fields.ts';
import { requireUuid } from './key.ts';
import { say } from './print.ts';
import { operator, Refused, requireField, withService } from './run.ts';

type Where = { program: string; year: string; out: string };
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
  const tax = cli.command('tax').description('write files for tax authorities; exits 2 when forms are missing');
  const add = (name: string, description: string) =>
    tax
      .command(name)
      .description(description)
      .requiredOption('--program <id>', 'the program')
      .requiredOption('--year <year>', 'the calendar year of the payouts, in the time zone of the program')
      .requiredOption('--out <file>', 'the file to create; an existing file is not overwritten');
  add('1099', 'write 1099-NEC rows as CSV for affiliates with a W-9 who reached the threshold')
    .option('--threshold <dollars>', 'threshold; default 600 for payments until 2025, and 2000 from 2026 on')
    .option('--payer-name <name>', 'default: the name of the program')
    .option('--payer-tin <tin>', 'your tax number', '')
    .option('--payer-address <text>', 'your street', '')
    .option('--payer-city <text>', 'your city', '')
    .option('--payer-state <text>', 'your state', '')
    .option('--payer-zip <text>', 'your ZIP code', '')
    .option('--payer-phone <text>', 'your telephone', '')
    .action(write1099);
  add('dac7', 'write a DAC7 XML report of sellers in the European Union, by quarter')
    .option('--operator-name <name>', 'default: the name of the program')
    .option('--operator-country <code>', 'the country you report to', 'XX')
    .option('--operator-tin <tin>', 'your tax number there')
    .option('--operator-address <text>', 'your registered office')
    .action(writeDac7);
}

async function write1099({
  program,
  year: text,
  out,
  threshold,
  ...options
}: Where & PayerOptions & { threshold?: string }): Promise<void> {
  const [programId, year] = [requireUuid(program, '--program'), yearOf(text)];
  requireTexts(options);
  const thresholdCents = threshold === undefined ? get1099ThresholdCents(year) : centsOf(threshold);
  await withService('tax 1099', async ({ ctx }) => {
    const { name, currency } = await getProgram(ctx, programId);
    if (currency !== 'USD') throw new Refused(`1099 forms are in US dollars, and this program pays in ${currency}.`);
    const payer = {
      ...{ name: options.payerName ?? name, tin: options.payerTin, address: options.payerAddress, city: options.payerCity },
      ...{ state: options.payerState, zip: options.payerZip, phone: options.payerPhone },
    };
    const { csv, reported, lacking, exempt } = build1099(await readFiling(ctx, programId, year), { year, thresholdCents, payer });
    await writeOnce(ctx, { out, text: csv, programId, kind: '1099', year, count: reported });
    say(`  ${reported} recipients in ${out}${exempt.length > 0 ? `, ${exempt.length} corporations omitted` : ''}.`);
    if (payer.tin === '') complain('The tax number of the payer is missing: pass --payer-tin.');
    listLacking(lacking, 'W-9 or W-8');
  });
}

async function writeDac7({ program, year: text, out, ...options }: Where & OperatorOptions): Promise<void> {
  const [programId, year] = [requireUuid(program, '--program'), yearOf(text)];
  requireTexts(options);
  if (!/^[A-Z]{2}$/.test(options.operatorCountry)) throw new Refused('--operator-country must be two letters in capitals.');
  await withService('tax dac7', async ({ ctx }) => {
    const { name, currency, mode } = await getProgram(ctx, programId);
    const { filed, lacking } = await readFiling(ctx, programId, year);
    const sellers = filed.filter(hasFormOfKind('dac7'));
    const ids = sellers.map(({ affiliateId }) => affiliateId);
    const destinations = await readDestinations(ctx, programId, ids);
    const report = buildDac7Report(
      sellers.map((seller) => ({ ...seller, destination: destinations.get(seller.affiliateId) ?? null })),
      {
        ...{ year, currency, at: ctx.clock.now(), reference: ctx.ids.uuid(), isTest: mode === 'test' },
        operator: {
          ...{ name: options.operatorName ?? name, country: options.operatorCountry },
          ...{ tin: options.operatorTin ?? null, address: options.operatorAddress ?? null },
        },
      },
    );
    await writeOnce(ctx, { out, text: report, programId, kind: 'dac7', year, count: sellers.length });
    say(`  ${sellers.length} sellers in ${out}.`);
    if (options.operatorCountry === 'XX' || !options.operatorTin || !options.operatorAddress)
      complain(
        'Operator details are incomplete: pass --operator-country, --operator-tin and --operator-address. XX, NOTIN and "unknown" were written instead.',
      );
    listLacking(lacking, 'tax form');
  });
}

/** These texts go into files of tax offices as they are. */
function requireTexts(options: Record<string, string | undefined>): void {
  for (const [name, text] of Object.entries(options)) {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (text !== undefined) requireField(optionalLine(200), text, flag);
  }
}

type File = { out: string; text: string; programId: string; kind: '1099' | 'dac7'; year: number; count: number };

async function writeOnce(ctx: Context, { out, text, ...exported }: File): Promise<void> {
  try {
    await writeFile(out, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new Refused(`${out} already exists. It was not overwritten.`);
    throw error;
  }
  await transact(ctx, (tx) => recordExport(tx, { ...exported, actor: operator() }));
}

function listLacking(lacking: readonly PaidTotal[], what: string): void {
  if (lacking.length === 0) return;
  complain(`${lacking.length} paid affiliates have no valid ${what}:`);
  for (const { affiliateId, firstName, lastName, amountCents } of lacking)
    complain(`  ${affiliateId}  ${firstName} ${lastName}  ${(amountCents / 100).toFixed(2)}`);
  process.exitCode = 2;
}

function complain(text: string): void {
  process.stderr.write(`  ${text}\n`);
}

function yearOf(text: string): number {
  if (!/^20\d\d$/.test(text)) throw new Refused(`--year must be a year like 2026, not "${text}".`);
  return Number(text);
}

/** "600" or "600.50" */
function centsOf(text: string): number {
  if (!/^\d{1,9}(\.\d\d)?$/.test(text)) throw new Refused(`--threshold must be an amount in dollars, not "${text}".`);
  return Math.round(Number(text) * 100);
}
