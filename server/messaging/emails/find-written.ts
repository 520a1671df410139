import type { Tx } from '../../context.ts';

/** Those of the changes whose email is written: a job that runs again leaves them out. */
export async function findWritten({ db }: Pick<Tx, 'db'>, programId: string, changeIds: readonly string[]): Promise<ReadonlySet<string>> {
  const emails = db.selectFrom('emails').select('auditId').where('programId', '=', programId).where('auditId', 'in', changeIds);
  return new Set((await emails.execute()).map(({ auditId }) => auditId));
}
