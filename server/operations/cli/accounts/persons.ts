// Everything of one person, over all programs of this installation: what would be erased, and its erasure.
import type { Command } from 'commander';
import { Invalid } from '../../../platform/lib/errors.ts';
import { type Erasure, erasePerson } from '../../persons/erase.ts';
import { CommandError } from '../command-error.ts';
import { printJson, printLine, printTable } from '../print.ts';
import { commandActor, withService } from '../run.ts';

type EraseOptions = { dryRun?: boolean; forfeit?: boolean; json?: boolean };

export function personsCommands(cli: Command): void {
  const persons = cli.command('persons');
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

function describe(error: unknown): never {
  throw error instanceof Invalid ? new CommandError('Pass the email address of the person.') : error;
}

function print({ programs, account }: Erasure, isDryRun: boolean): void {
  const rows = [
    ...programs.flatMap(({ name, counts }) => Object.entries(counts).map(([table, count]) => [name, table, count.toLocaleString('en')])),
    ...Object.entries(account ?? {}).map(([table, count]) => ['-', table, count.toLocaleString('en')]),
  ];
  if (rows.length > 0) printTable(['PROGRAM', 'TABLE', 'ROWS'], rows);
  for (const { name, obstacles } of programs) for (const obstacle of obstacles) printLine(`  ${name}: ${obstacle}`);
  if (account === null) printLine('  The account was kept. Repeat the command when every program can erase the person.');
  else if (rows.length === 0) printLine('  Nothing was found.');
  else printLine(isDryRun ? '  Nothing has changed.' : '  Erased. Backups contain the person until they are deleted.');
}
