// Encrypted columns, and their re-encryption with the newest key: program by program and page by page, each page in a
// separate transaction, so that a running service never waits long for a lock.
import { type RawBuilder, sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../db/transact.ts';
import { type ProgramFailure, type Scope, tryEachProgram } from '../queue/each-program.ts';
import { keyNamePosition, type Vault } from './vault.ts';

type Row = Record<string, string>;

export type EncryptedColumn = {
  table: string;
  column: string;
  /** The column is text: encrypted values are in base64, and other values are not encrypted. */
  isText?: true;
  /** The primary key after program_id. */
  key: readonly string[];
  /** The table belongs to the installation, so its key has no program_id. */
  isReferenceTable?: true;
  /** Further columns that `owner` reads. */
  ownerColumns?: readonly string[];
  /** The owner that the value is bound to. Column names are in camel case. */
  owner(row: Row): string;
  /** Columns that are derived from the text and the key. */
  deriveColumns?(text: string, vault: Vault): Record<string, string>;
};

const pageSize = 100;

type Reencrypted = {
  reencrypted: number;
  /** Values that can't be decrypted. They are left unchanged. */
  failed: number;
  /** Programs whose values could not be read or written. Another run continues with them. */
  failures: readonly ProgramFailure[];
};

/** Encrypts every value of the column with the newest key. */
export async function reencryptColumn(ctx: Context, column: EncryptedColumn): Promise<Reencrypted> {
  const total = { reencrypted: 0, failed: 0 };
  const run = async (programId: string | null): Promise<void> => {
    for (let after: readonly unknown[] | null = null; ; ) {
      const page: Page = await transact(ctx, (tx) => reencryptPage(tx, { column, programId }, after));
      total.reencrypted += page.reencrypted;
      total.failed += page.failed;
      if (!page.last) return;
      after = page.last;
    }
  };
  if (column.isReferenceTable) {
    await run(null);
    return { ...total, failures: [] };
  }
  const find = (scope: Scope) => sql<{ programId: string }>`
    select distinct program_id from ${sql.table(column.table)} where ${isOutdated(ctx.vault, column)} and ${scope}`;
  const failures = await tryEachProgram(ctx, { find, run });
  return { ...total, failures };
}

/** How many values each key has encrypted, by the name of the key. */
export async function countByKey(ctx: Pick<Context, 'db'>, column: EncryptedColumn): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select encode(${selectKeyName(column)}, 'hex') as name, count(*) as count from ${sql.table(column.table)}
    where ${selectValue(column)} is not null group by 1`.execute(ctx.db);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** The names of the keys that a few stored values were encrypted with. Reads a few rows, however large the table is. */
export async function sampleKeyNames({ db }: Pick<Context, 'db'>, column: EncryptedColumn): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct encode(name, 'hex') as name from (
      select ${selectKeyName(column)} as name from ${sql.table(column.table)} limit ${pageSize}
    ) as sample where name is not null`.execute(db);
  return rows.map(({ name }) => name);
}

type Page = { reencrypted: number; failed: number; last: readonly unknown[] | null };

/** Null for the program of a table that belongs to the installation. */
type Place = { column: EncryptedColumn; programId: string | null };

async function reencryptPage(tx: Tx, { column, programId }: Place, after: readonly unknown[] | null): Promise<Page> {
  const names = column.key;
  const ofProgram = programId === null ? sql`true` : sql`program_id = ${programId}`;
  const key = sql.join(names.map((name) => sql.ref(name)));
  const owned = programId === null ? [] : ['program_id'];
  const selected = sql.join([...owned, ...names, ...(column.ownerColumns ?? [])].map((name) => sql.ref(name)));
  const { rows } = await sql<Row & { encrypted: Buffer }>`
    select ${selected}, ${selectValue(column)} as encrypted from ${sql.table(column.table)}
    where ${ofProgram} and ${isOutdated(tx.vault, column)} ${after ? sql`and (${key}) > (${sql.join(after)})` : sql``}
    order by ${key} limit ${pageSize} for no key update`.execute(tx.db);
  let reencrypted = 0;
  for (const row of rows) {
    const values = reencryptRow(tx.vault, column, row);
    if (!values) continue;
    const changes = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    await sql`update ${sql.table(column.table)} set ${sql.join(changes)}
      where ${ofProgram} and (${key}) = (${sql.join(readKey(row, names))})`.execute(tx.db);
    reencrypted += 1;
  }
  const last = rows.at(-1);
  return { reencrypted, failed: rows.length - reencrypted, last: last && rows.length === pageSize ? readKey(last, names) : null };
}

/** The new values of the columns, or null for a value that can't be decrypted. */
function reencryptRow(vault: Vault, { column, isText, owner, deriveColumns }: EncryptedColumn, row: Row & { encrypted: Buffer }) {
  let text: string;
  try {
    text = vault.decrypt(row.encrypted, owner(row));
  } catch {
    return null;
  }
  const encrypted = vault.encrypt(text, owner(row));
  return { [column]: isText ? encrypted.toString('base64') : encrypted, ...deriveColumns?.(text, vault) };
}

function readKey(row: Row, names: readonly string[]): unknown[] {
  return names.map((name) => row[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]);
}

/** An encrypted value starts with a byte of 1, which is an A in base64; JSON never starts with an A. */
function selectValue({ column, isText }: EncryptedColumn): RawBuilder<unknown> {
  const ref = sql.ref(column);
  return isText ? sql`case when left(${ref}, 1) = 'A' then decode(${ref}, 'base64') end` : sql`${ref}`;
}

/** Whether the row has a value that another key than the newest has encrypted. */
function isOutdated(vault: Vault, column: EncryptedColumn): RawBuilder<unknown> {
  const newest = Buffer.from(vault.keyNames[0] ?? '', 'hex');
  return sql`${selectValue(column)} is not null and ${selectKeyName(column)} <> ${newest}`;
}

function selectKeyName(column: EncryptedColumn): RawBuilder<unknown> {
  return sql`substring(${selectValue(column)} from ${sql.lit(keyNamePosition.from)} for ${sql.lit(keyNamePosition.bytes)})`;
}
