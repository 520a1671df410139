// Uplines for 2-tier commissions: an affiliate of the same program, not the affiliate itself, without cycles.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import { Invalid } from '../../platform/lib/errors.ts';

/** Rejects an upline of another program (404). */
export function requireUpline(tx: Tx, programId: string, parentAffiliateId: string): Promise<void> {
  return requireRow(tx, { table: 'affiliates', programId, id: parentAffiliateId, field: 'parentAffiliateId' });
}

/** Serialises changes of uplines in a program: two at once could close a cycle that neither of them sees. */
export async function lockUplines(tx: Tx, programId: string): Promise<void> {
  await tx.db.selectFrom('programs').select('id').where('id', '=', programId).forNoKeyUpdate().execute();
}

/** Rejects (400) an upline from the affiliate's own downline. Call under `lockUplines`. */
export async function rejectCycle(tx: Tx, programId: string, affiliateId: string, parentAffiliateId: string): Promise<void> {
  const { rows } = await sql`
    with recursive chain (id) as (
      select ${parentAffiliateId}::uuid
      union
      select affiliate.parent_affiliate_id
      from chain join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = chain.id
      where affiliate.parent_affiliate_id is not null
    )
    select 1 from chain where id = ${affiliateId}`.execute(tx.db);
  if (rows.length > 0) throw new Invalid([{ path: ['parentAffiliateId'], message: "must not be in this affiliate's own downline" }]);
}
