// The terms of a coupon: the discount, its validity, and the commission it pays. Each field has its own rule;
// `findTermFaults` finds contradictions between fields that are valid on their own.
import { z } from 'zod';
import { percentUpTo } from '../../accounts/programs/settings.ts';
import type { Tx } from '../../context.ts';
import { cents, line, logged, timestampIn, uuid } from '../../platform/http/declaration/fields.ts';
import { type Detail, NotFound } from '../../platform/lib/errors.ts';

export const RateType = z.enum(['percentage', 'flat']).meta({ id: 'CouponRateType' });
export const CreditPolicy = z.enum(['always', 'only_without_click', 'never_over_click']).meta({ id: 'CouponCreditPolicy' });

const percent = percentUpTo(100);
const redemptionRange = 'must be a whole number from 1 to 1000000000';

const termSchemas = {
  discountType: RateType.nullable(),
  discountRate: percent.nullable().describe('In percent; only for type `percentage`.'),
  discountCents: cents.nullable().describe('Only for type `flat`.'),
  minOrderCents: cents.nullable().describe('The coupon does not credit orders below this amount.'),
  productIds: z
    .array(uuid)
    .max(200)
    .transform((ids) => [...new Set(ids)].sort())
    .describe(
      'The products that the coupon is valid for; empty means all. The coupon does not credit orders that contain none of these ' +
        'products, and its commission applies only to order lines of these products; other lines are paid by the commission rules.',
    )
    .meta({ json: { type: 'array', maxItems: 200, items: { type: 'string', format: 'uuid' } } }),
  startsAt: timestampIn.nullable(),
  endsAt: timestampIn.nullable().describe('The coupon expires at this time.'),
  maxRedemptions: z.int(redemptionRange).min(1, redemptionRange).max(1_000_000_000, redemptionRange).nullable(),
  creditPolicy: CreditPolicy.describe(
    'Whether the coupon or a click is credited when the customer also clicked a link: `always`, the coupon; `only_without_click`, the ' +
      'click; `never_over_click`, the click if it belongs to another affiliate.',
  ),
  commissionType: RateType.nullable().describe(
    'Overrides the commission of orders that contain this coupon and are credited to its affiliate, regardless of the signal. ' +
      'Must be sent together with `commissionRate` or `commissionCents`.',
  ),
  commissionRate: percent.nullable().describe('In percent; only for type `percentage`.'),
  commissionCents: cents.nullable().describe('The amount per order (500 is $5.00); only for type `flat`.'),
  externalId: logged(line(200)).nullable().describe("The coupon's id in the store."),
};

const AllTerms = z.object(termSchemas);
export type Terms = z.output<typeof AllTerms>;

/** The fields of a request; all can be omitted. */
export const termFields = AllTerms.partial().shape;
const GivenTerms = z.object(termFields);
export type GivenTerms = z.output<typeof GivenTerms>;

export const noTerms: Terms = {
  discountType: null,
  discountRate: null,
  discountCents: null,
  minOrderCents: null,
  productIds: [],
  startsAt: null,
  endsAt: null,
  maxRedemptions: null,
  creditPolicy: 'always',
  commissionType: null,
  commissionRate: null,
  commissionCents: null,
  externalId: null,
};

/** The terms after a change. A new type clears the amounts of the previous one, unless they are sent with it. */
export function mergeTerms(before: Terms, given: GivenTerms): Terms {
  const isRetyped = (field: 'discountType' | 'commissionType') => given[field] !== undefined && given[field] !== before[field];
  const discount = isRetyped('discountType') ? { ...before, discountRate: null, discountCents: null } : before;
  const base = isRetyped('commissionType') ? { ...discount, commissionRate: null, commissionCents: null } : discount;
  return { ...base, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}

/** Contradictions between the terms. */
export function findTermFaults(terms: Terms): Detail[] {
  const { discountType, discountRate, discountCents, commissionType, commissionRate, commissionCents, startsAt, endsAt } = terms;
  const faults: Detail[] = [];
  const check = (isFault: boolean, field: keyof Terms, message: string) => isFault && faults.push({ path: [field], message });
  check(discountType === 'percentage' && discountRate === null, 'discountRate', 'is required when `discountType` is `percentage`');
  check(discountType !== 'percentage' && discountRate !== null, 'discountRate', 'is only allowed when `discountType` is `percentage`');
  check(discountType === 'flat' && discountCents === null, 'discountCents', 'is required when `discountType` is `flat`');
  check(discountType !== 'flat' && discountCents !== null, 'discountCents', 'is only allowed when `discountType` is `flat`');
  check(commissionType === 'percentage' && commissionRate === null, 'commissionRate', 'is required when `commissionType` is `percentage`');
  check(
    commissionType !== 'percentage' && commissionRate !== null,
    'commissionRate',
    'is only allowed when `commissionType` is `percentage`',
  );
  check(commissionType === 'flat' && commissionCents === null, 'commissionCents', 'is required when `commissionType` is `flat`');
  check(commissionType !== 'flat' && commissionCents !== null, 'commissionCents', 'is only allowed when `commissionType` is `flat`');
  check(startsAt !== null && endsAt !== null && startsAt >= endsAt, 'endsAt', 'must be after `startsAt`');
  return faults;
}

/** Rejects products of other programs: 404 naming the field. Products are never deleted, so no lock is needed. */
export async function requireProducts(tx: Tx, programId: string, ids: readonly string[] = []): Promise<void> {
  if (ids.length === 0) return;
  const found = await tx.db.selectFrom('products').select('id').where('programId', '=', programId).where('id', 'in', ids).execute();
  if (found.length !== ids.length) throw new NotFound('productIds');
}
