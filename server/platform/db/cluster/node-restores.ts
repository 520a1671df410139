// Notices that a node of a cluster was restored, or that a standby took over from it: commits of its programs may be missing.
// The coordinator remembers which node stores each shard, so that a program that was moved is not mistaken for a restored one.
import { type Kysely, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { DB } from '../schema.gen.ts';

/** The server of a node, its timeline and its database. Their tables are created again when Citus copies its metadata. */
const nodeIdentity = `select concat_ws('.', (pg_control_system()).system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
  (select oid from pg_database where datname = current_database()))`;

const shardOf = (programId: string) => sql`get_shard_id_for_distribution_column('affiliates', ${programId}::uuid)`;

/** How often what is stored with the program was restored. 0 on one PostgreSQL, which has its identity instead. */
export async function countRestores(ctx: Pick<Context, 'db' | 'allProgramsDb'>, programId: string): Promise<number> {
  const { allProgramsDb: coordinator } = ctx;
  if (coordinator) return (await findUnchanged(ctx.db, coordinator, programId)) ?? (await recount(coordinator, programId));
  // A command has one connection, to the coordinator.
  const { rows } = await sql`select from shard_nodes where restores > 0 limit 1`.execute(ctx.db);
  return rows.length === 0 ? 0 : readRestores(ctx.db, programId);
}

/** The programs on nodes that were restored, with how often. Empty on one PostgreSQL. */
export async function listRestores({ allProgramsDb: coordinator }: Pick<Context, 'allProgramsDb'>): Promise<ReadonlyMap<string, number>> {
  if (!coordinator) return new Map();
  await recordNodes(coordinator);
  const { rows } = await sql<{ programId: string; restores: number }>`
    select id as program_id, restores from programs
    join shard_nodes on shard_id = get_shard_id_for_distribution_column('affiliates', id) where restores > 0`.execute(coordinator);
  return new Map(rows.map(({ programId, restores }) => [programId, restores]));
}

/** The count if `db` is connected to the node that stored the program when nodes were recorded last; null otherwise. */
async function findUnchanged(db: Kysely<DB>, coordinator: Kysely<DB>, programId: string): Promise<number | null> {
  const { rows: here } = await sql<{ groupId: number; identity: string }>`
    select groupid as "groupId", (${sql.raw(nodeIdentity)}) as identity from pg_dist_local_group`.execute(db);
  const { rows } = await sql<{ restores: number }>`
    select restores from shard_nodes
    join pg_dist_placement as place on place.shardid = shard_id
    join pg_dist_node as node on node.groupid = place.groupid and node.nodeid = node_id and node.noderole = 'primary'
    where shard_id = ${shardOf(programId)} and place.groupid = ${here[0]?.groupId} and node_identity = ${here[0]?.identity}`.execute(
    coordinator,
  );
  return rows[0]?.restores ?? null;
}

async function recount(coordinator: Kysely<DB>, programId: string): Promise<number> {
  await recordNodes(coordinator);
  return readRestores(coordinator, programId);
}

async function readRestores(coordinator: Kysely<DB>, programId: string): Promise<number> {
  const { rows } = await sql<{ restores: number }>`select restores from shard_nodes where shard_id = ${shardOf(programId)}`.execute(
    coordinator,
  );
  return rows[0]?.restores ?? 0;
}

/**
 * Records where each shard is, and counts those whose node changed without a move: a shard was moved if the node that stored it is
 * still the same. Nodes that don't respond are left out.
 */
async function recordNodes(coordinator: Kysely<DB>): Promise<void> {
  await sql`
    with present as materialized (
      select nodeid, result as identity from run_command_on_all_nodes(${sql.lit(nodeIdentity)}) where success
    )
    insert into shard_nodes as known (shard_id, node_id, node_identity)
    select shardid, nodeid, identity from pg_dist_shard join pg_dist_placement using (shardid)
    join pg_dist_node as node using (groupid) join present using (nodeid)
    where logicalrelid = 'affiliates'::regclass and noderole = 'primary'
    on conflict on constraint shard_nodes_pkey do update
    set node_id = excluded.node_id, node_identity = excluded.node_identity, restores = known.restores + case
      when known.node_id <> excluded.node_id
        and exists (select from present where nodeid = known.node_id and identity = known.node_identity) then 0 else 1 end
    where (known.node_id, known.node_identity) <> (excluded.node_id, excluded.node_identity)`.execute(coordinator);
}
