// Exports or erases a person in all programs of this installation.
import type { Command } from 'commander';
import { Invalid } from '../../../platform/lib/errors.ts';
import { type Erasure, erasePerson } from '../../persons/erasing/erase.ts';
import { exportPerson } from '../../persons/export.ts';
import { CommandError } from '../command-error.ts';
import { formatCount, printField, printJson, printLine, printTable } from '../print.ts';
import { commandActor, withService } from '../run.ts';

type EraseOptions = { dryRun?: boolean; forfeit?: boolean; json?: boolean };

export function personsCommands(cli: Command): void {
  const persons = cli.command('persons');
  persons
    .command('export')
    .description('Write what is stored about a person into a new folder, by program')
    .argument('<email>', 'Email address of the person')
    .requiredOption('--out <folder>', 'Folder to create (required)')
    .option('--json', 'Print JSON')
    .action(exportAll);
  persons
    .command('erase')
    .description('Erase a person in all programs; exits with 1 if a program could not erase them yet')
    .argument('<email>', 'Email address of the person')
    .option('--dry-run', 'List what would be erased, without changing anything')
    .option('--forfeit', 'Also erase a person who is owed money, without payment')
    .option('--json', 'Print JSON')
    .action(erase);
}

async function erase(email: string, { dryRun: isDryRun = false, forfeit: forfeits = false, json }: EraseOptions): Promise<void> {
  await withService('persons erase', async ({ ctx }) => {
    const erasure = await erasePerson(ctx, { email, actor: commandActor(), isDryRun, forfeits }).catch(describe);
    if (erasure.programs.some(({ obstacles }) => obstacles.length > 0)) process.exitCode = 1;
    if (json) return printJson(erasure);
    print(erasure, isDryRun);
  });
}

async function exportAll(email: string, { out, json }: { out: string; json?: boolean }): Promise<void> {
  await withService('persons export', async ({ ctx }) => {
    const programs = await exportPerson(ctx, { email, folder: out, actor: commandActor() }).catch(describe);
    if (json) return printJson({ folder: out, programs });
    for (const { name, files } of programs) printField(name, formatCount(files.length, 'file'));
    printLine(`  Written to ${out}. Read records.json before you hand it over: members may have written about others.`);
  });
}

function describe(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'EEXIST' && 'path' in error)
    throw new CommandError(`${error.path} already exists. Choose a new folder.`);
  throw error instanceof Invalid ? new CommandError('Pass the email address of the person.') : error;
}

function print({ programs, account }: Erasure, isDryRun: boolean): void {
  const rows = [
    ...programs.flatMap(({ name, counts }) => Object.entries(counts).map(([table, count]) => [name, table, count.toLocaleString('en')])),
    ...Object.entries(account ?? {}).map(([table, count]) => ['-', table, count.toLocaleString('en')]),
  ];
  if (rows.length > 0) printTable(['PROGRAM', 'TABLE', 'ROWS'], rows);
  for (const { name, obstacles } of programs) for (const obstacle of obstacles) printLine(`  ${name}: ${obstacle}`);
  if (account === null) {
    const kept = isDryRun ? 'Nothing has changed. The account would be kept' : 'The account was kept';
    printLine(`  ${kept}. Repeat the command when every program can erase the person.`);
  } else if (rows.length === 0) printLine('  Nothing was found.');
  else printLine(isDryRun ? '  Nothing has changed.' : '  Erased. Backups contain the person until they are deleted.');
}
