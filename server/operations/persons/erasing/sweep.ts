// Finds texts that mention a person in every table of a program and removes them. The tables are read from the catalogue of the
// database, so that a new one can't be forgotten.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { isRecorded, type RecordedTable, recordedValues } from '../../../platform/db/recorded-values.ts';
import { erasedText, type Scrubber, toPattern, type Words } from './scrub.ts';

/** Tables that are not searched, and why. */
export const notSearched: Readonly<Record<string, string>> = {
  audit_log: 'Its entries are sealed (redact-audit.ts).',
  audit_redactions: 'Contains hashes of entries only.',
  ledger_entries: 'Contains ids and amounts, and is hashed.',
  clicks: 'Found by the affiliate and the visitor (traces.ts).',
  breakdown_totals: 'Sums that are computed again after an erasure (erase-in-program.ts).',
  programs: 'What a program says about itself is public.',
  program_brands: 'What a program says about itself is public.',
  invoice_issuers: 'What a program says about itself is public.',
  referral_codes: 'Codes are random.',
  short_links: 'The names of the person are erased before.',
  bare_links: 'The names of the person are erased before.',
  bare_pages: 'The names of the person are erased before.',
};

type Column = { name: string; type: 'text' | 'jsonb' | 'text[]'; isChecked: boolean; isUnique: boolean };
type Table = { name: string; key: string[]; columns: Column[]; ids: string[] };

/** The tables of a program with texts. `isChecked`: only some values are allowed. */
export async function listSearchedTables({ db }: Pick<Tx, 'db'>): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select class.relname as name,
      (select json_agg(key.attname order by array_position(index.indkey::int2[], key.attnum)) from pg_index as index
        join pg_attribute as key on key.attrelid = index.indrelid and key.attnum = any(index.indkey)
        where index.indrelid = class.oid and index.indisprimary and key.attname <> 'program_id') as key,
      (select json_agg(json_build_object('name', text.attname, 'type', format_type(text.atttypid, null), 'isChecked', exists (
            select from pg_constraint where conrelid = class.oid and contype in ('c', 'f') and text.attnum = any(conkey)), 'isUnique', exists (
            select from pg_index where indrelid = class.oid and indisunique and text.attnum = any(indkey::int2[]))) order by text.attnum)
        from pg_attribute as text where text.attrelid = class.oid and text.attnum > 0 and not text.attisdropped
          and text.attgenerated = '' and format_type(text.atttypid, null) in ('text', 'jsonb', 'text[]')
          and text.attname <> 'recorded_values') as columns,
      (select json_agg(id.attname order by id.attnum) from pg_attribute as id
        where id.attrelid = class.oid and id.attnum > 0 and not id.attisdropped
          and format_type(id.atttypid, null) in ('uuid', 'uuid[]') and id.attname <> 'program_id') as ids
    from pg_class as class
    where class.relkind in ('r', 'p') and class.relnamespace = 'public'::regnamespace and exists (
      select from pg_attribute where attrelid = class.oid and attname = 'program_id' and not attisdropped)
    order by class.relname`.execute(db);
  return rows
    .filter(({ name, columns }) => columns !== null && !Object.hasOwn(notSearched, name))
    .map((table) => ({ ...table, key: table.key ?? [], ids: table.ids ?? [] }));
}

type Row = { values: Record<string, unknown>; isAbout: boolean; isIntact: boolean };

export type Search = { programId: string; words: Words; scrubber: Scrubber };

/** Removes the words from a table. Returns how many rows changed. */
export async function sweepTable(tx: Tx, table: Table, search: Search): Promise<number> {
  const { programId, scrubber } = search;
  let changed = 0;
  for (const row of await findRows(tx, table, search)) {
    const values = scrubRow(tx, table, row, scrubber);
    if (values.length === 0) continue;
    changed += 1;
    const keys = table.key.map((name) => sql`${sql.ref(name)}::text = ${String(row.values[name])}`);
    const isRow = sql.join([sql`program_id = ${programId}`, ...keys], sql` and `);
    await sql`update ${sql.table(table.name)} set ${sql.join(values)} where ${isRow}`.execute(tx.db);
    if (isRecorded(table.name) && row.isIntact) await copyRecorded(tx, table.name, isRow);
  }
  return changed;
}

/** Writes the copy of what decides money in a row again. A cluster rejects functions that depend on settings in UPDATE itself. */
async function copyRecorded({ db }: Tx, table: RecordedTable, isRow: RawBuilder<unknown>): Promise<void> {
  const copied = sql`select ${sql.raw(recordedValues(table))} as copy from ${sql.table(table)} where ${isRow} offset 0`;
  await sql`update ${sql.table(table)} set recorded_values = copied.copy from (${copied}) as copied where ${isRow}`.execute(db);
}

/** Rows that may mention the person. `isIntact`: the copy of what decides money agrees, so it may be written again. */
async function findRows({ db }: Tx, table: Table, { programId, words, scrubber }: Search): Promise<Row[]> {
  const pattern = toPattern([...words.certain, ...words.masked, ...words.ids]);
  if (pattern === '') return [];
  const columns = table.columns.map(({ name }) => name);
  const toObject = (names: readonly string[]) =>
    sql`json_build_object(${sql.join(names.flatMap((name) => [sql.lit(name), sql.ref(`row.${name}`)]))})`;
  const isIntact = isRecorded(table.name) ? sql.raw(`row.recorded_values = ${recordedValues(table.name, 'row')}`) : sql`true`;
  const searched = sql.join([...columns, ...table.ids].map((name) => sql.ref(`found.${name}`)));
  const { rows } = await sql<{ found: string; searched: string; isIntact: boolean }>`
    select ${toObject([...table.key, ...columns])}::text as found, row.searched, ${isIntact} as is_intact
    from (select *, concat_ws(' ', ${searched}) as searched from ${sql.table(table.name)} as found where program_id = ${programId}) as row
    where row.searched ~* ${pattern}`.execute(db);
  return rows.map(({ found, searched, isIntact }) => ({ values: JSON.parse(found), isAbout: scrubber.isAbout(searched), isIntact }));
}

/** The columns of a row that mention the person, with what they contain afterwards. */
function scrubRow(tx: Tx, { columns }: Table, { values, isAbout }: Row, scrubber: Scrubber): RawBuilder<unknown>[] {
  return columns.flatMap(({ name, type, isChecked, isUnique }) => {
    const before = values[name];
    if (before === null || before === undefined) return [];
    const after = scrubColumn(before, { type, isAbout: isAbout && !isChecked && !isUnique }, scrubber);
    if (JSON.stringify(after) === JSON.stringify(before)) return [];
    if (type === 'jsonb') return [sql`${sql.ref(name)} = ${JSON.stringify(after)}::jsonb`];
    if (type === 'text[]') return [sql`${sql.ref(name)} = ${after}::text[]`];
    return [sql`${sql.ref(name)} = ${isUnique ? `${erasedText}-${tx.ids.uuid()}` : after}`];
  });
}

function scrubColumn(value: unknown, { type, isAbout }: { type: Column['type']; isAbout: boolean }, scrubber: Scrubber): unknown {
  if (type !== 'text' || typeof value !== 'string') return scrubber.json(value, isAbout);
  const document = parseDocument(value);
  return document === undefined ? scrubber.text(value, isAbout) : JSON.stringify(scrubber.json(document, isAbout));
}

/** A text that is JSON, such as a stored response. */
function parseDocument(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
