// A database whose programs are distributed over several servers by Citus (docs/scale.md). The service connects to its
// coordinator as to any PostgreSQL.
import type pg from 'pg';
import { type Catalogue, findUndistributed } from './plan-distribution.ts';

/** The cluster can't be used as it is. The message is for operators. */
export class ClusterFault extends Error {}

export type ClusterNode = {
  /** `host:port` as the coordinator connects to it. */
  address: string;
  isActive: boolean;
};

export type Cluster = {
  /** Such as `13.1.1`. */
  version: string;
  nodes: ClusterNode[];
  /** Whether any table is distributed. */
  isDistributed: boolean;
  /** Tables that should be distributed, but are not. */
  undistributed: string[];
};

/** The cluster of the database; null on a plain PostgreSQL. */
export async function readCluster(db: Pick<pg.Pool, 'query'>): Promise<Cluster | null> {
  const extension = await db.query(`select 1 from pg_extension where extname = 'citus'`);
  if (extension.rows.length === 0) return null;
  const { rows: versions } = await db.query<{ version: string }>(`select substring(citus_version() from '[0-9.]+') as version`);
  const { rows: nodes } = await db.query<ClusterNode>(
    `select nodename || ':' || nodeport as address, isactive as "isActive" from pg_dist_node order by nodeid`,
  );
  const catalogue = await readCatalogue(db);
  return {
    version: versions[0]?.version ?? '',
    nodes,
    isDistributed: catalogue.distributed.length > 0,
    undistributed: findUndistributed(catalogue),
  };
}

/** Throws ClusterFault if a server can't use the cluster, because not all tables are distributed. */
export function requireDistributed(cluster: Cluster | null): void {
  if (!cluster || cluster.undistributed.length === 0) return;
  const named = cluster.isDistributed
    ? `These tables are not distributed: ${cluster.undistributed.join(', ')}.`
    : 'Its tables are not distributed.';
  throw new ClusterFault(`The database has Citus. ${named} Run "bin/tributary migrate --distribute".`);
}

/** What is distributed, and the foreign keys. The tables in which Citus stores their parts are left out. */
export async function readCatalogue(db: Pick<pg.Pool, 'query'>): Promise<Catalogue> {
  const { rows: tables } = await db.query<{ name: string; method: string | null; model: string | null }>(`
    select relname as name, partmethod as method, repmodel as model
    from pg_class left join pg_dist_partition on logicalrelid = pg_class.oid
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      and relation_is_a_known_shard(pg_class.oid) is not true
    order by relname`);
  const { rows: foreignKeys } = await db.query<{ name: string; table: string; definition: string }>(`
    select conname as name, relname as table, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and conparentid = 0 and relnamespace = 'public'::regnamespace
      and relation_is_a_known_shard(pg_class.oid) is not true
    order by relname, conname`);
  const named = (isKind: (method: string | null, model: string | null) => boolean) =>
    tables.filter(({ method, model }) => isKind(method, model)).map(({ name }) => name);
  return {
    tables: tables.map(({ name }) => name),
    distributed: named((method) => method === 'h'),
    replicated: named((method, model) => method === 'n' && model === 't'),
    foreignKeys,
  };
}

/** What each node that `role` can't use is missing, as Citus reports it: it connects as that role. Empty if all respond. */
export async function findNodeFaults(client: pg.ClientBase, role: string | null): Promise<string[]> {
  await client.query('begin');
  try {
    if (role !== null) await client.query(`set local role ${role}`);
    const { rows } = await client.query<{ address: string; result: string }>(`
      select nodename || ':' || nodeport as address, result
      from run_command_on_all_nodes('select 1') as answer join pg_dist_node using (nodeid) where not success`);
    return rows.map(({ address, result }) => `${address}: ${result}`);
  } finally {
    await client.query('rollback');
  }
}
