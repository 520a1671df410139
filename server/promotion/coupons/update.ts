import { z } from 'zod';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { CouponShape, couponSlot, lockCoupon, termsOf, toCoupon } from './coupon.ts';
import { storePastTerms } from './past-terms.ts';
import { changedTerms, requireProducts, termFaults, termFields } from './terms.ts';

const Update = z
  .object({ status: z.enum(['active', 'disabled']).optional(), ...termFields })
  .meta({ id: 'CouponUpdate', example: { endsAt: '2026-12-31T23:59:59Z' } });

export const updateCoupon = endpoint({
  id: 'coupons.update',
  route: 'PATCH /v1/programs/:programId/coupons/:id',
  scope: 'write',
  tag: 'Coupons',
  summary: 'Update a coupon',
  description:
    'Omitted fields are left untouched; `null` clears a nullable field. A new type drops the amounts of the former one unless they ' +
    'are sent with it. The code and the affiliate never change. Orders from before the change keep the products and the commission ' +
    'rate that the coupon had at their time, also when they are reported later.',
  path: { id: couponSlot },
  body: Update,
  statuses: [200],
  result: CouponShape,
  refusals: { 404: 'No such coupon, or `productIds` names a product that is not in this program.' },
  async handle(tx, { actor, params, body: { status, ...given } }) {
    const { programId } = actor;
    const before = await lockCoupon(tx, programId, params.id);
    const present = termsOf(before);
    const terms = changedTerms(present, given);
    const faults = termFaults(terms);
    if (faults.length > 0) throw new Invalid(faults);
    await requireProducts(tx, programId, given.productIds);
    const change = difference({ ...present, status: before.status }, { ...terms, status });
    if (!change) return toCoupon(before, tx.clock.now());
    await storePastTerms(tx, before, terms);
    const coupon = await tx.db
      .updateTable('coupons')
      .set({ ...change.after, updatedAt: tx.clock.now() })
      .where('programId', '=', programId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, { programId, actor, action: 'coupon.updated', subjectId: before.id, ...change });
    return toCoupon(coupon, tx.clock.now());
  },
});
