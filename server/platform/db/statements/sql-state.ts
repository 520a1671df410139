// Which error a statement failed with.

/** read_only_sql_transaction: the server has become a standby, so the transaction wrote nothing. */
export const readOnly = '25006';

const lostNode = /EOF detected|closed the connection unexpectedly|failure on connection marked as essential/;

/**
 * Whether a cluster rolled the transaction back because another node was lost, which it reports as an internal error. What it has
 * committed, it reports as a warning.
 */
export function isNodeLost(error: unknown): boolean {
  return sqlState(error) === 'XX000' && error instanceof Error && lostNode.test(error.message);
}

/** Whether a cluster lost another node while it committed, so that it isn't known what that node committed. */
export function isCommitUnknown(error: unknown): boolean {
  return sqlState(error) === 'XX000' && error instanceof Error && error.message.startsWith('could not commit transaction for shard');
}

/** Whether a cluster can't answer because another node doesn't respond, or was lost. */
export function isNodeDown(error: unknown): boolean {
  return isNodeLost(error) || (sqlState(error).startsWith('08') && error instanceof Error && error.message.includes('remote node'));
}

/** The SQLSTATE of a PostgreSQL error, or the code of a Node socket error, or ''. */
export function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
