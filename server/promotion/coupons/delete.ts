import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { CouponShape, couponSlot, lockCoupon, toCoupon } from './coupon.ts';

export const deleteCoupon = endpoint({
  id: 'coupons.delete',
  route: 'DELETE /v1/programs/:programId/coupons/:id',
  scope: 'write',
  tag: 'Coupons',
  summary: 'Delete a coupon',
  description: 'It credits nobody any more and is gone from lists. Its code stays taken, so that nobody else can claim it.',
  path: { id: couponSlot },
  statuses: [200],
  result: CouponShape,
  async handle(tx, { actor, params }) {
    const { programId } = actor;
    const { id, code, status } = await lockCoupon(tx, programId, params.id);
    const now = tx.clock.now();
    const coupon = await tx.db
      .updateTable('coupons')
      .set({ status: 'disabled', deletedAt: now, updatedAt: now })
      .where('programId', '=', programId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, { programId, actor, action: 'coupon.deleted', subjectId: id, before: { code, status } });
    return toCoupon(coupon, now);
  },
});
