// The terms of coupons in forms, and the requests they become. Pure.
import type { Input, Result } from '../../api/call.ts';
import { pickChanges } from '../../states/edit/merge.ts';
import { addDays, dayOf, startOfDay } from '../../ui/figures/days.ts';

export type Coupon = Result<'coupons.get'>;

/** The reads that a change of a coupon affects. */
export const affected = ['coupons.list', 'coupons.get', 'coupons.usage'] as const;

export const rateKinds = ['none', 'percentage', 'flat'] as const;
export type RateKind = (typeof rateKinds)[number];
export const policies = ['always', 'only_without_click', 'never_over_click'] as const;

export type TermValues = {
  discount: RateKind;
  discountRate: number | null;
  discountCents: number | null;
  minOrderCents: number | null;
  startsOn: string | null;
  endsOn: string | null;
  maxRedemptions: string;
  creditPolicy: (typeof policies)[number] | null;
  commission: RateKind;
  commissionRate: number | null;
  commissionCents: number | null;
  productIds: readonly string[];
};

export const emptyTerms: TermValues = {
  discount: 'percentage',
  discountRate: null,
  discountCents: null,
  minOrderCents: null,
  startsOn: null,
  endsOn: null,
  maxRedemptions: '',
  creditPolicy: 'always',
  commission: 'none',
  commissionRate: null,
  commissionCents: null,
  productIds: [],
};

type Body = NonNullable<Input<'coupons.update'>['body']>;

/** The initial values of the form of an existing coupon. The last day is included. */
export function toValues(coupon: Coupon, timezone: string): TermValues {
  return {
    discount: coupon.discountType ?? 'none',
    discountRate: coupon.discountRate,
    discountCents: coupon.discountCents,
    minOrderCents: coupon.minOrderCents,
    startsOn: coupon.startsAt === null ? null : dayOf(Date.parse(coupon.startsAt), timezone),
    endsOn: coupon.endsAt === null ? null : dayOf(Date.parse(coupon.endsAt) - 1, timezone),
    maxRedemptions: coupon.maxRedemptions?.toString() ?? '',
    creditPolicy: coupon.creditPolicy,
    commission: coupon.commissionType ?? 'none',
    commissionRate: coupon.commissionRate,
    commissionCents: coupon.commissionCents,
    productIds: coupon.productIds,
  };
}

/** The terms that the form describes, with days in the time zone of the program. */
export function toTerms(values: TermValues, timezone: string) {
  const { discount, commission, startsOn, endsOn, maxRedemptions } = values;
  return {
    discountType: discount === 'none' ? null : discount,
    discountRate: discount === 'percentage' ? values.discountRate : null,
    discountCents: discount === 'flat' ? values.discountCents : null,
    minOrderCents: values.minOrderCents,
    startsAt: startsOn === null ? null : startOfDay(startsOn, timezone),
    endsAt: endsOn === null ? null : startOfDay(addDays(endsOn, 1), timezone),
    maxRedemptions: maxRedemptions.trim() === '' ? null : Number(maxRedemptions.replace(/[\s.,]/g, '')),
    creditPolicy: values.creditPolicy ?? 'always',
    commissionType: commission === 'none' ? null : commission,
    commissionRate: commission === 'percentage' ? values.commissionRate : null,
    commissionCents: commission === 'flat' ? values.commissionCents : null,
    productIds: [...values.productIds].sort(),
  } satisfies Body;
}

/** The terms that differ, so that an unchanged end keeps its time of day. */
export function toUpdate(saved: TermValues, values: TermValues, timezone: string): Body {
  return pickChanges(toTerms(saved, timezone), toTerms(values, timezone));
}
