// Creating a coupon. The unique code decides between simultaneous requests; a code that was never asked
// for is tried anew until one is free.
import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { toConflict } from '../../platform/db/constraints.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import type { Coupons } from '../../platform/db/schema.gen.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { codeKey, codesFor, couponCode } from './code.ts';
import { CouponShape, toCoupon } from './coupon.ts';
import { changedTerms, findTermFaults, noTerms, requireProducts, termFields } from './terms.ts';

const NewCoupon = z
  .object({
    affiliateId: uuid,
    code: couponCode
      .optional()
      .describe("Unique in the program without regard to case. Made from the affiliate's name when it is omitted."),
    ...termFields,
  })
  .superRefine((body, check) => {
    for (const { path, message } of findTermFaults(changedTerms(noTerms, body))) check.addIssue({ code: 'custom', path, message });
  })
  .meta({
    id: 'NewCoupon',
    example: { affiliateId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', code: 'ADA20', discountType: 'percentage', discountRate: 20 },
  });

export const createCoupon = endpoint({
  id: 'coupons.create',
  route: 'POST /v1/programs/:programId/coupons',
  scope: 'write',
  tag: 'Coupons',
  summary: 'Create a coupon',
  body: NewCoupon,
  statuses: [201],
  result: CouponShape,
  refusals: { 404: '`affiliateId` or `productIds` was not found in this program.', 409: 'The code is taken, now or by a deleted coupon.' },
  async handle(tx, { actor, body: { affiliateId, code, ...given } }) {
    const { programId } = actor;
    await requireRow(tx, { table: 'affiliates', programId, id: affiliateId, field: 'affiliateId' });
    const terms = changedTerms(noTerms, given);
    await requireProducts(tx, programId, terms.productIds);
    const now = tx.clock.now();
    const row = { programId, id: tx.ids.uuid(), affiliateId, ...terms, status: 'active', createdAt: now, updatedAt: now };
    const coupon = code === undefined ? await insertGenerated(tx, row, terms.discountRate) : await insertCoupon(tx, { ...row, code });
    if (!coupon) throw toConflict('coupons_code_unique');
    const after = { affiliateId, code: coupon.code, ...terms };
    await recordChange(tx, { programId, actor, action: 'coupon.created', subjectId: coupon.id, after });
    return toCoupon(coupon, now);
  },
});

type Fresh = Omit<Insertable<Coupons>, 'codeKey'>;

/** Null when the code is taken. */
async function insertCoupon(tx: Tx, row: Fresh): Promise<Selectable<Coupons> | null> {
  const inserted = await tx.db
    .insertInto('coupons')
    .values({ ...row, codeKey: codeKey(row.code) })
    .onConflict((conflict) => conflict.columns(['programId', 'codeKey']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return inserted ?? null;
}

async function insertGenerated(tx: Tx, row: Omit<Fresh, 'code'>, discountRate: number | null): Promise<Selectable<Coupons>> {
  const person = await tx.db
    .selectFrom('affiliates')
    .select(['firstName', 'lastName', 'referralCode'])
    .where('programId', '=', row.programId)
    .where('id', '=', row.affiliateId)
    .executeTakeFirstOrThrow();
  for (const code of codesFor(tx, person, discountRate)) {
    const inserted = await insertCoupon(tx, { ...row, code });
    if (inserted) return inserted;
  }
  throw new Error('No free coupon code was found.');
}
