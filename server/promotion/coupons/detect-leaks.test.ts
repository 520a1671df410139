import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate, anOrder } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { detectLeaks } from './detect-leaks.ts';

describe('the detector of leaked coupons', () => {
  let service: TestService;
  let affiliateId: string;
  before(async () => {
    service = await openTestService();
    affiliateId = (await anAffiliate(service, { status: 'active' })).id;
  });
  after(() => service.close());

  const run = () => detectLeaks.run(service.ctx, {}, { isLast: false });
  const suspectedAt = async ({ id }: { id: string }) =>
    (await service.request('GET', `${service.program.path}/coupons/${id}`)).body.leakSuspectedAt;
  const auditRows = async ({ id }: { id: string }) =>
    (await service.pool.query(`select actor_kind, after from audit_log where subject_id = $1 and action = 'coupon.leak_suspected'`, [id]))
      .rows;

  /** A coupon with this many credited orders, some of them reported with a click of the customer. */
  async function couponWith(orders: number, clicked: number, { daysAgo = 1 } = {}) {
    const coupon = await aCoupon(service, { affiliateId });
    const at = new Date(service.clock.now().getTime() - daysAgo * 86_400_000);
    for (let index = 0; index < orders; index += 1) {
      const clickId = service.ctx.ids.uuid();
      if (index < clicked)
        await service.pool.query('insert into clicks (program_id, id, affiliate_id, created_at) values ($1, $2, $3, $4)', [
          service.program.programId,
          clickId,
          affiliateId,
          new Date(at.getTime() - 60_000),
        ]);
      const { attribution } = await anOrder(service, { couponCode: coupon.code, clickId, occurredAt: at.toISOString() });
      assert.equal(attribution.method, 'coupon');
    }
    return coupon;
  }

  test('marks a coupon whose orders have no clicks, once, and changes nothing else', async () => {
    const leaked = await couponWith(20, 2);
    const clicked = await couponWith(20, 3);
    const few = await couponWith(19, 0);
    const long = await couponWith(20, 0, { daysAgo: 8 });
    await run();
    const found = service.clock.now().toISOString();
    assert.deepEqual(
      [await suspectedAt(leaked), await suspectedAt(clicked), await suspectedAt(few), await suspectedAt(long)],
      [found, null, null, null],
    );
    const since = new Date(service.clock.now().getTime() - 7 * 86_400_000).toISOString();
    assert.deepEqual(await auditRows(leaked), [{ actor_kind: 'schedule', after: { orders: 20, withoutClick: 18, since } }]);
    const now = (await service.request('GET', `${service.program.path}/coupons/${leaked.id}`)).body;
    assert.deepEqual([now.creditPolicy, now.status, now.updatedAt], ['always', 'active', leaked.updatedAt]);
    service.clock.advance({ seconds: 60 });
    await Promise.all([run(), run()]);
    assert.deepEqual([await suspectedAt(leaked), (await auditRows(leaked)).length], [found, 1]);
  });

  test('simultaneous runs report a coupon once; an archived coupon is not reported', async () => {
    const [leaked, archived] = [await couponWith(20, 0), await couponWith(20, 0)];
    await service.request('PATCH', `${service.program.path}/coupons/${archived.id}`, { body: { status: 'archived' } });
    await Promise.all([run(), run(), run()]);
    assert.deepEqual(
      [(await auditRows(leaked)).length, (await auditRows(archived)).filter(({ after }) => 'orders' in after).length],
      [1, 0],
    );
  });
});
