// Statements of one transaction whose results are not needed: the rows that they write are all or none there.
import { CompiledQuery } from 'kysely';
import type { Context } from '../../context.ts';

export type Statement = { name: string; text: string };

/** Values as PostgreSQL reads them (`toArrayText` for arrays). */
export type Prepared = { statement: Statement; values: readonly (string | null)[] };

/** Runs the statements in one transaction and resolves after its commit. Their rows are not returned. */
export async function sendTogether({ db }: Pick<Context, 'db'>, prepared: readonly Prepared[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { statement, values } of prepared) await tx.executeQuery(CompiledQuery.raw(statement.text, [...values]));
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
