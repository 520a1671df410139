// The terms that determined an affiliate's commissions before a change, so that earlier orders are still paid by them.
import type { Selectable } from 'kysely';
import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import type { Affiliates } from '../../platform/db/schema.gen.ts';

const fields = ['status', 'groupId', 'parentAffiliateId', 'commissionOverrideType', 'commissionOverrideRate'] as const;
export type PastTerms = Pick<Selectable<Affiliates>, 'programId' | 'id' | (typeof fields)[number]>;

export function isSameTerms(before: PastTerms, after: PastTerms): boolean {
  return fields.every((field) => before[field] === after[field]);
}

/** Stores the terms of affiliates as they were before a change that is made now. */
export async function storePastTerms(tx: Tx, affiliates: readonly PastTerms[]): Promise<void> {
  const rows = affiliates.map(({ programId, id: affiliateId, ...before }) => ({
    programId,
    id: tx.ids.uuid(),
    affiliateId,
    validUntil: tx.clock.now(),
    status: before.status,
    groupId: before.groupId,
    parentAffiliateId: before.parentAffiliateId,
    commissionOverrideType: before.commissionOverrideType,
    commissionOverrideRate: before.commissionOverrideRate,
  }));
  await insertRows(tx, 'affiliatePastTerms', rows);
}
