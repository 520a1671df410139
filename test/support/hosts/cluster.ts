// The connections of a test's service: one pool, or on a Citus cluster one per node and one for all programs.
import type pg from 'pg';
import { appRole } from '../../../server/platform/db/app-role.ts';
import { openNodePools } from '../../../server/platform/db/cluster/node-pools.ts';
import { forPrograms } from '../../../server/platform/db/cluster/program-options.ts';
import { acrossProgramsOptions } from '../../../server/platform/db/cluster/settings.ts';
import { connect } from '../../../server/platform/db/connect.ts';
import { loadColumnTypes } from '../../../server/platform/db/inserts/column-types.ts';
import type { PoolOfProgram } from '../../../server/platform/db/program-connections.ts';

export type Server = { host: string; port: number };

/** A database, and the workers if it is on a cluster. */
export type Database = Server & { user: string; database: string; workers?: Server[] };

export type TestPools = { pool: pg.Pool; allProgramsPool: pg.Pool | null; poolOf: PoolOfProgram; close(): Promise<void> };

/** Opens the connections with the rights of the service. */
export async function openTestPools(database: Database): Promise<TestPools> {
  const { workers, ...server } = database;
  const limited = { ...server, role: appRole, max: 12 };
  if (!workers) {
    const pool = connect(limited);
    await loadColumnTypes(pool);
    return { pool, allProgramsPool: null, poolOf: () => pool, close: () => pool.end() };
  }
  const pool = connect({ ...limited, ...forPrograms });
  await loadColumnTypes(pool);
  const allProgramsPool = connect({ ...limited, max: 4, options: acrossProgramsOptions });
  const open = (address: string) => {
    const { hostname: host, port } = new URL(`postgres://${address}`);
    return connect({ ...limited, host, port: Number(port), ...forPrograms });
  };
  const nodes = openNodePools({ coordinator: pool, open });
  return {
    pool,
    allProgramsPool,
    poolOf: nodes.poolOf,
    async close() {
      await nodes.close();
      await allProgramsPool.end();
      await pool.end();
    },
  };
}
