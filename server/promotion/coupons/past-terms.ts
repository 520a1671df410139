// The products and the commission rate of a coupon until a change, for orders that happened before it.
import type { Selectable } from 'kysely';
import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import type { Coupons } from '../../platform/db/schema.gen.ts';
import type { Terms } from './terms.ts';

/** Stores the terms before a change that is made now, when the change is about products or the rate. */
export async function storePastTerms(tx: Tx, before: Selectable<Coupons>, after: Terms): Promise<void> {
  const { programId, id: couponId, productIds, commissionType, commissionRate } = before;
  const rate = commissionRate === null ? null : Number(commissionRate);
  const isSame =
    commissionType === after.commissionType && rate === after.commissionRate && productIds.join() === [...after.productIds].sort().join();
  if (isSame) return;
  const row = { programId, id: tx.ids.uuid(), couponId, validUntil: tx.clock.now(), productIds, commissionType, commissionRate };
  await insertRows(tx, 'couponPastTerms', [row]);
}
