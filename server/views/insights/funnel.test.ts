// The funnel leads from clicks to orders, those that were kept and those whose commissions are paid.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aClick, anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

let service: TestService;

before(async () => {
  service = await openTestService();
});
after(() => service.close());

test('each step counts the orders that reached it', async () => {
  const { pool, program } = service;
  const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
  await aRule(service, { rate: 10 });
  for (let index = 0; index < 5; index += 1) await aClick(service, affiliateId);
  for (const orderId of ['a', 'b', 'c']) await anOrder(service, { orderId, affiliateId, amountCents: 10_000 });
  await anOrder(service, { orderId: 'before', affiliateId, amountCents: 10_000, occurredAt: '2026-01-05T00:00:00Z' });
  for (const refund of [{ orderId: 'a' }, { orderId: 'b', amountCents: 4000 }]) {
    const body = { refundId: refund.orderId, ...refund };
    assert.equal((await service.request('POST', '/v1/refunds', { body })).status, 201);
  }
  const ask = async () => (await service.request('GET', `${program.path}/metrics/funnel?from=2026-01-06`)).body;
  const { clicks, recorded, kept, paid } = await ask();
  assert.equal(clicks, 5);
  assert.deepEqual(recorded, { conversions: 3, salesCents: 30_000, commissionsCents: 3000 });
  assert.deepEqual(kept, { conversions: 2, salesCents: 16_000, commissionsCents: 1600 });
  assert.deepEqual(paid, { conversions: 0, salesCents: 0, commissionsCents: 0 });
  const { rows } = await pool.query(
    `select count(*)::int as orders from conversion_summaries where program_id = $1 and status = 'pending' and occurred_at > '2026-01-06'`,
    [program.programId],
  );
  assert.deepEqual(rows, [{ orders: 2 }]);
});
