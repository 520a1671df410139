// Queries as named statements, so that a long run plans each text once per connection instead of every time.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Context } from '../../server/context.ts';
import { appRole } from '../../server/platform/db/app-role.ts';
import { connect, typedQueries } from '../../server/platform/db/connect.ts';

/** Connections of their own to the database of `pool`, under the role of the service. */
export function prepareQueries(pool: pg.Pool, max: number): { db: Context['db']; close(): Promise<void> } {
  const { host, port, user, database } = pool.options;
  const prepared = connect({ host, port, user, database, role: appRole, max });
  prepared.on('connect', (client) => {
    const plain = client.query.bind(client) as (...given: unknown[]) => unknown;
    const named = (text: unknown, values?: unknown, ...rest: unknown[]) =>
      typeof text === 'string' && Array.isArray(values) && values.length > 0
        ? plain({ name: createHash('md5').update(text).digest('hex'), text, values }, ...rest)
        : plain(text, values, ...rest);
    Object.assign(client, { query: named });
  });
  return { db: typedQueries(prepared), close: () => prepared.end() };
}
