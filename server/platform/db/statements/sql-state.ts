// Which error a statement failed with.

/** read_only_sql_transaction: the server has become a standby, so the transaction wrote nothing. */
export const readOnly = '25006';

/** The SQLSTATE of a PostgreSQL error, or the code of a Node socket error, or ''. */
export function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
