// An affiliate's figures over time equal the API's, to the cent.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aClick, anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { getAffiliatePerformance } from './affiliate-performance.ts';

let service: TestService;
let ada: { id: string };

const call = async (method: string, path: string, body?: object) => {
  const answer = await service.request(method, path.startsWith('/') ? path : `${service.program.path}/${path}`, body ? { body } : {});
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

const read = async (query: object = {}, id = ada.id) => {
  const { handle, query: shape, result } = getAffiliatePerformance;
  assert.ok(shape && handle);
  const actor = {
    kind: 'user' as const,
    id: 'dana',
    sessionId: 'session',
    freshAt: service.clock.now(),
    secondFactorAt: null,
    isFromCommand: false,
    siteProgramId: null,
    approvesFrom: null,
    programId: service.program.programId,
    currency: 'USD',
    role: 'viewer' as const,
    permissions: new Set(['read'] as const),
  };
  const caller = { ip: '127.0.0.1', peer: '127.0.0.1', headers: {}, requestId: '', site: null };
  return result.parse(await handle(service.ctx, { actor, caller, params: { id }, body: undefined, query: shape.parse(query) }));
};

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  ada = await anAffiliate(service, { status: 'active' });
  const noor = await anAffiliate(service, { status: 'active' });
  const kit = await aProduct(service, { name: 'Practice Starter Kit', priceCents: 24_900 });
  await anOrder(service, { affiliateId: ada.id, amountCents: 10_000, orderId: 'before' });
  service.clock.advance({ days: 30 });
  await aClick(service, ada.id);
  await anOrder(service, { affiliateId: ada.id, amountCents: 20_001, items: [{ productId: kit, amountCents: 20_001, quantity: 1 }] });
  await anOrder(service, { affiliateId: ada.id, amountCents: 5000, orderId: 'refunded' });
  await call('POST', '/v1/refunds', { refundId: 'r1', orderId: 'refunded' });
  await anOrder(service, { affiliateId: noor.id, amountCents: 77_700 });
});
after(() => service.close());

test('sums are those of this affiliate, less refunds, with the period before', async () => {
  const { current, previous } = await read();
  assert.deepEqual(current, { clicks: 1, conversions: 2, salesCents: 20_001, commissionsCents: 2000 });
  assert.deepEqual(previous, { clicks: 0, conversions: 1, salesCents: 10_000, commissionsCents: 1000 });
});

test('the buckets of the chart add up to the sums, and the last one is incomplete', async () => {
  for (const interval of ['day', 'week', 'month']) {
    const { series, current } = await read({ interval });
    assert.equal(
      series.reduce((total, bucket) => total + bucket.commissionsCents, 0),
      current.commissionsCents,
      interval,
    );
    assert.deepEqual([series.at(-1)?.isIncomplete, series[0]?.isIncomplete], [true, series.length === 1]);
  }
});

test('top products are those that earned in the period', async () => {
  const { topProducts } = await read();
  assert.deepEqual(
    topProducts.map(({ name, conversions, salesCents, commissionsCents }) => ({ name, conversions, salesCents, commissionsCents })),
    [{ name: 'Practice Starter Kit', conversions: 1, salesCents: 20_001, commissionsCents: 2000 }],
  );
});

test('without a comparison, the period before is null', async () => {
  const { previous, series } = await read({ compare: 'none', from: '2026-01-01' });
  assert.equal(previous, null);
  assert.ok(series.every((bucket) => bucket.previous === null));
});
