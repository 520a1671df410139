// Statements of one transaction whose results are not needed: all of their rows are written, or none. They are sent together.
import { CompiledQuery } from 'kysely';
import type { Context } from '../../context.ts';
import { transact } from './transact.ts';

/** A statement with its values as PostgreSQL reads them (`toArrayText` for arrays). */
export type Statement = { text: string; values: readonly (string | null)[] };

/** Runs the statements in one transaction and resolves after its commit. Their rows are not returned. */
export async function sendTogether(ctx: Context, statements: readonly Statement[]): Promise<void> {
  await transact(ctx, ({ db }) => Promise.all(statements.map(({ text, values }) => db.executeQuery(CompiledQuery.raw(text, [...values])))));
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
