// `durationMonths` counts from the customer's first order, in whichever sequence their orders are reported.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
let ada: string;
before(async () => {
  service = await openTestService();
  ada = (await anAffiliate(service, { status: 'active' })).id;
  await aRule(service, { rate: 10 });
  await aRule(service, { rate: 50, affiliateId: ada, durationMonths: 3 });
});
after(() => service.close());

// The time of the tests is 2026-03-01.
const order = async (customer: string, occurredAt: string) =>
  (await anOrder(service, { affiliateId: ada, customer: { externalId: customer }, occurredAt })).commissionCents;

test('a duration starts at the first order that occurred, not at the first that was reported', async () => {
  assert.equal(await order('late', '2026-02-20T00:00:00Z'), 5000);
  assert.equal(await order('late', '2025-10-01T00:00:00Z'), 5000);
  assert.equal(await order('late', '2025-12-31T00:00:00Z'), 5000);
  assert.equal(await order('late', '2026-01-01T00:00:00Z'), 1000);
  assert.equal(await order('late', '2026-02-21T00:00:00Z'), 1000);
});

test('a duration starts at the first order of a batch that occurred, too', async () => {
  const times = ['2026-02-20T00:00:00Z', '2025-10-01T00:00:00Z', '2026-01-01T00:00:00Z'];
  const conversions = times.map((occurredAt, index) => ({
    orderId: `b-${index}`,
    amountCents: 10_000,
    affiliateId: ada,
    customer: { externalId: 'batch' },
    occurredAt,
  }));
  const { body } = await service.request('POST', '/v1/conversions/batch', { body: { conversions } });
  assert.deepEqual(
    body.results.map(({ conversion }: { conversion: { commissionCents: number } }) => conversion.commissionCents),
    [5000, 5000, 1000],
  );
});
