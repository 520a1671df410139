// What becomes of acts where a shop says more, or says it twice.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../test/builders.ts';
import { openTestService, type TestService } from '../../test/harness.ts';
import { aShop, externalIdOf, type Sent, type TestShop } from '../../test/shops.ts';
import { shopifyOrder, shopifyRefund } from './examples/shopify.ts';

type Type = 'stripe' | 'shopify' | 'generic';

describe('acts of a shop', () => {
  let service: TestService;
  let code = '';
  const shops = new Map<Type, TestShop>();
  before(async () => {
    service = await openTestService();
    await aRule(service);
    code = (await anAffiliate(service, { status: 'active' })).referralCode;
    for (const type of ['stripe', 'shopify', 'generic'] as const) shops.set(type, await aShop(service, type));
  });
  after(() => service.close());

  const shop = (type: Type) => shops.get(type) ?? assert.fail(type);
  const deliver = async (type: Type, sent: Sent) => {
    assert.equal((await shop(type).send(sent)).status, 200);
    await service.drain();
    const events = await shop(type).events();
    return events.find(({ externalId }) => externalId === externalIdOf(type, sent)) ?? assert.fail('not kept');
  };
  const moneyOf = async (orderId: string) => {
    const { rows } = await service.pool.query(`select amount_cents, refunded_cents from conversions where order_id = $1`, [orderId]);
    return rows.map((row) => [Number(row.amount_cents), Number(row.refunded_cents)]);
  };

  test('an order of more lines than are kept: a unit that comes back is an amount of it, not all of it', async () => {
    const id = 6_000_201;
    const items = Array.from({ length: 201 }, (_, index) => ({ id: index + 1, quantity: 1, price: '1.00', title: `Tea ${index}` }));
    const note = { name: 'ref', value: code };
    const prices = { subtotal_price: '201.00', total_price: '201.00', total_tax: '0.00', total_discounts: '0.00', discount_codes: [] };
    const order = shopifyOrder({ id, ...prices, line_items: items, note_attributes: [note], customer: null, email: null });
    await deliver('shopify', { id: 'many-1', topic: 'orders/paid', body: order });
    const back = shopifyRefund({
      ...{ id: id * 10, order_id: id, refund_line_items: [{ id: 1, line_item_id: 1, quantity: 1, subtotal: 1 }] },
      transactions: [{ id: 1, kind: 'refund', status: 'success', amount: '1.00', currency: 'USD' }],
    });
    await deliver('shopify', { id: 'many-2', topic: 'refunds/create', body: back });
    assert.deepEqual(await moneyOf(String(id)), [[20_100, 100]]);
  });
});
