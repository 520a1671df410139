import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('the terms of a coupon', () => {
  let service: TestService;
  let affiliateId: string;
  let id: string;
  before(async () => {
    service = await openTestService();
    affiliateId = (await anAffiliate(service)).id;
    id = (await aCoupon(service, { affiliateId })).id;
  });
  after(() => service.close());

  const create = (given: Record<string, unknown>) =>
    service.request('POST', `${service.program.path}/coupons`, { body: { affiliateId, ...given } });
  const update = (given: Record<string, unknown>) => service.request('PATCH', `${service.program.path}/coupons/${id}`, { body: given });

  const badTimes = [
    ...['2026-11-21', '2026-11-21T10:00:00', '2026-11-21 10:00:00Z', '2026-02-30T00:00:00Z', '2025-02-29T00:00:00Z', '2026-13-01T00:00:00Z'],
    ...['2026-01-01T24:00:00Z', '2026-01-01T00:60:00Z', '1999-12-31T23:59:59Z', '2101-01-01T00:00:00Z', '+02026-01-01T00:00:00Z'],
    ...['2026-01-01T00:00:00+24:00', '2026-01-01t00:00:00z', 'tomorrow', '', 1_800_000_000],
  ]; // biome-ignore format: a list

  for (const [field, values] of Object.entries({
    affiliateId: ['x', null, 5],
    code: ['a', 'a b', 'ä1', 'x'.repeat(65), '', 'a/b', '%41', 5, null],
    discountType: ['percent', 5],
    discountRate: ['5'],
    minOrderCents: [-1, 0.5, 100_000_000_000, '5'],
    productIds: ['x', ['x'], null, Array(201).fill('01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f')],
    startsAt: badTimes,
    endsAt: badTimes,
    maxRedemptions: [0, -1, 1.5, 1_000_000_001, '5'],
    creditPolicy: ['never', null],
    commissionRate: ['5'],
    commissionCents: ['5', 0.5, -1, 100_000_000_000],
    externalId: ['', 'a\nb', 'x'.repeat(201)],
  })) {
    test(`an invalid ${field} is 400 with its path, on creation and on update`, async () => {
      for (const value of values) {
        const responses = [await create({ [field]: value })];
        if (field !== 'affiliateId' && field !== 'code') responses.push(await update({ [field]: value }));
        for (const { status, body } of responses)
          assert.deepEqual([status, body.details?.[0].path[0]], [400, field], JSON.stringify(value));
      }
    });
  }

  for (const [fault, given, field] of [
    ['a discount without its rate', { discountType: 'percentage' }, 'discountRate'],
    ['a flat discount without its amount', { discountType: 'flat' }, 'discountCents'],
    ['a rate without a type', { discountRate: 5 }, 'discountRate'],
    ['an amount without a type', { discountCents: 5 }, 'discountCents'],
    ['a rate beside a flat discount', { discountType: 'flat', discountCents: 1, discountRate: 1 }, 'discountRate'],
    ['an amount beside a percentage', { discountType: 'percentage', discountCents: 1, discountRate: 1 }, 'discountCents'],
    ['a discount above 100 percent', { discountType: 'percentage', discountRate: 100.1 }, 'discountRate'],
    ['a discount with five decimals', { discountType: 'percentage', discountRate: 1.00001 }, 'discountRate'],
    ['a flat commission without its amount', { commissionType: 'flat' }, 'commissionCents'],
    ['a percentage commission without its rate', { commissionType: 'percentage' }, 'commissionRate'],
    ['a commission rate without a type', { commissionRate: 5 }, 'commissionRate'],
    ['a commission amount without a type', { commissionCents: 5 }, 'commissionCents'],
    ['a rate beside a flat commission', { commissionType: 'flat', commissionCents: 5, commissionRate: 5 }, 'commissionRate'],
    ['a commission above 100 percent', { commissionType: 'percentage', commissionRate: 101 }, 'commissionRate'],
    ['a negative commission', { commissionType: 'percentage', commissionRate: -1 }, 'commissionRate'],
    ['a commission with five decimals', { commissionType: 'percentage', commissionRate: 1.00001 }, 'commissionRate'],
    ['an end at its start', { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-01T01:00:00+01:00' }, 'endsAt'],
  ] as const) {
    test(`${fault} is 400 with its path, on creation and on update`, async () => {
      for (const { status, body } of [await create(given), await update(given)])
        assert.deepEqual([status, body.details?.[0].path], [400, [field]], JSON.stringify(body));
    });
  }

  test('stored terms are validated together with changed ones', async () => {
    await update({
      startsAt: '2026-06-01T00:00:00Z',
      discountType: 'percentage',
      discountRate: 10,
      commissionType: 'percentage',
      commissionRate: 50,
    });
    assert.equal((await update({ endsAt: '2026-05-01T00:00:00Z' })).status, 400);
    assert.equal((await update({ commissionRate: 101 })).status, 400);
    assert.equal((await update({ discountRate: null })).status, 400);
    assert.equal((await update({ commissionType: 'flat' })).status, 400);
    assert.equal((await update({ commissionType: 'flat', commissionCents: 101 })).body.commissionCents, 101);
    const cleared = (await update({ discountType: null, commissionType: null, startsAt: null })).body;
    assert.deepEqual([cleared.discountRate, cleared.commissionCents, cleared.startsAt], [null, null, null]);
  });

  test('an unknown or derived status is 400', async () => {
    for (const status of ['expired', 'disabled', null]) assert.equal((await update({ status })).status, 400);
  });

  test('times accept a fraction and any UTC offset', async () => {
    for (const [sent, stored] of [
      ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
      ['2000-01-01T00:00:00.5-14:00', '2000-01-01T14:00:00.500Z'],
      ['2100-12-31T23:59:59.123456789+05:30', '2100-12-31T18:29:59.123Z'],
    ] as const)
      assert.equal((await update({ endsAt: null, startsAt: sent })).body.startsAt, stored);
  });
});
