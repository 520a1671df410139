// How Paddle's events are parsed, on the payloads that it documents.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adjustment, paddleEvent, transaction } from '../examples/paddle.ts';
import { paddle } from '../paddle.ts';
import type { OrderAction, StoreAction } from '../store.ts';

const live = { config: {}, isLive: true };
const parse = (type: string, data: Record<string, unknown>) => paddle.parseEvent(type, paddleEvent('evt_1', type, data), live);
const parseSale = (given = {}) => parse('transaction.completed', transaction(given));

function findOrder(actions: readonly StoreAction[]): OrderAction {
  return actions.find((action): action is OrderAction => action.kind === 'order') ?? assert.fail('no order');
}

describe('Paddle', () => {
  test('a completed transaction is an order without tax, after discounts, with its lines', () => {
    const { subject, actions } = parseSale({ custom_data: { ref: 'ADA', note: 'x' }, discount_id: 'dsc_1' });
    const { order, signals, references, lineIds } = findOrder(actions);
    assert.equal(subject, 'txn_01hv8wptq8987qeep44cyrewp9');
    assert.deepEqual([order.orderId, order.amountCents, order.currency], ['txn_01hv8wptq8987qeep44cyrewp9', 56_900, 'USD']);
    assert.deepEqual([order.taxCents, order.discountCents], [5049, 3000]);
    assert.deepEqual(
      order.items?.map((item) => [item.externalProductId, item.quantity, item.amountCents, item.discountCents]),
      [
        ['pro_01gsz4t5hdjse780zja8vvr7jg', 10, 30_000, 3000],
        ['pro_01h1vjes1y163xfj1rh1tkfb65', 1, 10_000, 0],
        ['pro_01gsz97mq9pa4fkyy0wqenepkz', 1, 19_900, 0],
      ],
    );
    assert.deepEqual(order.customer, { externalId: 'ctm_01hv6y1jedq4p1n0yqn5ba3ky4', email: null });
    assert.deepEqual(signals, { referralCode: 'ADA', couponIds: ['dsc_1'] });
    assert.deepEqual([references, lineIds.length], [['txn_01hv8wptq8987qeep44cyrewp9'], 3]);
  });

  test('signals of the first transaction are stored for renewals, which are separate orders', () => {
    const first = parseSale({ subscription_id: 'sub_1', custom_data: { trb_ref: 'ADA' } });
    assert.deepEqual(first.actions[1], { kind: 'signals', reference: 'sub_1', signals: { referralCode: 'ADA' } });
    const renewal = parseSale({ id: 'txn_2', subscription_id: 'sub_1', origin: 'subscription_recurring' });
    const { order, signalReferences } = findOrder(renewal.actions);
    assert.deepEqual([renewal.subject, order.orderId, order.subscription], ['sub_1', 'txn_2', { externalId: 'sub_1' }]);
    assert.deepEqual([signalReferences, renewal.actions.length], [['txn_2', 'sub_1'], 1]);
  });

  test('lines that don’t add up because they are prorated are left out; the order has the amount of the transaction', () => {
    const lineItems = [{ id: 'txnitm_1', quantity: 1, totals: { tax: '0', total: '-100', discount: '0' } }];
    const details = { totals: { tax: '19', total: '119', discount: '0' }, line_items: lineItems };
    const { order, lineIds } = findOrder(parseSale({ details }).actions);
    assert.deepEqual([order.amountCents, order.items, lineIds], [100, [], []]);
  });

  test('amounts are in the smallest unit of currencies with no and with three decimals', () => {
    const details = { totals: { tax: '100', total: '1350', discount: '0' }, line_items: [] };
    for (const currency of ['JPY', 'KRW', 'KWD', 'USD'])
      assert.deepEqual(
        [findOrder(parseSale({ details, currency_code: currency }).actions).order].map((order) => [order.amountCents, order.currency]),
        [[1250, currency]],
      );
    const invalid = { totals: { tax: '0', total: '12.50', discount: '0' }, line_items: [] };
    assert.throws(() => parseSale({ details: invalid }), /Invalid event: details.totals.total must be an integer/);
  });

  test('a refund is the net amount of each item, and counts once Paddle approved it', () => {
    const items = [{ lineId: 'txnitm_01hv8wt98jahpbm1t1v1sd067y', amountCents: 10_000 }];
    assert.deepEqual(parse('adjustment.updated', adjustment()).actions, [
      {
        kind: 'refund',
        references: ['txn_01hv8wptq8987qeep44cyrewp9'],
        refundId: 'paddle:adj_01hvgf2s84dr6reszzg29zbvcm',
        amountCents: 10_000,
        units: items,
        reason: 'refund',
      },
    ]);
    for (const status of ['pending_approval', 'rejected'])
      assert.equal(parse('adjustment.created', adjustment({ status })).ignored, 'nothing_refunded');
    const taxOnly = { items: [], totals: { tax: '887', total: '887', subtotal: '0' } };
    assert.equal(parse('adjustment.updated', adjustment(taxOnly)).ignored, 'nothing_refunded');
    const [full] = parse('adjustment.updated', adjustment({ items: [], type: 'full' })).actions;
    assert.deepEqual(full?.kind === 'refund' && [full.amountCents, full.units], [10_000, []]);
  });

  test('a chargeback is a lost dispute, and its reversal a won one', () => {
    const statusOf = (action: string, status = 'approved') => {
      const [dispute] = parse('adjustment.created', adjustment({ action, status })).actions;
      return dispute?.kind === 'dispute' ? [dispute.status, dispute.amountCents] : null;
    };
    assert.deepEqual(statusOf('chargeback_warning'), ['opened', 10_000]);
    assert.deepEqual(statusOf('chargeback'), ['lost', 10_000]);
    assert.deepEqual(statusOf('chargeback_reverse'), ['won', 10_000]);
    assert.deepEqual(statusOf('chargeback', 'reversed'), ['won', 10_000]);
  });

  test('other events are ignored with the reason', () => {
    assert.equal(parse('transaction.paid', transaction({ status: 'paid' })).ignored, 'superseded_topic');
    assert.equal(parse('subscription.created', { id: 'sub_1' }).ignored, 'unsupported_topic');
    assert.equal(parseSale({ status: 'billed' }).ignored, 'not_paid');
    const free = { totals: { tax: '0', total: '0', discount: '0' }, line_items: [] };
    assert.equal(parseSale({ details: free }).ignored, 'nothing_charged');
  });
});
