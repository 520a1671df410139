import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { transact } from '../../platform/db/transact.ts';
import { addRedemptions, type CouponTerms, couponAt, findCoupons, refusalOf } from './redeem.ts';

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
  past: [],
};

describe('what an order is told of its coupon', () => {
  const refusal = (given: Partial<CouponTerms>, { at = '2026-01-15T00:00:00Z', amountCents = 1000, productIds = ['p'] } = {}) =>
    refusalOf({ ...coupon, ...given }, { at: new Date(at), amountCents, productIds });

  test('it holds from its start until its end, the end not included', () => {
    assert.equal(refusal({}, { at: '2025-12-31T23:59:59.999Z' }), 'not_started');
    assert.equal(refusal({}, { at: '2026-01-01T00:00:00Z' }), null);
    assert.equal(refusal({}, { at: '2026-01-31T23:59:59.999Z' }), null);
    assert.equal(refusal({}, { at: '2026-02-01T00:00:00Z' }), 'ended');
    assert.equal(refusal({ startsAt: null, endsAt: null }, { at: '2099-01-01T00:00:00Z' }), null);
  });

  test('it is used up by the orders before', () => {
    assert.equal(refusal({ redemptions: 2 }), null);
    assert.equal(refusal({ redemptions: 3 }), 'used_up');
    assert.equal(refusal({ maxRedemptions: null, redemptions: 1e9 }), null);
  });

  test('it needs one of its products in the order; without products it is for all', () => {
    assert.equal(refusal({ productIds: ['p', 'q'] }), null);
    assert.equal(refusal({ productIds: ['q'] }), 'other_products');
    assert.equal(refusal({ productIds: ['q'] }, { productIds: [] }), 'other_products');
    assert.equal(refusal({ productIds: [] }, { productIds: [] }), null);
  });

  test('its products and its rate are those of the time of the order', () => {
    const past = [
      { until: '2026-01-10T00:00:00.000Z', productIds: ['q'], commissionType: 'flat' as const, commissionRate: 100 },
      { until: '2026-01-20T00:00:00.000Z', productIds: [], commissionType: 'percentage' as const, commissionRate: 5 },
    ];
    const rateAt = (at: string) => couponAt({ ...coupon, past }, new Date(at)).commissionRate;
    assert.deepEqual([rateAt('2026-01-09T23:59:59.999Z'), rateAt('2026-01-10T00:00:00Z'), rateAt('2026-01-20T00:00:00Z')], [100, 5, null]);
  });

  test('a small order, a disabled and a deleted coupon are refused', () => {
    assert.equal(refusal({}, { amountCents: 999 }), 'below_minimum');
    assert.equal(refusal({ minOrderCents: null }, { amountCents: 0 }), null);
    assert.equal(refusal({ status: 'disabled' }), 'disabled');
    assert.equal(refusal({ status: 'deleted' }), 'disabled');
  });
});

describe('coupons as orders find them', () => {
  let service: TestService;
  let affiliateId: string;
  before(async () => {
    service = await openTestService();
    affiliateId = (await anAffiliate(service, { status: 'active' })).id;
  });
  after(() => service.close());

  const find = (...codes: string[]) => transact(service.ctx, (tx) => findCoupons(tx, service.program.programId, codes));

  test('by code without regard to case and spaces, disabled and deleted ones too, those of others not', async () => {
    const terms = { commissionType: 'percentage', commissionRate: 12.5, endsAt: '2030-01-01T00:00:00Z' };
    const active = await aCoupon(service, { affiliateId, code: 'Active', ...terms });
    const disabled = await aCoupon(service, { affiliateId, code: 'Off' });
    const deleted = await aCoupon(service, { affiliateId, code: 'Gone' });
    await service.request('PATCH', `${service.program.path}/coupons/${disabled.id}`, { body: { status: 'disabled' } });
    await service.request('DELETE', `${service.program.path}/coupons/${deleted.id}`);
    const theirs = (await anAffiliate(service, {}, service.foreign)).id;
    await aCoupon(service, { affiliateId: theirs, code: 'THEIRS' }, service.foreign);
    const found = await find(' aCTIVE ', 'off', 'GONE', 'theirs', 'nothing');
    assert.deepEqual([...found].map(([key, { id, status }]) => [key, id, status]).sort(), [
      ['active', active.id, 'active'],
      ['gone', deleted.id, 'deleted'],
      ['off', disabled.id, 'disabled'],
    ]);
    const { commissionRate, endsAt, productIds, affiliateId: owner } = found.get('active') ?? coupon;
    assert.deepEqual([commissionRate, endsAt, productIds, owner], [12.5, new Date('2030-01-01T00:00:00Z'), [], affiliateId]);
  });

  test('redemptions of many coupons are added at once, and only in their program', async () => {
    const [one, two] = [await aCoupon(service, { affiliateId, code: 'N1' }), await aCoupon(service, { affiliateId, code: 'N2' })];
    const add = (programId: string) =>
      transact(service.ctx, (tx) => addRedemptions(tx, programId, new Map([[one.id, 2], [two.id, 5]]))); // biome-ignore format: pairs
    await Promise.all([add(service.program.programId), add(service.program.programId), add(service.foreign.programId)]);
    const found = await find('n1', 'n2');
    assert.deepEqual([found.get('n1')?.redemptions, found.get('n2')?.redemptions], [4, 10]);
  });
});
