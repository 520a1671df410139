// Archiving or restoring several coupons in the console. Each is independent: one that doesn't exist anymore doesn't stop the
// others. What the response returns as `previousStatus` restores each of them.
import { z } from 'zod';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { changeCoupon } from '../change.ts';
import { StoredCouponStatus } from '../coupon.ts';

const maxCoupons = 200;

const Body = z
  .object({
    changes: z
      .array(z.object({ id: uuid, status: StoredCouponStatus }))
      .min(1, 'must not be empty')
      .max(maxCoupons, `must not have more than ${maxCoupons} entries`)
      .describe('The coupons, each with the status that it gets.'),
  })
  .meta({ id: 'CouponStatuses', example: { changes: [{ id: '01980a52-1f00-7b10-a3c4-6d7e8f901a2b', status: 'archived' }] } });

const Result = z
  .object({
    id: uuidOut,
    outcome: z.enum(['changed', 'unchanged', 'not_found']).describe('`unchanged`: the coupon already has the status.'),
    previousStatus: StoredCouponStatus.nullable().describe('Null for a coupon that was not found.'),
  })
  .meta({ id: 'CouponStatusResult' });

export const setCouponStatuses = endpoint({
  id: 'coupons.setStatuses',
  route: 'POST /app/programs/:programId/coupons/statuses',
  scope: 'write',
  requires: 'terms.write',
  isUserOnly: true,
  tag: 'Coupons',
  summary: 'Archive or restore several coupons',
  description: 'Returns the outcome for each coupon. Sending the previous statuses undoes the change.',
  body: Body,
  statuses: [200],
  result: z.object({ changed: countOut.describe('How many coupons got another status.'), results: z.array(Result) }).meta({
    id: 'CouponStatusesResult',
    example: { changed: 1, results: [{ id: '01980a52-1f00-7b10-a3c4-6d7e8f901a2b', outcome: 'changed', previousStatus: 'active' }] },
  }),
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    // Locked in the order of their ids, so that two requests can't deadlock. The last status of an id wins.
    const wanted = new Map(body.changes.map(({ id, status }) => [id, status]));
    const rows = await tx.db
      .selectFrom('coupons')
      .select(['id', 'status'])
      .where('programId', '=', programId)
      .where('id', 'in', [...wanted.keys()])
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    for (const { id } of rows) await changeCoupon(tx, actor, { id, status: wanted.get(id) });
    const previous = new Map(rows.map(({ id, status }) => [id, StoredCouponStatus.parse(status)]));
    const results = [...wanted].map(([id, status]) => toResult(id, status, previous.get(id)));
    return { changed: results.filter(({ outcome }) => outcome === 'changed').length, results };
  },
});

type Status = z.output<typeof StoredCouponStatus>;

function toResult(id: string, status: Status, previousStatus: Status | undefined): z.input<typeof Result> {
  if (previousStatus === undefined) return { id, outcome: 'not_found', previousStatus: null };
  return { id, outcome: previousStatus === status ? 'unchanged' : 'changed', previousStatus };
}
