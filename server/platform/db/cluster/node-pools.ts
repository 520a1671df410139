// Connections to the nodes of a cluster. A program's requests connect to the node that stores it: the coordinator would
// plan each statement again, and would have to pass on every row.
import type pg from 'pg';
import type { PoolOfProgram } from '../program-connections.ts';

/** For this long, a known place is not read again. After a move, the old node passes statements on, only slower. */
const knownForMs = 5000;
const maxKnown = 10_000;

export type NodePools = { poolOf: PoolOfProgram; close(): Promise<void> };

type Place = { address: string; readAtMs: number };
type Opening = {
  /** The pool of the coordinator, which knows where programs are. */
  coordinator: pg.Pool;
  /** Opens a pool of the node at `host:port`. */
  open(address: string): pg.Pool;
};

/** Pools of the nodes, which are opened when they are needed. */
export function openNodePools({ coordinator, open }: Opening): NodePools {
  const pools = new Map<string, pg.Pool>();
  const places = new Map<string, Place>();
  const find = async (programId: string): Promise<string> => {
    const known = places.get(programId);
    if (known && performance.now() - known.readAtMs < knownForMs) return known.address;
    try {
      const address = await readPlace(coordinator, programId);
      if (places.size >= maxKnown) places.clear();
      places.set(programId, { address, readAtMs: performance.now() });
      return address;
    } catch (error) {
      // The programs of the other nodes are served while the coordinator doesn't respond.
      if (known) return known.address;
      throw error;
    }
  };
  const poolAt = (address: string): pg.Pool => {
    const pool = pools.get(address) ?? open(address);
    pools.set(address, pool);
    return pool;
  };
  return {
    poolOf: (programId) => ({
      options: coordinator.options,
      async connect() {
        const address = await find(programId);
        try {
          return await poolAt(address).connect();
        } catch (error) {
          places.delete(programId);
          throw error;
        }
      },
    }),
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

/** The address of the node that stores the program. All tables are distributed alike, so one table shows it. */
async function readPlace(coordinator: pg.Pool, programId: string): Promise<string> {
  const { rows } = await coordinator.query<{ address: string }>({
    name: 'place of a program',
    text: `select nodename || ':' || nodeport as address from pg_dist_placement join pg_dist_node using (groupid)
      where shardid = get_shard_id_for_distribution_column('affiliates', $1::uuid) and noderole = 'primary'`,
    values: [programId],
  });
  const [place] = rows;
  if (!place) throw new Error('No node of the cluster stores the program.');
  return place.address;
}

/** The URL of the same database on another server. */
export function toNodeUrl(databaseUrl: string, address: string): string {
  const url = new URL(databaseUrl);
  url.host = address;
  return url.href;
}
