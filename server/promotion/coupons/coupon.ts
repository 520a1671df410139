// A coupon: a code whose orders are credited to one affiliate. Its code and its affiliate never change,
// so that nobody's code can become somebody else's.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import type { Coupons } from '../../platform/db/schema.gen.ts';
import type { Slot } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { CreditPolicy, RateType, type Terms } from './terms.ts';

export const CouponStatus = z.enum(['active', 'disabled', 'expired']).meta({ id: 'CouponStatus' });

export const CouponShape = z
  .object({
    id: uuidOut,
    code: z.string(),
    affiliateId: uuidOut,
    status: CouponStatus.describe('`expired` follows from `endsAt`.'),
    discountType: RateType.nullable(),
    discountRate: z.number().nullable().describe('Percent, for `percentage`.'),
    discountCents: centsOut.nullable().describe('For `flat`.'),
    minOrderCents: centsOut.nullable(),
    productIds: z.array(uuidOut).describe('Products it is for; empty means all.'),
    startsAt: timestampOut.nullable(),
    endsAt: timestampOut.nullable(),
    maxRedemptions: countOut.nullable(),
    redemptions: countOut.describe('Orders that were credited by it.'),
    creditPolicy: CreditPolicy,
    commissionType: RateType.nullable(),
    commissionRate: z.number().nullable().describe('Percent, or cents for `flat`.'),
    externalId: z.string().nullable(),
    leakSuspectedAt: timestampOut.nullable().describe('When its orders first looked as if the code had been passed around.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Coupon' });

type Row = Selectable<Coupons>;

/** `:id` of a coupon; a deleted one is gone. */
export const couponSlot: Slot = {
  ...idSlot('coupons', 'The id of the coupon.'),
  async exists(ctx, programId, id) {
    const coupons = ctx.db.selectFrom('coupons').select('id').where('programId', '=', programId).where('deletedAt', 'is', null);
    return (await coupons.where('id', '=', id).executeTakeFirst()) !== undefined;
  },
};

/** Locks the coupon for a change. Throws NotFound when it was deleted meanwhile. */
export async function lockCoupon(tx: Tx, programId: string, id: string): Promise<Row> {
  const coupons = tx.db.selectFrom('coupons').selectAll().where('programId', '=', programId).where('deletedAt', 'is', null);
  const coupon = await coupons.where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!coupon) throw new NotFound();
  return coupon;
}

/** The terms of a row, its numbers as numbers. */
export function termsOf(row: Row): Terms {
  return {
    discountType: RateType.nullable().parse(row.discountType),
    discountRate: row.discountRate === null ? null : Number(row.discountRate),
    discountCents: row.discountCents,
    minOrderCents: row.minOrderCents,
    productIds: row.productIds,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    maxRedemptions: row.maxRedemptions,
    creditPolicy: CreditPolicy.parse(row.creditPolicy),
    commissionType: RateType.nullable().parse(row.commissionType),
    commissionRate: row.commissionRate === null ? null : Number(row.commissionRate),
    externalId: row.externalId,
  };
}

export function toCoupon(row: Row, now: Date): z.input<typeof CouponShape> {
  return {
    ...row,
    ...termsOf(row),
    status: row.status === 'disabled' ? 'disabled' : row.endsAt !== null && row.endsAt <= now ? 'expired' : 'active',
    startsAt: row.startsAt?.toISOString() ?? null,
    endsAt: row.endsAt?.toISOString() ?? null,
    leakSuspectedAt: row.leakSuspectedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
