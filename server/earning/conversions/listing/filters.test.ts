// Each filter and order of the list of conversions returns exactly the orders that a caller would pick from the rows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, aGroup, anAffiliate, anOrder, aProduct, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { selectConversions } from './filters.ts';

type Row = Record<string, never> & { id: string; orderId: string; amountCents: number; affiliateId: string };

let service: TestService;
let all: Row[];
const ids = { ada: '', grace: '', group: '', product: '', productRule: '', coupon: '' };

before(async () => {
  service = await openTestService();
  ids.group = await aGroup(service, 'Clinicians');
  ids.ada = (await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist' })).id;
  ids.grace = (await anAffiliate(service, { status: 'active', firstName: 'Grace', lastName: 'Hopper', groupId: ids.group })).id;
  ids.product = await aProduct(service);
  await anOrder(service, { orderId: 'FF-1 zero', affiliateId: ids.ada, amountCents: 100, customer: { externalId: 'c-77' } });
  await aRule(service, { rate: 10, productId: null });
  ids.productRule = await aRule(service, { rate: 20, productId: ids.product });
  ids.coupon = (await aCoupon(service, { affiliateId: ids.grace, code: 'GRACE' })).id;
  const items = [{ productId: ids.product, amountCents: 3000 }];
  await anOrder(service, { orderId: 'FF-2', affiliateId: ids.ada, amountCents: 3000, items, customer: { email: 'Buyer@example.com' } });
  await anOrder(service, { orderId: 'FF-3', couponCode: 'GRACE', amountCents: 2000, occurredAt: '2026-01-05T00:00:00Z' });
  await anOrder(service, { orderId: 'FF-4', affiliateId: ids.ada, couponCode: 'GRACE', amountCents: 9000, subId: 'letter' });
  await service.request('POST', '/v1/refunds', { body: { refundId: 'r', orderId: 'FF-3', amountCents: 500 } });
  await service.request('POST', '/v1/refunds', { body: { refundId: 's', orderId: 'FF-4' } });
  all = (await list('')).conversions;
  assert.equal(all.length, 4);
});
after(() => service.close());

const list = async (query: string) => (await service.request('GET', `${service.program.path}/conversions?${query}`)).body;

describe('conversions', () => {
  const cases: [query: () => string, orderIds: string[]][] = [
    [() => 'search=ff-', ['FF-1 zero', 'FF-2', 'FF-3', 'FF-4']],
    [() => 'search=f-2', ['FF-2']],
    [() => 'search=%25', []],
    [() => 'search=lindqv', ['FF-1 zero', 'FF-2', 'FF-4']],
    [() => 'search=c-77', ['FF-1 zero']],
    [() => 'search=buyer%40example.com', ['FF-2']],
    [() => `affiliateId=${ids.grace}`, ['FF-3']],
    [() => `affiliateId=${ids.grace}&affiliateId=${ids.ada}`, ['FF-1 zero', 'FF-2', 'FF-3', 'FF-4']],
    [() => `groupId=${ids.group}`, ['FF-3']],
    [() => `productId=${ids.product}`, ['FF-2']],
    [() => `ruleId=${ids.productRule}`, ['FF-2']],
    [() => `couponId=${ids.coupon}`, ['FF-3']],
    [() => 'subId=letter', ['FF-4']],
    [() => 'method=coupon', ['FF-3']],
    [() => 'conflict=true', ['FF-4']],
    [() => 'commission=none', ['FF-1 zero']],
    [() => 'commission=some', ['FF-2', 'FF-3', 'FF-4']],
    [() => 'refunded=true', ['FF-3', 'FF-4']],
    [() => 'status=reversed', ['FF-4']],
    [() => 'status=pending&status=approved', ['FF-1 zero', 'FF-2', 'FF-3']],
    [() => 'amountMinCents=2000&amountMaxCents=3000', ['FF-2', 'FF-3']],
    [() => 'occurredTo=2026-02-01T00:00:00Z', ['FF-3']],
  ];
  for (const [query, orderIds] of cases)
    test(`are filtered by ${query().replace(/=$/, '')}`, async () => {
      const { conversions, total } = await list(query());
      assert.deepEqual(conversions.map(({ orderId }: Row) => orderId).sort(), orderIds);
      assert.equal(total, orderIds.length);
    });

  for (const column of ['amountCents', 'commissionCents', 'refundedCents', 'occurredAt', 'createdAt'] as const)
    test(`are sorted by ${column} in both directions`, async () => {
      const values = (rows: Record<string, string | number>[]) => rows.map((row) => row[column] ?? '');
      const sorted = values(all).sort((a, b) => (typeof a === 'number' ? a - Number(b) : String(a).localeCompare(String(b))));
      assert.deepEqual(values((await list(`sort=${column}`)).conversions), sorted);
      assert.deepEqual(values((await list(`sort=-${column}`)).conversions), sorted.reverse());
    });

  test('a search that matches many finds the same orders as one that matches few', async () => {
    const { programId } = service.program;
    for (const search of ['ff-', 'ada', '1', 'example.com', 'nothing']) {
      const found = await Promise.all(
        [true, false].map(async (isBroad) =>
          (await selectConversions(service.ctx, programId, { search }, { isBroad })).select('summary.id').execute(),
        ),
      );
      const [broad, narrow] = found.map((rows) => rows.map(({ id }) => id).sort());
      assert.deepEqual(broad, narrow, search);
      assert.equal((await list(`search=${search}`)).total, broad?.length, search);
    }
  });

  test('are added up by the same filters', async () => {
    const found = await selectConversions(service.ctx, service.program.programId, { refunded: 'true' }, { isBroad: false });
    const rows = await found.select(['summary.amountCents', 'summary.refundedCents', 'summary.reversedCents']).execute();
    const shown = (await list('refunded=true')).conversions;
    const sum = (rows: Record<string, number>[], name: string) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);
    for (const name of ['amountCents', 'refundedCents', 'reversedCents']) assert.equal(sum(rows, name), sum(shown, name), name);
    assert.ok(sum(rows, 'reversedCents') > 0);
  });

  test('rejects a filter that it does not know', async () => {
    const answer = await service.request('GET', `${service.program.path}/conversions?amountMinCents=x`);
    assert.deepEqual(answer.body.details, [{ path: ['amountMinCents'], message: 'must be an integer amount in cents' }]);
  });
});
