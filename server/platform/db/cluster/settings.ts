// Settings of connections to a Citus cluster.

const shared = [
  // Shared tables are registers and rows of one user, whose changes don't depend on their order. Otherwise each upsert
  // would lock the whole table on every node, and require the right to change rows.
  'citus.all_modifications_commutative=on',
];

/** For requests and the work on one program: a statement on the rows of several programs is an error. */
export const programOptions = toOptions([...shared, 'citus.multi_task_query_log_level=error']);

/** For what concerns all programs. */
export const acrossProgramsOptions = toOptions(shared);

function toOptions(settings: readonly string[]): string {
  return settings.map((setting) => `-c ${setting}`).join(' ');
}
