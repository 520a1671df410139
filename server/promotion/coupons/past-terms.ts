// The products and the commission of a coupon before a change, for orders that occurred before it.
import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import type { Coupons } from '../../platform/db/schema.gen.ts';
import { toColumns, toTerms } from './coupon.ts';
import type { Terms } from './terms.ts';

/** Stores the terms before a change made now, if the change affects the products or the commission. */
export async function storePastTerms(tx: Tx, before: Selectable<Coupons>, after: Terms): Promise<void> {
  if (isDeepStrictEqual(toPaidTerms(toTerms(before)), toPaidTerms(after))) return;
  const { programId, id: couponId, productIds, commissionType, commissionRate } = before;
  const row = { programId, id: tx.ids.uuid(), couponId, validUntil: tx.clock.now(), productIds, commissionType, commissionRate };
  await insertRows(tx, 'couponPastTerms', [row]);
}

function toPaidTerms(terms: Terms) {
  const { commissionType, commissionRate, productIds } = toColumns(terms);
  return { commissionType, commissionRate, productIds: productIds.toSorted() };
}
