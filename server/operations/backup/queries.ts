import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { DB } from '../../platform/db/schema.gen.ts';

/** Typed queries on one connection, inside the transaction that it has begun. */
export function queriesOf(client: pg.PoolClient): Kysely<DB> {
  const shared = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient;
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { options: {}, connect: async () => shared, end: async () => undefined } }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}
