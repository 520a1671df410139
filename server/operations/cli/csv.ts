// CSV export and import on the command line.
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { CsvError } from 'csv-parse';
import { getProgram } from '../../accounts/programs/program.ts';
import { exportAffiliates, type ImportedRow, importAffiliates } from '../../partners/affiliates/csv.ts';
import { requireUuid } from './key.ts';
import { json, say } from './print.ts';
import { operator, Refused, withService } from './run.ts';

export function csvCommands(cli: Command): void {
  cli
    .command('export')
    .description('export affiliates as CSV')
    .argument('<what>', 'affiliates')
    .requiredOption('--program <id>', 'the program')
    .option('--out <file>', 'write to a file instead of standard output')
    .action(exportCsv);
  cli
    .command('import')
    .description('invite the affiliates of a CSV file (email, firstName, lastName; groupId, parentAffiliateId, autoApprove, sendInvite)')
    .argument('<what>', 'affiliates')
    .argument('<file>', 'the CSV file')
    .requiredOption('--program <id>', 'the program')
    .option('--dry-run', 'report what would happen, without changing anything')
    .option('--json', 'print one JSON value per row')
    .action(importCsv);
}

function requireAffiliates(what: string): void {
  if (what !== 'affiliates') throw new Refused(`Only affiliates can be exported and imported, not "${what}".`);
}

async function exportCsv(what: string, { program, out }: { program: string; out?: string }): Promise<void> {
  requireAffiliates(what);
  const programId = requireUuid(program, '--program');
  await withService('export', async ({ ctx }) => {
    await getProgram(ctx, programId);
    await exportAffiliates(ctx, programId, out === undefined ? process.stdout : createWriteStream(out));
  });
}

async function importCsv(
  what: string,
  file: string,
  { program, dryRun, json: asJson }: { program: string; dryRun?: boolean; json?: boolean },
): Promise<void> {
  requireAffiliates(what);
  const programId = requireUuid(program, '--program');
  const source = openCsv(file);
  await withService('import', async ({ ctx }) => {
    await getProgram(ctx, programId);
    const counts = { invited: 0, existed: 0, rejected: 0 };
    for await (const row of rowsOf(importAffiliates(ctx, source, { programId, actor: operator(), isDryRun: dryRun ?? false }))) {
      counts[row.outcome] += 1;
      if (asJson) json(row);
      else if (row.outcome !== 'invited')
        say(`  line ${row.line}  ${row.email || '(no email)'}  ${row.outcome}${row.reason ? `: ${row.reason}` : ''}`);
    }
    if (!asJson)
      say(`  ${counts.invited} ${dryRun ? 'would be invited' : 'invited'}, ${counts.existed} existed, ${counts.rejected} rejected.`);
    if (counts.rejected > 0) process.exitCode = 1;
  });
}

function openCsv(file: string): Readable {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new Refused(`${file} does not exist.`);
  if (stats.isDirectory()) throw new Refused(`${file} is a folder, not a file.`);
  return createReadStream(file);
}

/** The rows, until the file turns out not to be CSV. */
async function* rowsOf(rows: AsyncIterable<ImportedRow>): AsyncGenerator<ImportedRow> {
  try {
    yield* rows;
  } catch (error) {
    throw error instanceof CsvError ? new Refused(`The file is not valid CSV: ${error.message}. Rows before it were imported.`) : error;
  }
}
