// The terms of a coupon: what the buyer gets, when it holds, and what the affiliate earns by it. Each
// field has its rule; `findTermFaults` says what contradicts itself among fields that are each valid.
import { z } from 'zod';
import { percentUpTo } from '../../accounts/programs/settings.ts';
import type { Tx } from '../../context.ts';
import { cents, line, timestampIn, uuid } from '../../platform/http/declaration/fields.ts';
import { type Detail, NotFound } from '../../platform/lib/errors.ts';

export const RateType = z.enum(['percentage', 'flat']).meta({ id: 'CouponRateType' });
export const CreditPolicy = z.enum(['always', 'only_without_click', 'never_over_click']).meta({ id: 'CouponCreditPolicy' });

const percent = percentUpTo(100);
const redemptionRange = 'must be a whole number from 1 to 1000000000';

const termSchemas = {
  discountType: RateType.nullable(),
  discountRate: percent.nullable().describe('Percent, for `percentage`.'),
  discountCents: cents.nullable().describe('For `flat`.'),
  minOrderCents: cents.nullable().describe('Orders below it are not credited by the coupon.'),
  productIds: z
    .array(uuid)
    .max(200)
    .transform((ids) => [...new Set(ids)].sort())
    .describe(
      'Products it is for; empty means all. An order without any of them is not credited by the coupon, and the commission rate of the ' +
        'coupon applies to the lines of these products only; other lines are paid by the commission rules.',
    )
    .meta({ json: { type: 'array', maxItems: 200, items: { type: 'string', format: 'uuid' } } }),
  startsAt: timestampIn.nullable(),
  endsAt: timestampIn.nullable().describe('From this moment on it is expired.'),
  maxRedemptions: z.int(redemptionRange).min(1, redemptionRange).max(1_000_000_000, redemptionRange).nullable(),
  creditPolicy: CreditPolicy.describe(
    'Whether the coupon is credited where the buyer also clicked: `always`; `only_without_click`; `never_over_click`, but over a click of its own affiliate.',
  ),
  commissionType: RateType.nullable().describe(
    'A commission for orders with this coupon that are credited to its affiliate, whichever signal credits them; sent together with the rate.',
  ),
  commissionRate: z
    .number()
    .nullable()
    .describe('For `percentage` 0 to 100 with up to 4 decimals; for `flat` an integer amount in cents (500 is $5.00 per order).'),
  externalId: line(200).nullable().describe('Its id in the shop.'),
};

const All = z.object(termSchemas);
export type Terms = z.output<typeof All>;

/** The fields of a request: all may be omitted. */
export const termFields = All.partial().shape;
const Given = z.object(termFields);
export type GivenTerms = z.output<typeof Given>;

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
  externalId: null,
};

/** The terms after a change. A new type drops the amounts of the former one, unless they are sent with it. */
export function changedTerms(before: Terms, given: GivenTerms): Terms {
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const retyped = (field: 'discountType' | 'commissionType') => given[field] !== undefined && given[field] !== before[field];
  return {
    ...before,
    ...(retyped('discountType') && { discountRate: null, discountCents: null }),
    ...(retyped('commissionType') && { commissionRate: null }),
    ...sent,
  };
}

/** What contradicts itself. */
export function findTermFaults(terms: Terms): Detail[] {
  const { discountType, discountRate, discountCents, commissionType, commissionRate, startsAt, endsAt } = terms;
  const faults: Detail[] = [];
  const check = (isFault: boolean, field: keyof Terms, message: string) => isFault && faults.push({ path: [field], message });
  check(discountType === 'percentage' && discountRate === null, 'discountRate', 'is required for a percentage');
  check(discountType !== 'percentage' && discountRate !== null, 'discountRate', 'has a meaning only for a percentage');
  check(discountType === 'flat' && discountCents === null, 'discountCents', 'is required for a flat discount');
  check(discountType !== 'flat' && discountCents !== null, 'discountCents', 'has a meaning only for a flat discount');
  check(commissionType === null && commissionRate !== null, 'commissionType', 'is required with commissionRate');
  check(commissionType !== null && commissionRate === null, 'commissionRate', 'is required with commissionType');
  if (commissionType !== null && commissionRate !== null) {
    const rate = (commissionType === 'percentage' ? percent : cents).safeParse(commissionRate);
    check(!rate.success, 'commissionRate', rate.error?.issues[0]?.message ?? '');
  }
  check(startsAt !== null && endsAt !== null && startsAt >= endsAt, 'endsAt', 'must be after startsAt');
  return faults;
}

/** Refuses products that aren't the program's: 404 naming the field. Products never go away, so nothing is locked. */
export async function requireProducts(tx: Tx, programId: string, ids: readonly string[] = []): Promise<void> {
  if (ids.length === 0) return;
  const found = await tx.db.selectFrom('products').select('id').where('programId', '=', programId).where('id', 'in', ids).execute();
  if (found.length !== ids.length) throw new NotFound('productIds');
}
