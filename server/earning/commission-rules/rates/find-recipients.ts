// The active affiliates for whom a change of rules changes the commission, in the order of their ids.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { toOverride } from '../earners/affiliate-at-order.ts';
import type { Rule } from '../terms.ts';
import { type Concerned, type CoveredItem, findRateChanges, listCovered, type RateChanges, type RuleChange } from './rate-changes.ts';

export type Recipient = { id: string; email: string; firstName: string };
type Candidate = Recipient & Concerned;

type Step = { after: string | null; limit: number | null };

/** Active affiliates with the terms that decide about their commission now. */
export async function listCandidates({ db }: Pick<Context, 'db'>, programId: string, { after, limit }: Step): Promise<Candidate[]> {
  let affiliates = db
    .selectFrom('affiliates')
    .select(['id', 'email', 'firstName', 'groupId', 'commissionOverrideType as type', 'commissionOverrideRate as rate'])
    .select(
      sql<boolean>`exists (select from affiliates as recruited
        where recruited.program_id = ${programId} and recruited.parent_affiliate_id = affiliates.id)`.as('hasDownline'),
    )
    .where('programId', '=', programId)
    .where('status', '=', 'active')
    .orderBy('id');
  if (after !== null) affiliates = affiliates.where('id', '>', after);
  if (limit !== null) affiliates = affiliates.limit(limit);
  return (await affiliates.execute()).map(({ type, rate, groupId, ...recipient }) => {
    const override = toOverride(type, rate === null ? null : Number(rate));
    return { ...recipient, earner: { id: recipient.id, groupId, override } };
  });
}

/** What changes for each of them; without those for whom nothing does. Pure. */
export function findAffected(candidates: readonly Candidate[], change: RuleChange): (Recipient & { changed: RateChanges })[] {
  const named = new Set([...change.before, ...change.after].flatMap(({ affiliateId }) => affiliateId ?? []));
  const known = new Map<string, RateChanges | null>();
  return candidates.flatMap(({ earner, hasDownline, ...recipient }) => {
    // Affiliates of one group with the same override have the same commission, unless a rule names one of them.
    const key = JSON.stringify([earner.groupId, earner.override, hasDownline, named.has(earner.id) ? earner.id : null]);
    if (!known.has(key)) known.set(key, findRateChanges({ earner, hasDownline }, change));
    const changed = known.get(key);
    return changed ? [{ ...recipient, changed }] : [];
  });
}

/** What the versions of a rule cover, with the products' names. */
export async function loadCovered({ db }: Pick<Context, 'db'>, programId: string, versions: readonly Rule[]): Promise<CoveredItem[]> {
  const ids = [...new Set(versions.flatMap(({ productId }) => productId ?? []))];
  if (ids.length === 0) return listCovered(versions, []);
  const products = db.selectFrom('products').select(['id', 'name', 'category']).where('programId', '=', programId);
  return listCovered(versions, await products.where('id', 'in', ids).execute());
}
