// Which error a statement failed with.

/** The SQLSTATE of a PostgreSQL error, or the code of a Node socket error, or ''. */
export function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
