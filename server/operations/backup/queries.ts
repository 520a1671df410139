import type { Kysely } from 'kysely';
import type pg from 'pg';
import { queriesOn } from '../../platform/db/connect.ts';
import type { DB } from '../../platform/db/schema.gen.ts';

/** Typed queries on one connection, inside the transaction that it has begun. */
export function queriesOf(client: pg.PoolClient): Kysely<DB> {
  const shared = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient;
  return queriesOn({ options: {}, connect: async () => shared, end: async () => undefined });
}
