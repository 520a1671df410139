// Affiliates as CSV: export for spreadsheets, import from another system. Exported cells that a spreadsheet would evaluate
// as a formula are escaped.
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import type { Context } from '../../context.ts';
import { toApiError } from '../../platform/db/constraints.ts';
import { transact } from '../../platform/db/transact.ts';
import { parseParts } from '../../platform/http/validate.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { ApiError, Invalid } from '../../platform/lib/errors.ts';
import { toOneLine } from '../../platform/lib/text.ts';
import { affiliateColumns, selectClicks, toAffiliate } from './affiliate.ts';
import { type ImportField, importFields, matchColumns, toInvitation } from './import/columns.ts';
import { invite, PersonInvite } from './invite.ts';
import { type Profile, profileCells, profileNames, readProfile } from './profile.ts';

/** The contract's fields, and the additional ones that an import accepts. */
const exportedColumns = [...affiliateColumns, ...profileNames] as const;
/** The order of the file, which is the contract's. */
const exportHeader = exportedColumns.flatMap((column) => (column === 'conversions' ? ['clicks', column] : [column]));

/** Writes all affiliates of the program ordered by id, which is the order of creation, in constant memory. */
export async function exportAffiliates(ctx: Context, programId: string, out: Writable, format: 'csv' | 'json' = 'csv'): Promise<void> {
  const csv = stringify({ header: true, columns: exportHeader, escape_formulas: true });
  const rows = readAffiliates(ctx, programId);
  const end = out !== process.stdout;
  if (format === 'csv') await pipeline(rows, toCells, csv, out, { end });
  else await pipeline(rows, toJsonLines, out, { end });
}

async function* toCells(rows: AsyncIterable<Profile>): AsyncGenerator<object> {
  for await (const row of rows) yield { ...row, ...profileCells(row) };
}

async function* toJsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

async function* readAffiliates(ctx: Context, programId: string) {
  const size = 1000;
  for (let last = firstId; ; ) {
    const page = ctx.db.selectFrom('affiliates').select(exportedColumns).where('programId', '=', programId).where('id', '>', last);
    const rows = await page.select(selectClicks(programId)).orderBy('id').limit(size).execute();
    yield* rows.map((row) => ({ ...toAffiliate(row), ...readProfile(row) }));
    last = rows.at(-1)?.id ?? last;
    if (rows.length < size) return;
  }
}

const firstId = '00000000-0000-0000-0000-000000000000';

export type ImportedRow = { line: number; email: string; outcome: 'invited' | 'existed' | 'rejected'; reason?: string };

type Import = { programId: string; actor: Actor; isDryRun: boolean };

/**
 * Invites each row. A rejected row does not stop the others. A dry run rolls every row back.
 * Throws Invalid for a header that lacks the email or a name, or has an unknown column.
 */
export async function* importAffiliates(
  ctx: Context,
  source: Readable,
  { programId, actor, isDryRun }: Import,
): AsyncGenerator<ImportedRow> {
  let fields: (ImportField | null)[] = [];
  const readHeader = (names: readonly string[]): void => {
    fields = matchColumns(names);
    checkColumns(names, fields);
  };
  for await (const { line, names, cells } of readTable(source, readHeader)) {
    const given = toInvitation(fields, cells);
    const row = { line, email: toOneLine(String(given.email ?? '')) };
    try {
      if (cells.length !== names.length) throw invalid(`has ${cells.length} cells; the header has ${names.length}`);
      await importRow(ctx, given, { programId, actor, isDryRun });
      yield { ...row, outcome: 'invited' };
    } catch (error) {
      const known = error instanceof ApiError ? error : toApiError(error);
      if (error === dryRun) yield { ...row, outcome: 'invited' };
      else if (known?.status === 409) yield { ...row, outcome: 'existed' };
      else if (known && known.status < 500) yield { ...row, outcome: 'rejected', reason: describeError(known) };
      else throw error;
    }
  }
}

/** Throws Invalid that names all unknown and missing columns. Other columns that an export contains are ignored. */
function checkColumns(names: readonly string[], fields: readonly (ImportField | null)[]): void {
  const ignored: readonly string[] = exportHeader;
  const unknown = names.filter((name, index) => fields[index] === null && !ignored.includes(name));
  const missing = fields.includes('name') ? ['email'] : ['email', 'firstName'];
  const isMissing = (name: string) => !fields.some((field) => field === name);
  const faults = [...describeColumns('Unknown', unknown), ...describeColumns('Missing', missing.filter(isMissing))];
  if (faults.length > 0) throw new Invalid([], `${faults.join(' ')} Columns: ${importFields.join(', ')}.`);
}

function describeColumns(fault: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`${fault} column${names.length > 1 ? 's' : ''} ${names.map((name) => JSON.stringify(name)).join(', ')}.`];
}

/** More than any row needs. Without a limit, a file without line breaks would be read into memory as a whole. */
const maxRowBytes = 64 * 1024;

type TableRow = { line: number; names: string[]; cells: string[] };

/** The rows below a header that `checkHeader` accepts, in constant memory. Throws Invalid for a file that is not a table. */
export async function* readTable(source: Readable, checkHeader: (names: string[]) => void): AsyncGenerator<TableRow> {
  const parser = parse({
    bom: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    info: true,
    max_record_size: maxRowBytes,
  });
  // The parser passes errors of the decoder on.
  pipeline(source, decodeUtf8, parser).catch(() => undefined);
  let names: string[] | null = null;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (names) yield { line: info.lines, names, cells: record };
      else names = requireHeader(record, checkHeader);
    }
    if (!names) checkHeader([]);
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`must be CSV with rows of at most 64 kB: ${error.message}`);
    throw error;
  }
}

async function* decodeUtf8(bytes: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of bytes) yield typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? invalid('must be UTF-8; save the file in that encoding') : error;
  }
}

function requireHeader(names: string[], checkHeader: (names: string[]) => void): string[] {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalid(`must not have two columns named ${toOneLine(repeated)}`);
  checkHeader(names);
  return names;
}

function invalid(message: string): Invalid {
  return new Invalid([{ path: ['csv'], message }], `The CSV ${message}.`);
}

const dryRun = new Error('A dry run rolls back.');

async function importRow(ctx: Context, given: object, { programId, actor, isDryRun }: Import): Promise<void> {
  const { body } = parseParts({ body: [PersonInvite, given] });
  await transact(ctx, async (tx) => {
    await invite(tx, { programId, actor }, body);
    if (isDryRun) throw dryRun;
  });
}

function describeError(error: ApiError): string {
  return error instanceof Invalid && error.details
    ? error.details.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')
    : error.message;
}
