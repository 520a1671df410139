// What is sealed in the database, column by column, and how it gets under the newest key: page by page, each page a
// transaction, so that a service that keeps running never waits for long.
import { type RawBuilder, sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../db/transact.ts';
import { keyNameAt, type Vault } from './vault.ts';

type Row = Record<string, string>;

export type SealedColumn = {
  table: string;
  column: string;
  /** Base64 among texts that are not sealed, instead of bytes. */
  isText?: true;
  /** The primary key after program_id. */
  key: readonly string[];
  /** Columns that `owner` needs besides. */
  reads?: readonly string[];
  /** For whom the value was sealed; names of columns are in camel case. */
  owner(row: Row): string;
  /** Columns that follow from the text and the key. */
  follow?(text: string, vault: Vault): Record<string, string>;
};

const pageSize = 100;

/** Seals every value of the column with the newest key. What doesn't open stays as it is and is counted. */
export async function resealColumn(ctx: Context, column: SealedColumn): Promise<{ resealed: number; stuck: number }> {
  const total = { resealed: 0, stuck: 0 };
  for (let after: readonly unknown[] | null = null; ; ) {
    const page: Page = await transact(ctx, (tx) => resealPage(tx, column, after));
    total.resealed += page.resealed;
    total.stuck += page.stuck;
    if (!page.last) return total;
    after = page.last;
  }
}

/** How many values each key has sealed, by the name of the key. */
export async function countByKey(ctx: Pick<Context, 'db'>, column: SealedColumn): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select encode(${keyNameOf(column)}, 'hex') as name, count(*) as count from ${sql.table(column.table)}
    where ${sealedValue(column)} is not null group by 1`.execute(ctx.db);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** The names of the keys that a few stored values were encrypted with. It reads a few rows, however large the table is. */
export async function sampleKeyNames({ db }: Pick<Context, 'db'>, column: SealedColumn): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct encode(name, 'hex') as name from (
      select ${keyNameOf(column)} as name from ${sql.table(column.table)} limit ${pageSize}
    ) as sample where name is not null`.execute(db);
  return rows.map(({ name }) => name);
}

type Page = { resealed: number; stuck: number; last: readonly unknown[] | null };

async function resealPage(tx: Tx, column: SealedColumn, after: readonly unknown[] | null): Promise<Page> {
  const names = ['program_id', ...column.key];
  const key = sql.join(names.map((name) => sql.ref(name)));
  const newest = Buffer.from(tx.vault.keyNames[0] ?? '', 'hex');
  const { rows } = await sql<Row & { sealed: Buffer }>`
    select ${sql.join([...names, ...(column.reads ?? [])].map((name) => sql.ref(name)))}, ${sealedValue(column)} as sealed from ${sql.table(column.table)}
    where ${sealedValue(column)} is not null and ${keyNameOf(column)} <> ${newest} ${after ? sql`and (${key}) > (${sql.join(after)})` : sql``}
    order by ${key} limit ${pageSize} for no key update`.execute(tx.db);
  let resealed = 0;
  for (const row of rows) {
    const values = toReseal(tx.vault, column, row);
    if (!values) continue;
    const changes = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    await sql`update ${sql.table(column.table)} set ${sql.join(changes)} where (${key}) = (${sql.join(keyOf(row, names))})`.execute(tx.db);
    resealed += 1;
  }
  const last = rows.at(-1);
  return { resealed, stuck: rows.length - resealed, last: last && rows.length === pageSize ? keyOf(last, names) : null };
}

/** The columns as they are to be, or null for a value that doesn't open. */
function toReseal(vault: Vault, { column, isText, owner, follow }: SealedColumn, row: Row & { sealed: Buffer }) {
  let text: string;
  try {
    text = vault.open(row.sealed, owner(row));
  } catch {
    return null;
  }
  const sealed = vault.seal(text, owner(row));
  return { [column]: isText ? sealed.toString('base64') : sealed, ...follow?.(text, vault) };
}

function keyOf(row: Row, names: readonly string[]): unknown[] {
  return names.map((name) => row[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]);
}

/** A sealed value begins with a byte of 1, which is an A in base64; a JSON text never does. */
function sealedValue({ column, isText }: SealedColumn): RawBuilder<unknown> {
  const ref = sql.ref(column);
  return isText ? sql`case when left(${ref}, 1) = 'A' then decode(${ref}, 'base64') end` : sql`${ref}`;
}

function keyNameOf(column: SealedColumn): RawBuilder<unknown> {
  return sql`substring(${sealedValue(column)} from ${sql.lit(keyNameAt.from)} for ${sql.lit(keyNameAt.bytes)})`;
}
