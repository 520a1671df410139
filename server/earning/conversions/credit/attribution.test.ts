import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attribute, type CouponHint, type Hints, type Policy, type Visit } from './attribution.ts';

const at = new Date('2026-03-10T12:00:00Z');
const policy: Policy = { model: 'last_click', priority: 'coupon_first', windowDays: 30, hijackGuardSeconds: 0 };
const moment: { at: Date; cartStartedAt: Date | null } = { at, cartStartedAt: null };
const everybody = () => true;
const minutesBefore = (minutes: number) => new Date(at.getTime() - minutes * 60_000);
const visit = (id: string, affiliateId: string, minutes: number): Visit => ({ id, affiliateId, at: minutesBefore(minutes), action: null });
const coupon = (affiliateId: string, creditPolicy: CouponHint['creditPolicy'] = 'always', refusal: string | null = null): CouponHint => ({
  id: 'coupon-1',
  code: 'ADA20',
  affiliateId,
  creditPolicy,
  refusal,
});

const credited = (hints: Hints, changed: Partial<Policy> = {}, isActive: (id: string) => boolean = everybody, when = moment) =>
  attribute(hints, when, { ...policy, ...changed }, isActive);

describe('attribution', () => {
  const all: Hints = {
    affiliateId: 'named',
    coupon: coupon('coupon'),
    visits: [visit('v', 'click', 60)],
    referrer: 'code',
    customerOf: 'first',
  };

  test('goes from the explicit affiliate over coupon, click and code to whoever brought the customer', () => {
    const order: [keyof Hints, string][] = [
      ['affiliateId', 'named'],
      ['coupon', 'coupon'],
      ['visits', 'click'],
      ['referrer', 'code'],
      ['customerOf', 'first'],
    ];
    const left: Hints = { ...all };
    for (const [hint, winner] of order) {
      assert.equal(credited(left).credit?.affiliateId, winner);
      delete left[hint];
    }
    assert.equal(credited(left).credit, null);
  });

  test('the program may put clicks before coupons', () => {
    const hints = { coupon: coupon('a'), visits: [visit('v', 'b', 60)] };
    assert.equal(credited(hints).credit?.affiliateId, 'a');
    assert.equal(credited(hints, { priority: 'click_first' }).credit?.affiliateId, 'b');
  });

  test('whoever lost an order that they could have had is a conflict, the same affiliate by two hints is none', () => {
    const { conflict } = credited({ coupon: coupon('a'), visits: [visit('v', 'b', 60)], referrer: 'a' });
    assert.deepEqual(
      conflict.map(({ hint, affiliateId, outcome }) => [hint, affiliateId, outcome]),
      [['click', 'b', 'outranked']],
    );
  });

  test('a coupon stands back for a click as its policy says', () => {
    const other = [visit('v', 'b', 60)];
    const own = [visit('v', 'a', 60)];
    assert.equal(credited({ coupon: coupon('a', 'only_without_click'), visits: other }).credit?.affiliateId, 'b');
    assert.equal(credited({ coupon: coupon('a', 'only_without_click'), visits: own }).credit?.method, 'click');
    assert.equal(credited({ coupon: coupon('a', 'never_over_click'), visits: other }).credit?.affiliateId, 'b');
    assert.equal(credited({ coupon: coupon('a', 'never_over_click'), visits: own }).credit?.method, 'coupon');
    assert.equal(credited({ coupon: coupon('a', 'only_without_click'), visits: [] }).credit?.affiliateId, 'a');
  });

  test('a coupon that cannot be used credits nobody and says why', () => {
    const { credit, findings } = credited({ coupon: coupon('a', 'always', 'ended'), couponCode: 'ADA20' });
    assert.equal(credit, null);
    assert.equal(findings[0]?.outcome, 'ended');
    assert.equal(credited({ coupon: null, couponCode: 'X' }).findings[0]?.outcome, 'unknown');
  });

  test('of several clicks the last or the first counts, inside the window to its very edge', () => {
    const visits = [visit('1', 'a', 60 * 24 * 30), visit('2', 'b', 60), visit('0', 'z', 60 * 24 * 30 + 1)];
    assert.equal(credited({ visits }).credit?.affiliateId, 'b');
    assert.equal(credited({ visits }, { model: 'first_click' }).credit?.affiliateId, 'a');
    assert.equal(credited({ visits }, { model: 'first_click', windowDays: 29 }).credit?.affiliateId, 'b');
  });

  test('a click outside the window or after the order credits nobody', () => {
    assert.equal(credited({ visits: [visit('v', 'a', 60 * 24 * 31)] }).findings[0]?.outcome, 'outside_the_window');
    assert.equal(credited({ visits: [visit('v', 'a', -1)] }).findings[0]?.outcome, 'after_the_order');
    assert.equal(credited({ visits: [] }).findings[0]?.outcome, 'unknown');
  });

  test('only an active affiliate is credited; the next hint takes over', () => {
    const hints = { coupon: coupon('gone'), visits: [visit('v', 'b', 60)] };
    const { credit, findings, conflict } = credited(hints, {}, (id) => id !== 'gone');
    assert.equal(credit?.affiliateId, 'b');
    assert.equal(findings[0]?.outcome, 'affiliate_not_active');
    assert.deepEqual(conflict, []);
  });

  test('an explicit affiliate who is not active is reported; no other signal takes over', () => {
    const hints = { affiliateId: 'gone', coupon: coupon('a'), visits: [visit('v', 'b', 60)] };
    const { credit, findings } = credited(hints, {}, (id) => id !== 'gone');
    assert.equal(credit, null);
    assert.deepEqual(
      findings.map(({ hint, outcome }) => [hint, outcome]),
      [
        ['affiliate', 'affiliate_not_active'],
        ['coupon', 'outranked'],
        ['click', 'outranked'],
      ],
    );
  });

  describe('the checkout-hijack guard', () => {
    const guard = { hijackGuardSeconds: 90 };

    test('a click seconds before the order loses to an earlier click', () => {
      const visits = [visit('early', 'a', 60), visit('late', 'b', 1)];
      assert.equal(credited({ visits }).credit?.affiliateId, 'b');
      const { credit, conflict } = credited({ visits }, guard);
      assert.equal(credit?.affiliateId, 'a');
      assert.deepEqual([conflict[0]?.affiliateId, conflict[0]?.outcome], ['b', 'checkout_hijack']);
    });

    test('and to any other earlier touch, but not to nobody', () => {
      assert.equal(credited({ visits: [visit('late', 'b', 1)], customerOf: 'a' }, guard).credit?.affiliateId, 'a');
      assert.equal(credited({ visits: [visit('late', 'b', 1)] }, guard).credit?.affiliateId, 'b');
    });

    test('a click after the cart was begun is late, however long before the order', () => {
      const visits = [visit('early', 'a', 60), visit('late', 'b', 20)];
      const cart = { at, cartStartedAt: minutesBefore(30) };
      assert.equal(credited({ visits }, guard, everybody, cart).credit?.affiliateId, 'a');
      assert.equal(credited({ visits }, guard, everybody, moment).credit?.affiliateId, 'b');
    });
  });
});
