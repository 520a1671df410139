import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { transact } from '../../platform/db/transact.ts';
import { addRedemptions, type CouponTerms, couponAt, findCouponRejection, findCoupons } from './redeem.ts';

const coupon: CouponTerms = {
  id: 'c',
  code: 'C',
  affiliateId: 'a',
  status: 'active',
  startsAt: new Date('2026-01-01T00:00:00Z'),
  endsAt: new Date('2026-02-01T00:00:00Z'),
  maxRedemptions: 3,
  redemptions: 1,
  minOrderCents: 1000,
  productIds: [],
  creditPolicy: 'always',
  commissionType: null,
  commissionRate: null,
  createdAt: new Date('2025-12-01T00:00:00Z'),
  firstOrderAt: null,
  past: [],
};

describe('the coupon of an order', () => {
  const rejection = (given: Partial<CouponTerms>, { at = '2026-01-15T00:00:00Z', amountCents = 1000, productIds = ['p'] } = {}) =>
    findCouponRejection({ ...coupon, ...given }, { at: new Date(at), amountCents, productIds });

  test('is valid from its start until before its end', () => {
    assert.equal(rejection({}, { at: '2025-12-31T23:59:59.999Z' }), 'not_started');
    assert.equal(rejection({}, { at: '2026-01-01T00:00:00Z' }), null);
    assert.equal(rejection({}, { at: '2026-01-31T23:59:59.999Z' }), null);
    assert.equal(rejection({}, { at: '2026-02-01T00:00:00Z' }), 'ended');
    assert.equal(rejection({ startsAt: null, endsAt: null }, { at: '2099-01-01T00:00:00Z' }), null);
  });

  test('is used up by earlier orders', () => {
    assert.equal(rejection({ redemptions: 2 }), null);
    assert.equal(rejection({ redemptions: 3 }), 'used_up');
    assert.equal(rejection({ maxRedemptions: null, redemptions: 1e9 }), null);
  });

  test('requires one of its products in the order; without products it is valid for all', () => {
    assert.equal(rejection({ productIds: ['p', 'q'] }), null);
    assert.equal(rejection({ productIds: ['q'] }), 'other_products');
    assert.equal(rejection({ productIds: ['q'] }, { productIds: [] }), 'other_products');
    assert.equal(rejection({ productIds: [] }, { productIds: [] }), null);
  });

  test('has the products and the rate that applied when the order occurred', () => {
    const past = [
      { until: '2026-01-10T00:00:00.000Z', productIds: ['q'], commissionType: 'flat' as const, commissionRate: 100 },
      { until: '2026-01-20T00:00:00.000Z', productIds: [], commissionType: 'percentage' as const, commissionRate: 5 },
    ];
    const rateAt = (at: string) => couponAt({ ...coupon, past }, new Date(at)).commissionRate;
    assert.deepEqual([rateAt('2026-01-09T23:59:59.999Z'), rateAt('2026-01-10T00:00:00Z'), rateAt('2026-01-20T00:00:00Z')], [100, 5, null]);
  });

  test('is rejected when the order is too small or the coupon is archived', () => {
    assert.equal(rejection({}, { amountCents: 999 }), 'below_minimum');
    assert.equal(rejection({ minOrderCents: null }, { amountCents: 0 }), null);
    assert.equal(rejection({ status: 'archived' }), 'archived');
  });
});

describe('finding the coupons of orders', () => {
  let service: TestService;
  let affiliateId: string;
  before(async () => {
    service = await openTestService();
    affiliateId = (await anAffiliate(service, { status: 'active' })).id;
  });
  after(() => service.close());

  const from = new Date('2030-01-01T00:00:00Z');
  const find = (...codes: string[]) => transact(service.ctx, (tx) => findCoupons(tx, service.program.programId, { codes, from }));

  test('matches codes ignoring case and spaces, including archived coupons, in the program only', async () => {
    const terms = { commissionType: 'percentage', commissionRate: 12.5, endsAt: '2030-01-01T00:00:00Z' };
    const active = await aCoupon(service, { affiliateId, code: 'Active', ...terms });
    const archived = await aCoupon(service, { affiliateId, code: 'Off' });
    await service.request('PATCH', `${service.program.path}/coupons/${archived.id}`, { body: { status: 'archived' } });
    const theirs = (await anAffiliate(service, {}, service.foreign)).id;
    await aCoupon(service, { affiliateId: theirs, code: 'THEIRS' }, service.foreign);
    const found = await find(' aCTIVE ', 'off', 'theirs', 'nothing');
    assert.deepEqual([...found].map(([key, { id, status }]) => [key, id, status]).sort(), [
      ['active', active.id, 'active'],
      ['off', archived.id, 'archived'],
    ]);
    const { commissionRate, endsAt, productIds, affiliateId: owner } = found.get('active') ?? coupon;
    assert.deepEqual([commissionRate, endsAt, productIds, owner], [12.5, new Date('2030-01-01T00:00:00Z'), [], affiliateId]);
  });

  test('adds redemptions of several coupons in one statement, only in the program', async () => {
    const [one, two] = [await aCoupon(service, { affiliateId, code: 'N1' }), await aCoupon(service, { affiliateId, code: 'N2' })];
    const add = (programId: string) =>
      transact(service.ctx, (tx) => addRedemptions(tx, programId, new Map([[one.id, 2], [two.id, 5]]))); // biome-ignore format: pairs
    await Promise.all([add(service.program.programId), add(service.program.programId), add(service.foreign.programId)]);
    const found = await find('n1', 'n2');
    assert.deepEqual([found.get('n1')?.redemptions, found.get('n2')?.redemptions], [4, 10]);
  });
});
