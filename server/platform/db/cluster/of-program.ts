// Statements on the rows of several programs, which run program by program on a cluster.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { toNodeOf } from '../program-connections.ts';

type Databases = Pick<Context, 'db' | 'programDb' | 'allProgramsDb'>;

/** All rows together; on a cluster, those of each program, because their nodes differ. */
export function groupByNode<Row>({ allProgramsDb }: Databases, rows: readonly Row[], programOf: (row: Row) => string): (readonly Row[])[] {
  if (!allProgramsDb) return rows.length === 0 ? [] : [rows];
  return [...Map.groupBy(rows, programOf).values()];
}

/** The context for such a group, whose first row is about this program. */
export function toNodeContext<C extends Databases>(ctx: C, programId: string): C {
  return { ...ctx, db: toNodeOf(ctx, programId) };
}

/**
 * A condition for each table of a statement about such a group. `column` is its `program_id`. A cluster sends a statement to one node
 * only if every table is compared with the program itself.
 */
export function isOnNode({ allProgramsDb }: Pick<Context, 'allProgramsDb'>, column: string, programId: string): RawBuilder<boolean> {
  return allProgramsDb ? sql<boolean>`${sql.ref(column)} = ${programId}` : sql<boolean>`true`;
}
