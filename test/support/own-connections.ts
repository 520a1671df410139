import type pg from 'pg';
import type { Context } from '../../server/context.ts';
import { appRole } from '../../server/platform/db/app-role.ts';
import { connect, typedQueries } from '../../server/platform/db/connect.ts';

/** Separate connections to the database of `pool`, under the role of the service, for a long run. */
export function openConnections(pool: pg.Pool, max: number): { db: Context['db']; close(): Promise<void> } {
  const { host, port, user, database } = pool.options;
  const own = connect({ host, port, user, database, role: appRole, max });
  return { db: typedQueries(own), close: () => own.end() };
}

/** A connection to the database of `pool` under its role, which can COPY. */
export async function withCopyClient<Result>(pool: pg.Pool, act: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const { host, port, user, database } = pool.options;
  const own = connect({ host, port, user, database, max: 1, pipeline: false });
  const client = await own.connect();
  try {
    return await act(client);
  } finally {
    client.release(true);
    await own.end();
  }
}
