// CSV export and import on the command line.
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { Argument, type Command } from 'commander';
import { CsvError } from 'csv-parse';
import { getProgram } from '../../accounts/programs/program.ts';
import { exportAffiliates, type ImportedRow, importAffiliates } from '../../partners/affiliates/csv.ts';
import { importFields } from '../../partners/affiliates/import/columns.ts';
import { parseUuid } from './arguments.ts';
import { CommandError } from './command-error.ts';
import { type HistoryOptions, importFrom, sourceNames } from './moving/import.ts';
import { exportWhole, importWhole, type ProgramOptions } from './moving/program.ts';
import { printJson, printLine } from './print.ts';
import { commandActor, withService } from './run.ts';

const resource = (description: string, others: readonly string[] = []) =>
  new Argument('<resource>', description).choices(['affiliates', ...others]);

export function csvCommands(cli: Command): void {
  cli
    .command('export')
    .addArgument(resource('What to export; program: everything of it, for another installation', ['program']))
    .requiredOption('--program <id>', 'Program to export from (required)')
    .option('--out <path>', 'Affiliates: a file instead of standard output; program: the folder to write (required)')
    .option('--key <file>', 'Program: where to write the key that secrets are encrypted with (default: FOLDER.key)')
    .option('--json', 'Affiliates: one JSON value per line instead of CSV; program: print the manifest')
    .action(exportResource);
  cli
    .command('import')
    .addArgument(
      resource('affiliates are invited; program: a folder of `export program`; else a system and its history', ['program', ...sourceNames]),
    )
    .argument('<files...>', 'CSV files with headers, or folders with such files')
    .option('--program <id>', 'Program to import into (required, except for a whole program)')
    .option('--dry-run', 'Report what would happen, without changing anything')
    .option('--report <folder>', 'Write the rows that are not taken and the balances into CSV files (not for affiliates)')
    .option('--amounts <form>', 'How the files write amounts: decimal (12.50) or cents (1250) (not for affiliates)')
    .option('--key <file>', 'Program: the key of the export (default: FOLDER.key)')
    .option('--json', 'Print JSON: one value per row for affiliates, one for the whole import otherwise')
    .addHelpText('after', `\nColumns for affiliates: ${importFields.join(', ')}. Required: email, and firstName or name.`)
    .action(importFiles);
}

async function exportResource(name: string, options: ProgramOptions): Promise<void> {
  return name === 'program' ? exportWhole(options) : exportCsv(options);
}

async function exportCsv({ program = '', out, json = false }: ProgramOptions): Promise<void> {
  const programId = parseUuid(program, '--program');
  await withService('export', async ({ ctx }) => {
    await getProgram(ctx, programId);
    await exportAffiliates(ctx, programId, out === undefined ? process.stdout : createWriteStream(out), json ? 'json' : 'csv');
  });
}

async function importFiles(name: string, files: string[], options: Partial<HistoryOptions> & ProgramOptions): Promise<void> {
  const [file = '', ...others] = files;
  if (name === 'program') return importWhole(file, options);
  const { program } = options;
  if (program === undefined) throw new CommandError('Pass the program to import into with --program.');
  if (name !== 'affiliates') return importFrom(name, files, { ...options, program });
  if (others.length > 0) throw new CommandError('Affiliates are invited from one file at a time.');
  return importCsv(file, { ...options, program });
}

async function importCsv(file: string, { program, dryRun = false, json }: HistoryOptions): Promise<void> {
  const programId = parseUuid(program, '--program');
  const source = openCsv(file);
  await withService('import', async ({ ctx }) => {
    await getProgram(ctx, programId);
    const counts = { invited: 0, existed: 0, rejected: 0 };
    for await (const row of readRows(importAffiliates(ctx, source, { programId, actor: commandActor(), isDryRun: dryRun }))) {
      counts[row.outcome] += 1;
      if (json) printJson(row);
      else if (row.outcome !== 'invited') printLine(`  line ${row.line}  ${row.email || '(no email)'}  ${describeOutcome(row)}`);
    }
    if (!json)
      printLine(
        `  ${counts.invited} ${dryRun ? 'would be invited' : 'invited'}, ${counts.existed} already existed, ${counts.rejected} rejected.`,
      );
    if (counts.rejected > 0) process.exitCode = 1;
  });
}

function describeOutcome({ outcome, reason }: ImportedRow): string {
  const label = outcome === 'existed' ? 'already exists' : outcome;
  return reason ? `${label}: ${reason}` : label;
}

function openCsv(file: string): Readable {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new CommandError(`${file} does not exist.`);
  if (stats.isDirectory()) throw new CommandError(`${file} is a folder, not a file.`);
  return createReadStream(file);
}

/** Yields the rows; a syntax error in the file becomes a CommandError. */
async function* readRows(rows: AsyncIterable<ImportedRow>): AsyncGenerator<ImportedRow> {
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CommandError(`The file is not valid CSV: ${error.message}. The rows before this one were imported.`);
  }
}
