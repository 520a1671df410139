// Emails that are written already: a job that runs again leaves them out.
import type { Tx } from '../../context.ts';

/** Those of the changes whose email is written. */
export async function findWritten({ db }: Pick<Tx, 'db'>, programId: string, changeIds: readonly string[]): Promise<ReadonlySet<string>> {
  const emails = db.selectFrom('emails').select('auditId').where('programId', '=', programId).where('auditId', 'in', changeIds);
  return new Set((await emails.execute()).map(({ auditId }) => auditId));
}

type Addressed = { programId: string; changeId: string; affiliateIds: readonly string[] };

/** Those of the affiliates to whom the email about this change is written. */
export async function findWrittenTo(
  { db }: Pick<Tx, 'db'>,
  { programId, changeId, affiliateIds }: Addressed,
): Promise<ReadonlySet<string>> {
  if (affiliateIds.length === 0) return new Set();
  const emails = db.selectFrom('emails').select('affiliateId').where('programId', '=', programId).where('auditId', '=', changeId);
  const rows = await emails.where('affiliateId', 'in', affiliateIds).execute();
  return new Set(rows.flatMap(({ affiliateId }) => affiliateId ?? []));
}
