import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attribute, type CouponSignal, type Policy, type Signals, type Visit } from './attribution.ts';

const at = new Date('2026-03-10T12:00:00Z');
const policy: Policy = { model: 'last_click', priority: 'coupon_first', windowDays: 30, hijackGuardSeconds: 0 };
const moment: { at: Date; cartStartedAt: Date | null } = { at, cartStartedAt: null };
const always = () => true;
const minutesBefore = (minutes: number) => new Date(at.getTime() - minutes * 60_000);
const visit = (id: string, affiliateId: string, minutes: number): Visit => ({
  id,
  affiliateId,
  at: minutesBefore(minutes),
  action: null,
  subIds: [],
  referrerHost: null,
  destination: null,
  adParameter: null,
  visitorId: null,
});
const coupon = (
  affiliateId: string,
  creditPolicy: CouponSignal['creditPolicy'] = 'always',
  rejection: CouponSignal['rejection'] = null,
): CouponSignal => ({
  id: 'coupon-1',
  code: 'ADA20',
  affiliateId,
  creditPolicy,
  rejection,
});

const credited = (signals: Signals, changed: Partial<Policy> = {}, isActive: (id: string) => boolean = always, when = moment) =>
  attribute(signals, when, { ...policy, ...changed }, isActive);

describe('attribution', () => {
  const all: Signals = {
    affiliateId: 'named',
    coupon: coupon('coupon'),
    visits: [visit('v', 'click', 60)],
    referrer: 'code',
    customerOf: 'first',
  };

  test('ranks the explicit affiliate, coupon, click and code before the first affiliate of the customer', () => {
    const order: [keyof Signals, string][] = [
      ['affiliateId', 'named'],
      ['coupon', 'coupon'],
      ['visits', 'click'],
      ['referrer', 'code'],
      ['customerOf', 'first'],
    ];
    const remaining: Signals = { ...all };
    for (const [signal, winner] of order) {
      assert.equal(credited(remaining).credit?.affiliateId, winner);
      delete remaining[signal];
    }
    assert.equal(credited(remaining).credit, null);
  });

  test('a program can rank clicks before coupons', () => {
    const given = { coupon: coupon('a'), visits: [visit('v', 'b', 60)] };
    assert.equal(credited(given).credit?.affiliateId, 'a');
    assert.equal(credited(given, { priority: 'click_first' }).credit?.affiliateId, 'b');
  });

  test('another affiliate who could have been credited is a conflict; a second signal for the same affiliate is not', () => {
    const { conflict } = credited({ coupon: coupon('a'), visits: [visit('v', 'b', 60)], referrer: 'a' });
    assert.deepEqual(
      conflict.map(({ signal, affiliateId, outcome }) => [signal, affiliateId, outcome]),
      [['click', 'b', 'outranked']],
    );
  });

  test('the credit policy of a coupon can give precedence to a click', () => {
    const other = [visit('v', 'b', 60)];
    const own = [visit('v', 'a', 60)];
    assert.equal(credited({ coupon: coupon('a', 'only_without_click'), visits: other }).credit?.affiliateId, 'b');
    assert.equal(credited({ coupon: coupon('a', 'only_without_click'), visits: own }).credit?.method, 'click');
    assert.equal(credited({ coupon: coupon('a', 'never_over_click'), visits: other }).credit?.affiliateId, 'b');
    assert.equal(credited({ coupon: coupon('a', 'never_over_click'), visits: own }).credit?.method, 'coupon');
    assert.equal(credited({ coupon: coupon('a', 'only_without_click'), visits: [] }).credit?.affiliateId, 'a');
  });

  test('an invalid coupon credits no affiliate and has a reason', () => {
    const { credit, signals } = credited({ coupon: coupon('a', 'always', 'ended'), couponCode: 'ADA20' });
    assert.equal(credit, null);
    assert.equal(signals[0]?.outcome, 'ended');
    assert.equal(credited({ coupon: null, couponCode: 'X' }).signals[0]?.outcome, 'unknown');
  });

  test('the last or the first click inside the window counts, including its exact start', () => {
    const visits = [visit('1', 'a', 60 * 24 * 30), visit('2', 'b', 60), visit('0', 'z', 60 * 24 * 30 + 1)];
    assert.equal(credited({ visits }).credit?.affiliateId, 'b');
    assert.equal(credited({ visits }, { model: 'first_click' }).credit?.affiliateId, 'a');
    assert.equal(credited({ visits }, { model: 'first_click', windowDays: 29 }).credit?.affiliateId, 'b');
  });

  test('a click outside the window or after the order credits no affiliate', () => {
    assert.equal(credited({ visits: [visit('v', 'a', 60 * 24 * 31)] }).signals[0]?.outcome, 'outside_the_window');
    assert.equal(credited({ visits: [visit('v', 'a', -1)] }).signals[0]?.outcome, 'after_the_order');
    assert.equal(credited({ visits: [] }).signals[0]?.outcome, 'unknown');
  });

  test('a click of the same second is before an order whose time has no fractions of a second', () => {
    const clicked = (milliseconds: number) => ({ ...visit('v', 'a', 0), at: new Date(at.getTime() + milliseconds) });
    assert.equal(credited({ visits: [clicked(999)] }).credit?.affiliateId, 'a');
    assert.equal(credited({ visits: [clicked(1000)] }).signals[0]?.outcome, 'after_the_order');
  });

  test('only an active affiliate is credited; the next signal applies', () => {
    const given = { coupon: coupon('gone'), visits: [visit('v', 'b', 60)] };
    const { credit, signals, conflict } = credited(given, {}, (id) => id !== 'gone');
    assert.equal(credit?.affiliateId, 'b');
    assert.equal(signals[0]?.outcome, 'affiliate_not_active');
    assert.deepEqual(conflict, []);
  });

  test('an explicit affiliate who is not active is reported; no other signal applies', () => {
    const given = { affiliateId: 'gone', coupon: coupon('a'), visits: [visit('v', 'b', 60)] };
    const { credit, signals } = credited(given, {}, (id) => id !== 'gone');
    assert.equal(credit, null);
    assert.deepEqual(
      signals.map(({ signal, outcome }) => [signal, outcome]),
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

    test('a late click loses to any other affiliate, but is credited when it is the only signal', () => {
      assert.equal(credited({ visits: [visit('late', 'b', 1)], customerOf: 'a' }, guard).credit?.affiliateId, 'a');
      assert.equal(credited({ visits: [visit('late', 'b', 1)] }, guard).credit?.affiliateId, 'b');
    });

    test('a click after the cart was started is late, however long before the order', () => {
      const visits = [visit('early', 'a', 60), visit('late', 'b', 20)];
      const cart = { at, cartStartedAt: minutesBefore(30) };
      assert.equal(credited({ visits }, guard, always, cart).credit?.affiliateId, 'a');
      assert.equal(credited({ visits }, guard, always, moment).credit?.affiliateId, 'b');
    });
  });
});
