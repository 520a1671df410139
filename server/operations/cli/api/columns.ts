// The columns of a list, chosen from the schema of its rows.
import { UsageError } from '../command-error.ts';
import type { Column } from '../terminal/table.ts';
import type { ApiDocument, Schema } from './document.ts';
import { resolveSchema } from './document.ts';
import { isTime, toCell, toLabel } from './format-value.ts';

export type Row = Record<string, unknown>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type Rows = { rows: readonly Row[]; schema: Schema | null; currency: string | null };

const mostColumns = 9;

/** What identifies a row for people; the id does so for commands. */
const names = /^(name|email|code|title|slug|subject|orderId|topic|reference|sku|url|month|year|at)$/;

/** The columns of rows, in the order of the schema. */
export function toColumns(document: ApiDocument, { rows, schema, currency }: Rows, chosen?: readonly string[]): Column[] {
  const properties = schema?.properties ?? Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, {}]));
  if (chosen) return chosen.map((name) => toColumn({ rows, schema, currency }, requireName(name, properties, rows), 0));
  const [amount] = Object.keys(properties).filter((name) => name.endsWith('Cents'));
  const ranked = Object.entries(properties).flatMap(([name, each]) => {
    const rank = name === amount ? ranks.amount : rankOf(name, resolveSchema(document, each), rows);
    return rank === null ? [] : [{ name, rank }];
  });
  const kept = new Set([...ranked].sort((a, b) => a.rank - b.rank).slice(0, mostColumns));
  const shown = ranked.filter((each) => kept.has(each));
  // The date ends a row; the schema has it among the other fields.
  const ordered = [...shown.filter(({ rank }) => rank !== ranks.created), ...shown.filter(({ rank }) => rank === ranks.created)];
  return ordered.map(({ name, rank }) => toColumn({ rows, schema, currency }, name, rank));
}

const ranks = { id: 0, name: 1, status: 2, amount: 3, created: 4, number: 5, foreignId: 6, text: 7, other: 8 } as const;

/** How important a field is; null if a table does not show it. */
function rankOf(name: string, { type, format, items, properties }: Schema, rows: readonly Row[]): number | null {
  const values = rows.map((row) => row[name]);
  if (values.every((value) => value === null || value === undefined || value === '')) return null;
  if (name === 'currency' || name === 'version' || name === 'programId' || properties || items) return null;
  if (values.some((value) => typeof value === 'object' && value !== null)) return null;
  if (name === 'id') return ranks.id;
  if (names.test(name) || isPersonName(name, rows)) return ranks.name;
  if (name === 'status' || name === 'kind') return ranks.status;
  if (name.endsWith('Cents')) return ranks.number;
  if (name === 'createdAt') return ranks.created;
  if (format === 'date-time') return ranks.other;
  if (type === 'integer' || values.some((value) => typeof value === 'number')) return ranks.number;
  if (name.endsWith('Id')) return ranks.foreignId;
  return values.some((value) => typeof value === 'boolean') ? ranks.other : ranks.text;
}

/** The last name follows in the column of the first one. */
function isPersonName(name: string, rows: readonly Row[]): boolean {
  return name === 'firstName' && rows.some((row) => 'lastName' in row);
}

function toColumn({ rows, currency }: Rows, name: string, rank: number): Column {
  const isPerson = rank !== 0 && isPersonName(name, rows);
  const cells = rows.map((row) => {
    const value = isPerson ? `${row.firstName ?? ''} ${row.lastName ?? ''}`.trim() : row[name];
    return toCell(name, value, typeof row.currency === 'string' ? row.currency : currency);
  });
  const label = isPerson ? 'Name' : toLabel(name);
  const hasTimes = rows.some((row) => isTime(row[name]));
  return {
    heading: `${label}${hasTimes ? ' (UTC)' : ''}`.toUpperCase(),
    cells,
    isNumeric: rows.some((row) => typeof row[name] === 'number'),
    isWhole: name === 'id' || name.endsWith('Id') || hasTimes,
    rank,
  };
}

function requireName(name: string, properties: Record<string, Schema>, rows: readonly Row[]): string {
  if (name in properties || rows.some((row) => name in row)) return name;
  throw new UsageError(`--columns: there is no column "${name}". Columns: ${Object.keys(properties).join(', ')}.`);
}
