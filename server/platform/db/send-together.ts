// Statements of one transaction whose results are not needed: all of their rows are written, or none. They are sent together.
import { CompiledQuery } from 'kysely';
import type { Context } from '../../context.ts';
import { pipeline } from './pipeline.ts';

/** A statement with its values as PostgreSQL reads them (`toArrayText` for arrays). */
export type Statement = { text: string; values: readonly (string | null)[] };

/** Runs the statements in one transaction and resolves after its commit. Their rows are not returned. */
export async function sendTogether({ db }: Pick<Context, 'db'>, statements: readonly Statement[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = await pipeline(transaction);
    await Promise.all(statements.map(({ text, values }) => tx.executeQuery(CompiledQuery.raw(text, [...values]))));
  });
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
