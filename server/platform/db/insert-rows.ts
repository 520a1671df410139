// Inserts many rows with one statement, as a single JSON parameter: planning takes as long as for one row, and the text
// of the statement doesn't depend on the number of rows.
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import type { DB } from './schema.gen.ts';

/** Inserts rows that all have the same columns. Byte strings are Buffers; JSON columns are plain values. */
export async function insertRows<T extends keyof DB & string>(
  tx: Pick<Tx, 'db'>,
  table: T,
  rows: readonly Plain<Insertable<DB[T]>>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first).map((name): [name: string, column: string] => [name, toSnakeCase(name)]);
  const columns = sql.join(names.map(([, column]) => sql.ref(column)));
  const target = sql.table(toSnakeCase(table));
  const values = JSON.stringify(rows.map((row) => toRecord(row as Record<string, unknown>, names)));
  await sql`insert into ${target} (${columns}) select ${columns} from json_populate_recordset(null::${target}, ${values}::json)`.execute(
    tx.db,
  );
}

/** JSON columns are passed as values, not as text. */
type Plain<Row> = { [K in keyof Row]: Row[K] | object };

function toRecord(row: Record<string, unknown>, names: readonly [name: string, column: string][]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, column] of names) {
    const value = row[name];
    record[column] = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
  }
  return record;
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
