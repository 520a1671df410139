// The connections to a cluster for requests and the work on one program, and which statements they prepare.
import type pg from 'pg';

const options = '-c citus.multi_task_query_log_level=error';

/**
 * Connections for requests and the work on one program: a statement on the rows of several programs is an error. A cluster keeps the
 * plan of a statement as long as its connection, even when the table has grown since, so connections have a limited lifetime.
 */
export const forPrograms: pg.PoolConfig = { options, maxLifetimeSeconds: 600 };

/** Whether a pool has these options. */
export function isForPrograms(pool: { options?: string | undefined }): boolean {
  return pool.options === options;
}

/**
 * Whether a cluster plans the prepared statement for unknown values without an error (isForPrograms). It keeps the plans of statements
 * on one table, and plans others with their values each time. An update that reads other tables would be planned for all nodes,
 * which is that error, so it can't be prepared.
 */
export function isReusableOnCluster(text: string): boolean {
  const [command = ''] = /\w+/.exec(text.toLowerCase()) ?? [];
  if (command === 'update') return !/\b(from|select)\b/i.test(text);
  if (command === 'delete') return !/\b(using|select)\b/i.test(text);
  return command !== 'with' || !/\b(update|delete)\b/i.test(text);
}
