// Archiving or restoring several coupons in the console.
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { declareStatusChanges, reportStatusChanges } from '../../../platform/http/declaration/status-changes.ts';
import { changeCoupon } from '../change.ts';
import { StoredCouponStatus } from '../coupon.ts';

const { body, result } = declareStatusChanges(StoredCouponStatus, {
  object: 'coupon',
  objects: 'coupons',
  exampleId: '01980a52-1f00-7b10-a3c4-6d7e8f901a2b',
});

export const setCouponStatuses = endpoint({
  id: 'coupons.setStatuses',
  route: 'POST /app/programs/:programId/coupons/statuses',
  scope: 'write',
  requires: 'terms.write',
  isUserOnly: true,
  tag: 'Coupons',
  summary: 'Archive or restore several coupons',
  description: 'Returns the outcome for each coupon. Sending the previous statuses undoes the change.',
  body,
  statuses: [200],
  result,
  async handle(tx, { actor, body: { changes } }) {
    // Locked in the order of their ids, so that two requests can't deadlock. The last status of an id wins.
    const wanted = new Map(changes.map(({ id, status }) => [id, status]));
    const rows = await tx.db
      .selectFrom('coupons')
      .select(['id', 'status'])
      .where('programId', '=', actor.programId)
      .where('id', 'in', [...wanted.keys()])
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    for (const { id } of rows) await changeCoupon(tx, actor, { id, status: wanted.get(id) });
    return reportStatusChanges(wanted, new Map(rows.map(({ id, status }) => [id, StoredCouponStatus.parse(status)])));
  },
});
