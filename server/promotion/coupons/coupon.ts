// A coupon: a code whose orders are credited to one affiliate. The code and the affiliate never change, so that a code
// never credits another affiliate. An archived coupon credits no orders, and its code stays reserved.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { toVersion, versionExample, versionOut } from '../../accounts/programs/version.ts';
import type { Tx } from '../../context.ts';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import type { Coupons } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { ProductReference } from '../catalogue/reference.ts';
import { CreditPolicy, RateType, type Terms } from './terms.ts';

export const StoredCouponStatus = z.enum(['active', 'archived']);
export const CouponStatus = z.enum(['active', 'expired', 'archived']).meta({ id: 'CouponStatus' });
type CouponStatus = z.output<typeof CouponStatus>;

export const CouponShape = z
  .object({
    id: uuidOut,
    code: z.string(),
    affiliateId: uuidOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    status: CouponStatus.describe('An active coupon is shown as `expired` once `endsAt` has passed.'),
    discountType: RateType.nullable(),
    discountRate: z.number().nullable().describe('In percent; for type `percentage`.'),
    discountCents: centsOut.nullable().describe('For `flat`.'),
    minOrderCents: centsOut.nullable(),
    currency: currencyOut,
    productIds: z.array(uuidOut).describe('The products that the coupon is valid for; empty means all.'),
    products: z.array(ProductReference).optional().describe('Included with `?expand=products`.'),
    startsAt: timestampOut.nullable(),
    endsAt: timestampOut.nullable(),
    maxRedemptions: countOut.nullable(),
    redemptions: countOut.describe('The number of orders credited through the coupon.'),
    creditPolicy: CreditPolicy,
    commissionType: RateType.nullable(),
    commissionRate: z.number().nullable().describe('In percent; for type `percentage`.'),
    commissionCents: centsOut.nullable().describe('The amount per order; for type `flat`.'),
    externalId: z.string().nullable().describe("The coupon's id in the store."),
    leakSuspectedAt: timestampOut.nullable().describe('When orders with this coupon first suggested that the code was leaked.'),
    version: versionOut,
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({
    id: 'Coupon',
    example: {
      id: '01980a52-1f00-7b10-a3c4-6d7e8f901a2b',
      code: 'ADA20',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      status: 'active',
      discountType: 'percentage',
      discountRate: 20,
      discountCents: null,
      minOrderCents: 2500,
      currency: 'USD',
      productIds: [],
      startsAt: null,
      endsAt: '2026-12-31T23:59:59.000Z',
      maxRedemptions: 500,
      redemptions: 17,
      creditPolicy: 'always',
      commissionType: null,
      commissionRate: null,
      commissionCents: null,
      externalId: null,
      leakSuspectedAt: null,
      version: versionExample,
      createdAt: '2026-11-02T09:30:00.000Z',
      updatedAt: '2026-11-02T09:30:00.000Z',
    },
  });

type Row = Selectable<Coupons>;

export const couponSlot = idSlot('coupons', 'The id of the coupon.');

export const unknownCouponProduct = {
  status: 404,
  code: 'not_found',
  when: 'An id in `productIds` was not found in this program.',
} as const;

/** Locks the coupon for a change. Throws when it does not exist; the path was checked before. */
export function lockCoupon(tx: Tx, programId: string, id: string): Promise<Row> {
  const coupons = tx.db.selectFrom('coupons').selectAll().where('programId', '=', programId);
  return coupons.where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/** The terms of a row, with rates as numbers. */
export function toTerms(row: Row): Terms {
  const commissionType = RateType.nullable().parse(row.commissionType);
  const rate = row.commissionRate === null ? null : Number(row.commissionRate);
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
    commissionType,
    commissionRate: commissionType === 'flat' ? null : rate,
    commissionCents: commissionType === 'flat' ? rate : null,
    externalId: row.externalId,
  };
}

/** The columns that store these terms. One column holds the commission of either type. */
export function toColumns({ commissionCents, commissionRate, ...terms }: Terms) {
  return { ...terms, commissionRate: commissionRate ?? commissionCents };
}

type Related = {
  affiliate?: z.input<typeof AffiliateReference> | undefined;
  products?: z.input<typeof ProductReference>[] | undefined;
};

export function toCoupon(row: Row, { currency, now }: { currency: string; now: Date }, related: Related = {}): z.input<typeof CouponShape> {
  const { startsAt, endsAt, ...terms } = toTerms(row);
  return {
    ...terms,
    id: row.id,
    code: row.code,
    affiliateId: row.affiliateId,
    affiliate: related.affiliate,
    products: related.products,
    status: toStatus(row, now),
    currency,
    redemptions: row.redemptions,
    startsAt: startsAt?.toISOString() ?? null,
    endsAt: endsAt?.toISOString() ?? null,
    leakSuspectedAt: row.leakSuspectedAt?.toISOString() ?? null,
    version: versionOf(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The version of the fields of a coupon that can be edited. */
export function versionOf(row: Row): string {
  const terms = toTerms(row);
  const names = (Object.keys(terms) as (keyof Terms)[]).sort();
  return toVersion([row.status, ...names.map((name) => terms[name])]);
}

function toStatus({ status, endsAt }: Row, now: Date): CouponStatus {
  if (status === 'archived') return 'archived';
  return endsAt !== null && endsAt <= now ? 'expired' : 'active';
}
