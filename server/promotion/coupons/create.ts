// Creating a coupon. The unique code decides between simultaneous requests; generated codes are retried until one
// is free.

import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordEvent } from '../../messaging/events/record.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { toConflict } from '../../platform/db/constraints.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import type { Coupons } from '../../platform/db/schema.gen.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { logged, uuid } from '../../platform/http/declaration/fields.ts';
import { couponCode, generateCodes, toCodeKey } from './code.ts';
import { CouponShape, toColumns, toCoupon, unknownCouponProduct } from './coupon.ts';
import { couponCreated, toCouponEvent } from './events.ts';
import { findTermFaults, mergeTerms, noTerms, requireProducts, termFields } from './terms.ts';

const NewCoupon = z
  .object({
    affiliateId: uuid,
    code: logged(couponCode).optional().describe("Unique in the program, ignoring case. Generated from the affiliate's name if omitted."),
    ...termFields,
  })
  .superRefine((body, check) => {
    for (const { path, message } of findTermFaults(mergeTerms(noTerms, body))) check.addIssue({ code: 'custom', path, message });
  })
  .meta({
    id: 'NewCoupon',
    example: { affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', code: 'ADA20', discountType: 'percentage', discountRate: 20 },
  });

export const createCoupon = endpoint({
  id: 'coupons.create',
  route: 'POST /v1/programs/:programId/coupons',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Coupons',
  summary: 'Create a coupon',
  body: NewCoupon,
  statuses: [201],
  result: CouponShape,
  errors: [
    { status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' },
    unknownCouponProduct,
    { status: 409, code: 'coupon_taken', when: 'A coupon with this code already exists in the program; it may be archived.' },
  ],
  async handle(tx, { actor, body: { affiliateId, code, ...given } }) {
    const { programId, currency } = actor;
    await requireRow(tx, { table: 'affiliates', programId, id: affiliateId, field: 'affiliateId' });
    const terms = mergeTerms(noTerms, given);
    await requireProducts(tx, programId, terms.productIds);
    const now = tx.clock.now();
    const row = { ...toColumns(terms), programId, id: tx.ids.uuid(), affiliateId, status: 'active', createdAt: now, updatedAt: now };
    const coupon = code === undefined ? await insertGenerated(tx, row, terms.discountRate) : await insertCoupon(tx, { ...row, code });
    if (!coupon) throw toConflict('coupons_code_unique');
    const after = { ...terms, affiliateId, code: coupon.code };
    await recordChange(tx, { programId, actor, action: 'coupon.created', subjectId: coupon.id, after });
    await recordEvent(tx, { programId, actor }, toCouponEvent(tx, couponCreated, { coupon, currency }));
    return toCoupon(coupon, { currency, now });
  },
});

type NewRow = Omit<Insertable<Coupons>, 'codeKey'>;

/** Null when the code is taken. */
async function insertCoupon(tx: Tx, row: NewRow): Promise<Selectable<Coupons> | null> {
  const inserted = await tx.db
    .insertInto('coupons')
    .values({ ...row, codeKey: toCodeKey(row.code) })
    .onConflict((conflict) => conflict.columns(['programId', 'codeKey']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) await recordValues(tx, 'coupons', inserted.programId, [inserted.id]);
  return inserted ?? null;
}

async function insertGenerated(tx: Tx, row: Omit<NewRow, 'code'>, discountRate: number | null): Promise<Selectable<Coupons>> {
  const affiliate = await tx.db
    .selectFrom('affiliates')
    .select(['firstName', 'lastName', 'referralCode'])
    .where('programId', '=', row.programId)
    .where('id', '=', row.affiliateId)
    .executeTakeFirstOrThrow();
  for (const code of generateCodes(tx, affiliate, discountRate)) {
    const inserted = await insertCoupon(tx, { ...row, code });
    if (inserted) return inserted;
  }
  throw new Error('No free coupon code was found.');
}
