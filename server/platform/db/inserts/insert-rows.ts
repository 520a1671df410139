// Inserts many rows with one statement, as a single JSON parameter: planning takes as long as for one row, and the text
// of the statement doesn't depend on the number of rows. On a cluster, few rows are inserted one by one (few-rows.ts).
import { CompiledQuery, type Insertable } from 'kysely';
import type { Tx } from '../../../context.ts';
import { isRecorded, recordedValues } from '../recorded-values.ts';
import type { DB } from '../schema.gen.ts';
import { typesOf } from './column-types.ts';
import { isWrittenOneByOne } from './few-rows.ts';

/** Inserts rows that all have the same columns. Byte strings are Buffers; JSON columns are plain values. */
export async function insertRows<T extends keyof DB & string>(
  tx: Pick<Tx, 'db' | 'allProgramsDb'>,
  table: T,
  rows: readonly Plain<Insertable<DB[T]>>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { text, columns } = describeInsert(table, Object.keys(first));
  const types = isWrittenOneByOne(tx, rows)
    ? typesOf(
        toSnakeCase(table),
        columns.map(([, column]) => column),
      )
    : null;
  if (types) {
    const one = describeOne(table, columns, types);
    await Promise.all(
      rows.map((row) => tx.db.executeQuery(CompiledQuery.raw(one, toValues(row as Record<string, unknown>, columns, types)))),
    );
    return;
  }
  const values = JSON.stringify(rows.map((row) => toRecord(row as Record<string, unknown>, columns)));
  await tx.db.executeQuery(CompiledQuery.raw(text, [values]));
}

type Insert = { text: string; columns: readonly [name: string, column: string][] };

const inserts = new Map<string, Insert>();

/** The statement for these columns, which is written once: the code decides which columns there are. */
function describeInsert(table: string, names: readonly string[]): Insert {
  const key = `${table} ${names.join()}`;
  const known = inserts.get(key);
  if (known) return known;
  const target = `"${toSnakeCase(table)}"`;
  const columns = names.map((name): [name: string, column: string] => [name, toSnakeCase(name)]);
  const list = columns.map(([, column]) => `"${column}"`).join(', ');
  const name = toSnakeCase(table);
  const [copy, values] = isRecorded(name) ? [', recorded_values', `, ${recordedValues(name)}`] : ['', ''];
  const text = `insert into ${target} (${list}${copy}) select ${list}${values} from json_populate_recordset(null::${target}, $1::json)`;
  inserts.set(key, { text, columns });
  return { text, columns };
}

const singleInserts = new Map<string, string>();

/** The statement for one row. */
function describeOne(table: string, columns: Insert['columns'], types: readonly string[]): string {
  const key = `${table} ${columns.map(([name]) => name).join()}`;
  const known = singleInserts.get(key);
  if (known) return known;
  const name = toSnakeCase(table);
  const places = new Map(columns.map(([, column], index) => [column, `$${index + 1}::${types[index]}`]));
  const [copy, value] = isRecorded(name)
    ? [', recorded_values', `, ${recordedValues(name, (column) => places.get(column) ?? 'null')}`]
    : ['', ''];
  const list = columns.map(([, column]) => `"${column}"`).join(', ');
  const text = `insert into "${name}" (${list}${copy}) values (${[...places.values()].join(', ')}${value})`;
  singleInserts.set(key, text);
  return text;
}

function toValues(row: Record<string, unknown>, columns: Insert['columns'], types: readonly string[]): unknown[] {
  return columns.map(([name], index) => {
    const value = row[name] ?? null;
    return value !== null && types[index] === 'jsonb' ? JSON.stringify(value) : value;
  });
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
