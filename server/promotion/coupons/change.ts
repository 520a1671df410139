// Changes the terms of a coupon, or archives it.
import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import { requireVersion } from '../../accounts/programs/version.ts';
import type { Tx } from '../../context.ts';
import { type EventOrigin, recordEvent } from '../../messaging/events/record.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import type { Coupons } from '../../platform/db/schema.gen.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { lockCoupon, toColumns, toTerms, versionOf } from './coupon.ts';
import { couponDisabled, toCouponEvent } from './events.ts';
import { findTermFaults, type GivenTerms, mergeTerms, requireProducts, type Terms } from './terms.ts';

type CouponChange = GivenTerms & { id: string; status?: 'active' | 'archived' | undefined };
type Options = { seenVersion?: string | undefined };

/** Changes the given fields of a coupon, for the endpoint and the coupon sync of a store. Throws Invalid, NotFound and Outdated. */
export async function changeCoupon(
  tx: Tx,
  actor: Actor & { programId: string },
  { id, status, ...given }: CouponChange,
  { seenVersion }: Options = {},
): Promise<Selectable<Coupons>> {
  const { programId } = actor;
  const before = await lockCoupon(tx, programId, id);
  const object = { programId, id, version: versionOf(before), noun: 'coupon', code: 'stale_coupon' };
  await requireVersion(tx, object, seenVersion);
  const present = toTerms(before);
  const terms = mergeTerms(present, given);
  const faults = findTermFaults(terms);
  if (faults.length > 0) throw new Invalid(faults);
  await requireProducts(tx, programId, given.productIds);
  const change = difference({ ...present, status: before.status }, { ...terms, status });
  if (!change) return before;
  await storePastTerms(tx, before, terms);
  const coupon = await tx.db
    .updateTable('coupons')
    .set({ ...toColumns(terms), status: status ?? before.status, updatedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordValues(tx, 'coupons', programId, [id]);
  await recordChange(tx, { programId, actor, action: 'coupon.updated', subjectId: id, ...change });
  if (coupon.status === 'archived' && before.status !== 'archived') await announceDisabled(tx, { programId, actor }, coupon, change.before);
  return coupon;
}

/**
 * Stores the products and the commission before a change made now, for orders that occurred before it. Does nothing if the
 * change affects neither.
 */
async function storePastTerms(tx: Tx, before: Selectable<Coupons>, after: Terms): Promise<void> {
  if (isDeepStrictEqual(toPaidTerms(toTerms(before)), toPaidTerms(after))) return;
  const { programId, id: couponId, productIds, commissionType, commissionRate } = before;
  const row = { programId, id: tx.ids.uuid(), couponId, validUntil: tx.clock.now(), productIds, commissionType, commissionRate };
  await insertRows(tx, 'couponPastTerms', [row]);
}

function toPaidTerms(terms: Terms) {
  const { commissionType, commissionRate, productIds } = toColumns(terms);
  return { commissionType, commissionRate, productIds: productIds.toSorted() };
}

async function announceDisabled(
  tx: Tx,
  origin: EventOrigin,
  coupon: Selectable<Coupons>,
  previous: Record<string, unknown>,
): Promise<void> {
  const programs = tx.db.selectFrom('programs').select('currency').where('id', '=', origin.programId);
  const { currency } = await programs.executeTakeFirstOrThrow();
  await recordEvent(tx, origin, toCouponEvent(tx, couponDisabled, { coupon, currency, previous }));
}
