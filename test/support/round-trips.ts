// Counts the round trips to the database.
import type pg from 'pg';

/** Returns how many times the pool's connections have sent statements while they waited for no result. */
export function countRoundTrips(pool: pg.Pool): () => number {
  let roundTrips = 0;
  pool.on('connect', (client) => {
    const { query } = client;
    let waiting = 0;
    const counted = (sent: pg.QueryConfig): Promise<pg.QueryResult> => {
      if (waiting === 0) roundTrips += 1;
      waiting += 1;
      return Reflect.apply(query, client, [sent]).finally(() => {
        waiting -= 1;
      });
    };
    Object.assign(client, { query: counted });
  });
  return () => roundTrips;
}
