// Statements of a transaction whose results are not needed. They are sent together.
import { CompiledQuery } from 'kysely';
import type { Tx } from '../../../context.ts';

/** A statement with its values as PostgreSQL reads them (`toArrayText` for arrays). */
export type Statement = { text: string; values: readonly (string | null)[] };

/** Runs the statements. Their rows are not returned. */
export async function runTogether({ db }: Pick<Tx, 'db'>, statements: readonly Statement[]): Promise<void> {
  await Promise.all(statements.map(({ text, values }) => db.executeQuery(CompiledQuery.raw(text, [...values]))));
}

/** The text of a PostgreSQL array. */
export function toArrayText(values: readonly (string | number | null)[]): string {
  return `{${values.map(toElement).join(',')}}`;
}

const plain = /^[\w.:+-]+$/;

function toElement(value: string | number | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return plain.test(value) && value.toUpperCase() !== 'NULL' ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}
