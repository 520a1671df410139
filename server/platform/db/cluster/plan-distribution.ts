// The statements that distribute tables over the nodes of a Citus cluster. Citus can't distribute a table while it has
// foreign keys to one that isn't distributed, so the foreign keys are dropped before, and restored after.
import { coordinatorTables, referenceTables } from './shared-tables.ts';

export type Catalogue = {
  /** Names of the tables in `public`. */
  tables: readonly string[];
  /** Those that Citus stores by program, and those on every node. */
  distributed: readonly string[];
  replicated: readonly string[];
  foreignKeys: readonly ForeignKey[];
};

export type ForeignKey = {
  name: string;
  table: string;
  /** As `pg_get_constraintdef` returns it. */
  definition: string;
};

/** The tables that a cluster must store by program or on every node, but doesn't, in alphabetical order. */
export function findUndistributed({ tables, distributed, replicated }: Catalogue): string[] {
  const done = new Set([...distributed, ...replicated]);
  return tables.filter((table) => !coordinatorTables.has(table) && !done.has(table)).sort();
}

/** The statements, in their order, for one transaction. Empty if nothing is left to distribute. */
export function planDistribution(catalogue: Catalogue): string[] {
  const missing = findUndistributed(catalogue);
  const moved = new Set(missing);
  const keys = catalogue.foreignKeys.filter(({ table }) => moved.has(table));
  const replicated = missing.filter((table) => referenceTables.has(table));
  const tenants = missing.filter((table) => !referenceTables.has(table));
  // All rows of a program are on one node: each table is colocated with the first.
  const [first = ''] = [...catalogue.distributed].sort().concat(tenants);
  return [
    ...keys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
    ...replicated.map((table) => `select create_reference_table('${table}')`),
    ...tenants.map((table) => {
      const colocation = table === first ? 'none' : first;
      return `select create_distributed_table('${table}', 'program_id', colocate_with => '${colocation}')`;
    }),
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ];
}
