// The connections to a cluster for requests and the work on one program, and which statements they prepare.

/** For requests and the work on one program: a statement on the rows of several programs is an error. */
export const programOptions = '-c citus.multi_task_query_log_level=error';

/** Whether a pool has these options. */
export function isForPrograms({ options }: { options?: string | undefined }): boolean {
  return options === programOptions;
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
