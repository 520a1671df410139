// Distributes the tables of a database over the nodes of its Citus cluster: `migrate --distribute`.
import type pg from 'pg';
import { appRole } from '../app-role.ts';
import { migrationLock } from '../migrate.ts';
import { ClusterFault, findNodeFaults, readCluster } from './cluster.ts';
import { distributeTables } from './distribute-tables.ts';

export type Distributed = { tables: number; nodes: number };

/**
 * Distributes what isn't, in one transaction. Throws ClusterFault and changes nothing if the database has no Citus, a node
 * can't be reached, or the role of the service can't log in there. `isProtected`: whether the service runs as that role.
 */
export async function distribute(pool: pg.Pool, { isProtected }: { isProtected: boolean }): Promise<Distributed> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    const cluster = await readCluster(client);
    if (!cluster) throw new ClusterFault('The database has no Citus: run "create extension citus" on each node, and citus_add_node.');
    const nodes = cluster.nodes.filter(({ isActive }) => isActive);
    if (nodes.length === 0) throw new ClusterFault('The cluster has no nodes: add them with citus_add_node.');
    await requireNodes(client, { isProtected });
    await client.query('begin');
    try {
      const tables = await distributeTables(client);
      await client.query('commit');
      return { tables, nodes: nodes.length };
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  } finally {
    client.release(true); // Ends the session, and with it the lock and the settings.
  }
}

/** Citus connects to other nodes as the role of the session, so the role of the service must be able to log in. */
async function requireNodes(client: pg.ClientBase, { isProtected }: { isProtected: boolean }): Promise<void> {
  const unreachable = await findNodeFaults(client, null);
  if (unreachable.length > 0) throw new ClusterFault(`Nodes of the cluster can't be reached:\n${unreachable.join('\n')}`);
  if (!isProtected) return;
  const isAllowed = await allowLogin(client);
  const rejected = await findNodeFaults(client, appRole);
  if (rejected.length === 0) return;
  if (isAllowed) await client.query(`alter role ${appRole} nologin`);
  throw new ClusterFault(`The role ${appRole} can't log in on every node; see docs/scale.md:\n${rejected.join('\n')}`);
}

/** The role is created without the right to log in. Returns whether it has the right since this call. */
async function allowLogin(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ canLogin: boolean }>('select rolcanlogin as "canLogin" from pg_roles where rolname = $1', [
    appRole,
  ]);
  if (rows[0]?.canLogin) return false;
  await client.query(`alter role ${appRole} login`);
  return true;
}
