// Creates and lists the programs of this installation.
import type { Command } from 'commander';
import { createProgram } from '../../../accounts/programs/create.ts';
import { cancelDeletion, requestDeletion } from '../../../accounts/programs/deletion/request.ts';
import type { Tx } from '../../../context.ts';
import { createDefaultRule } from '../../../earning/commission-rules/create.ts';
import { transact } from '../../../platform/db/transact.ts';
import { webAddress } from '../../../platform/http/declaration/fields.ts';
import { nameField } from '../../../platform/http/declaration/person-fields.ts';
import { isCurrency } from '../../../platform/lib/currency.ts';
import { parseField, parseUuid } from '../arguments.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { formatTime, printField, printJson, printLine, printTable } from '../print.ts';
import { commandActor, withService } from '../run.ts';

type CreateOptions = {
  name: string;
  currency: string;
  timezone: string;
  website?: string;
  commission: string;
  test?: boolean;
  organization?: string;
  json?: boolean;
};

export function programCommands(cli: Command): void {
  const program = cli.command('program');
  program
    .command('create')
    .description('Create a program and an API key with read and write scope')
    .requiredOption('--name <name>', 'Name of the program, shown to affiliates (required)')
    .option('--currency <code>', 'ISO 4217 currency code', 'USD')
    .option('--timezone <name>', 'IANA time zone', 'UTC')
    .option('--website <url>', 'Website that links redirect to')
    .option('--commission <percent>', 'Commission on every order until you add other rules; 0 for none', '10')
    .option('--test', 'Create a test program, whose keys start with trb_test_')
    .option('--organization <id>', 'Organization that runs the program; default: a new one')
    .option('--json', 'Print {"programId", "apiKey"}')
    .action(createNewProgram);
  program
    .command('delete')
    .description('Make a program inaccessible immediately, and delete it with all of its data after 30 days')
    .argument('<programId>', 'The program, from `program list`')
    .option('--name <name>', 'Name of the program, repeated to confirm')
    .option('--records-kept', 'Its ledger and payouts were exported, as the law requires')
    .option('--cancel', 'Make the program accessible again')
    .option('--json', 'Print JSON')
    .action(deleteProgram);
  program.command('list').description('List programs').option('--json', 'Print JSON').action(listPrograms);
}

async function createNewProgram({ name, currency, timezone, website, commission, test, organization, json }: CreateOptions): Promise<void> {
  requireCurrency(currency);
  requireTimezone(timezone);
  const fresh = {
    name: parseField(nameField, name, '--name'),
    mode: test ? ('test' as const) : ('live' as const),
    currency,
    timezone,
    websiteUrl: website === undefined ? null : parseField(webAddress, website, '--website'),
  };
  const program = organization === undefined ? fresh : { ...fresh, organizationId: parseUuid(organization, '--organization') };
  const rate = parsePercentage(commission);
  await withService('program create', async ({ ctx }) => {
    const { programId, apiKey } = await transact(ctx, async (tx) => {
      await requireOrganization(tx, organization);
      const created = await createProgram(tx, program, commandActor());
      if (rate > 0) await createDefaultRule(tx, created.programId, { rate, actor: commandActor() });
      return created;
    });
    if (json) return printJson({ programId, apiKey });
    printField('Program', programId);
    printField('API key', apiKey);
    printField('Commission', describeCommission(rate));
    printLine('  The API key is shown only once. Store it with your other secrets.');
    printLine("  Affiliates don't earn commissions on their downline's orders yet.");
    printLine('  To pay such commissions, add a commission rule with "level": 2.');
  });
}

type DeleteOptions = { name?: string; recordsKept?: boolean; cancel?: boolean; json?: boolean };

async function deleteProgram(given: string, { name, recordsKept = false, cancel, json }: DeleteOptions): Promise<void> {
  const programId = parseUuid(given, 'The program id');
  if (!cancel && name === undefined) throw new UsageError('Repeat the name of the program with --name to confirm.');
  await withService('program delete', async ({ ctx }) => {
    const actor = commandActor();
    if (cancel) {
      const wasMarked = await transact(ctx, (tx) => cancelDeletion(tx, { programId, actor }));
      return json ? printJson({ wasMarked }) : printLine(wasMarked ? '  Accessible again.' : '  The program is not being deleted.');
    }
    const request = { programId, name: name ?? '', hasRecords: recordsKept, actor };
    const deleteAfter = await transact(ctx, (tx) => requestDeletion(tx, request));
    if (json) return printJson({ programId, deleteAfter });
    printLine(`  Inaccessible from now on. Deleted with all of its data after ${formatTime(deleteAfter)}.`);
    printLine('  Until then, `program delete PROGRAM --cancel` makes it accessible again.');
  });
}

async function requireOrganization({ db }: Tx, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const organization = await db.selectFrom('organizations').select('id').where('id', '=', id).executeTakeFirst();
  if (!organization) throw new CommandError(`No organization has the id ${id}.`);
}

function describeCommission(rate: number): string {
  return rate > 0 ? `${rate}% of every order, until you add other commission rules` : 'none, until you add a commission rule';
}

/** "12.5" → 12.5 */
function parsePercentage(text: string): number {
  const rate = Number(text);
  if (!/^\d{1,3}(\.\d{1,4})?$/.test(text) || rate > 100)
    throw new UsageError('--commission must be a percentage from 0 to 100, with up to 4 decimals.');
  return rate;
}

function requireCurrency(currency: string): void {
  if (!isCurrency(currency)) throw new UsageError(`--currency must be an ISO 4217 code such as USD, not "${currency}".`);
}

function requireTimezone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw new UsageError(`--timezone must be an IANA time zone such as Europe/Berlin, not "${timezone}".`);
  }
}

async function listPrograms({ json }: { json?: boolean }): Promise<void> {
  await withService('program list', async ({ ctx }) => {
    const programs = await ctx.db
      .selectFrom('programs')
      .select(['id', 'name', 'mode', 'currency', 'timezone', 'websiteUrl', 'createdAt'])
      .orderBy('createdAt')
      .execute();
    if (json) return printJson(programs);
    if (programs.length === 0) return printLine('  No programs. Create one with `program create`.');
    printTable(
      ['PROGRAM', 'NAME', 'MODE', 'CURRENCY', 'CREATED'],
      programs.map((row) => [row.id, row.name, row.mode, row.currency, formatTime(row.createdAt)]),
    );
  });
}
