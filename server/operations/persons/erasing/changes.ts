// Statements that delete or overwrite rows of a table that is named by data. They are sent as the owner of the tables: the role
// of the service can't change append-only tables.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../context.ts';

export type Change = { table: string; statement: RawBuilder<unknown> };
type Condition = RawBuilder<unknown>;

/** How many rows were deleted or changed, by table. */
export type Counts = Record<string, number>;

/** Sends the statements in this order. */
export async function applyChanges({ db }: Tx, changes: readonly Change[]): Promise<Counts> {
  const counts: Counts = {};
  for (const { table, statement } of changes) {
    const rows = Number((await statement.execute(db)).numAffectedRows ?? 0n);
    if (rows > 0) counts[table] = (counts[table] ?? 0) + rows;
  }
  return counts;
}

/** Deletes the rows of a program that meet a condition. */
export const remove = (programId: string, table: string, where: Condition): Change => ({
  table,
  statement: sql`delete from ${sql.table(table)} where program_id = ${programId} and (${where})`,
});

/** Overwrites columns of the rows of a program that meet a condition. */
export const overwrite = (programId: string, table: string, where: Condition, values: Readonly<Record<string, unknown>>): Change => ({
  table,
  statement: sql`update ${sql.table(table)} set ${assign(values)} where program_id = ${programId} and (${where})`,
});

/** Deletes rows of the installation. */
export const removeShared = (table: string, where: Condition): Change => ({
  table,
  statement: sql`delete from ${sql.table(table)} where ${where}`,
});

/** Overwrites columns of rows of the installation. */
export const overwriteShared = (table: string, where: Condition, values: Readonly<Record<string, unknown>>): Change => ({
  table,
  statement: sql`update ${sql.table(table)} set ${assign(values)} where ${where}`,
});

function assign(values: Readonly<Record<string, unknown>>): RawBuilder<unknown> {
  const isRaw = (value: unknown): value is RawBuilder<unknown> => typeof value === 'object' && value !== null && 'toOperationNode' in value;
  return sql.join(Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${isRaw(value) ? value : sql`${value}`}`));
}
