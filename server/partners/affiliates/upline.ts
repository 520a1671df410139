// Uplines for 2-tier commissions: same program, not oneself, no loop (decisions §1).
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import { Invalid } from '../../platform/lib/errors.ts';

/** Refuses an upline that isn't an affiliate of the program. */
export function requireUpline(tx: Tx, programId: string, parentAffiliateId: string): Promise<void> {
  return requireRow(tx, { table: 'affiliates', programId, id: parentAffiliateId, field: 'parentAffiliateId' });
}

/** Two changes at once could close a loop that neither sees: uplines change one at a time per program. */
export async function lockUplines(tx: Tx, programId: string): Promise<void> {
  await tx.db.selectFrom('programs').select('id').where('id', '=', programId).forNoKeyUpdate().execute();
}

/** Refuses (400) an upline that stands below the affiliate. Call under `lockUplines`. */
export async function refuseLoop(tx: Tx, programId: string, affiliateId: string, parentAffiliateId: string): Promise<void> {
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
