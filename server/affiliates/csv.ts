// Affiliates as CSV: out for spreadsheets, in from another system. Cells that a spreadsheet would run as
// a formula are disarmed on the way out.
import { pipeline, type Readable, type Writable } from 'node:stream';
import { pipeline as finish } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import type { Doer } from '../audit/record.ts';
import type { Context } from '../context.ts';
import { fromDatabase } from '../db/constraints.ts';
import { transact } from '../db/transact.ts';
import { parseParts } from '../http/validate.ts';
import { ApiError, Invalid } from '../lib/errors.ts';
import { rowColumns, toAffiliateRow } from './affiliate.ts';
import { Invite, invite } from './invite.ts';

/** Writes every affiliate of the program in the order of their ids, which is that of their arrival, in constant memory. */
export async function exportAffiliates(ctx: Context, programId: string, out: Writable): Promise<void> {
  const csv = stringify({ header: true, columns: [...rowColumns], escape_formulas: true });
  await finish(allRows(ctx, programId), csv, out, { end: out !== process.stdout });
}

async function* allRows(ctx: Context, programId: string) {
  const size = 1000;
  for (let last = firstId; ; ) {
    const page = ctx.db.selectFrom('affiliates').select(rowColumns).where('programId', '=', programId).where('id', '>', last);
    const rows = await page.orderBy('id').limit(size).execute();
    yield* rows.map(toAffiliateRow);
    last = rows.at(-1)?.id ?? last;
    if (rows.length < size) return;
  }
}

const firstId = '00000000-0000-0000-0000-000000000000';

export type ImportedRow = { line: number; email: string; outcome: 'invited' | 'existed' | 'refused'; reason?: string };

type Import = { programId: string; doer: Doer; isDryRun: boolean };

/**
 * Invites each row (columns email, firstName, lastName, and optionally groupId, parentAffiliateId, autoApprove,
 * sendInvite). A rejected row does not stop the others. A dry run rolls every row back.
 * Throws Invalid for a header that lacks a column or has an unknown one.
 */
export async function* importAffiliates(
  ctx: Context,
  source: Readable,
  { programId, doer, isDryRun }: Import,
): AsyncGenerator<ImportedRow> {
  let hasHeader = false;
  const columns = (header: string[]) => {
    hasHeader = true;
    return checkHeader(header);
  };
  const parser = parse({ columns, bom: true, trim: true, skip_empty_lines: true, info: true });
  // A source that can't be read ends the loop below with its error.
  const records = pipeline(source, parser, () => {});
  for await (const { record, info } of records as AsyncIterable<{ record: Record<string, string>; info: { lines: number } }>) {
    const row = { line: info.lines, email: record.email ?? '' };
    try {
      await importRow(ctx, record, { programId, doer, isDryRun });
      yield { ...row, outcome: 'invited' };
    } catch (error) {
      const known = error instanceof ApiError ? error : fromDatabase(error);
      if (error === dryRun) yield { ...row, outcome: 'invited' };
      else if (known?.status === 409) yield { ...row, outcome: 'existed' };
      else if (known && known.status < 500) yield { ...row, outcome: 'refused', reason: reasonOf(known) };
      else throw error;
    }
  }
  if (!hasHeader) checkHeader([]);
}

const required = ['email', 'firstName', 'lastName'];
const optional = ['groupId', 'parentAffiliateId', 'autoApprove', 'sendInvite'];

/** Throws Invalid that names every unknown and every missing column. Columns that an export adds are allowed, and ignored. */
function checkHeader(header: readonly string[]): string[] {
  const known: readonly string[] = [...required, ...optional, ...rowColumns];
  const faults = [
    ...namesOf(
      'Unknown',
      header.filter((name) => !known.includes(name)),
    ),
    ...namesOf(
      'Missing',
      required.filter((name) => !header.includes(name)),
    ),
  ];
  if (faults.length === 0) return [...header];
  throw new Invalid([], `${faults.join(' ')} Columns: ${required.join(', ')}; optional: ${optional.join(', ')}.`);
}

function namesOf(fault: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`${fault} column${names.length > 1 ? 's' : ''} ${names.map((name) => JSON.stringify(name)).join(', ')}.`];
}

const dryRun = new Error('A dry run rolls back.');

async function importRow(ctx: Context, record: Record<string, string>, { programId, doer, isDryRun }: Import): Promise<void> {
  const { body } = parseParts({ body: [Invite, typed(record)] });
  await transact(ctx, async (tx) => {
    await invite(tx, { programId, doer }, body);
    if (isDryRun) throw dryRun;
  });
}

/** Empty cells are absent; `true` and `false` are booleans. */
function typed(record: Record<string, string>): Record<string, string | boolean> {
  const given = Object.entries(record).filter(([, value]) => value !== '');
  return Object.fromEntries(given.map(([key, value]) => [key, value === 'true' || value === 'false' ? value === 'true' : value]));
}

function reasonOf(error: ApiError): string {
  return error instanceof Invalid && error.details
    ? error.details.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')
    : error.message;
}
