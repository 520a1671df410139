// Worked examples: what each line of an order costs after its own discount and its share of the order's discount.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildLines, findProduct, type KnownProduct, ReportedOrder } from './order.ts';

type Item = [amountCents: number, discountCents?: number];

const orderOf = (amountCents: number, items: Item[]) =>
  ReportedOrder.parse({
    orderId: 'o',
    amountCents,
    items: items.map(([cents, discountCents = 0]) => ({ amountCents: cents, discountCents })),
  });

const examples: { name: string; sum: string; amountCents: number; items: Item[]; lines: number[] }[] = [
  { name: 'an order without items is one line', sum: '4980', amountCents: 4980, items: [], lines: [4980] },
  {
    name: 'without discounts, each line costs its amount',
    sum: '1000 + 2000 = 3000',
    amountCents: 3000,
    items: [[1000], [2000]],
    lines: [1000, 2000],
  },
  {
    name: "an item's own discount reduces only its line",
    sum: '1000−250=750, 2000',
    amountCents: 2750,
    items: [[1000, 250], [2000]],
    lines: [750, 2000],
  },
  {
    name: 'a discount on the order is split in proportion',
    sum: '3000−300: 2700 by 1000:2000 = 900, 1800',
    amountCents: 2700,
    items: [[1000], [2000]],
    lines: [900, 1800],
  },
  {
    name: 'the odd cent goes to the largest remainder',
    sum: '100 by 333:334:335 of 1002 = 33.23, 33.33, 33.43 → 33, 33, 34',
    amountCents: 100,
    items: [[333], [334], [335]],
    lines: [33, 33, 34],
  },
  {
    name: 'between equal remainders, the first line takes the odd cent of the discount',
    sum: '100 off by 1:1:1 = 33.33 each → 34, 33, 33 off',
    amountCents: 200,
    items: [[100], [100], [100]],
    lines: [66, 67, 67],
  },
  {
    name: "an item's own discount applies before its share of the order's",
    sum: '1000−500=500, 1500: 1900 by 500:1500 = 475, 1425',
    amountCents: 1900,
    items: [[1000, 500], [1500]],
    lines: [475, 1425],
  },
  {
    name: 'a free item takes no share of a discount',
    sum: '1000−1000=0, 2000: 1500 by 0:2000 = 0, 1500',
    amountCents: 1500,
    items: [[1000, 1000], [2000]],
    lines: [0, 1500],
  },
  { name: 'an order discounted to 0 has lines of 0', sum: '0', amountCents: 0, items: [[1000], [2000]], lines: [0, 0] },
  {
    name: 'a discount of one cent reduces the first of two equal lines',
    sum: '1 off by 1000:1000 = 0.5 each → 1, 0 off',
    amountCents: 1999,
    items: [[1000], [1000]],
    lines: [999, 1000],
  },
  {
    name: 'the last cent of an order goes to one line',
    sum: '1999 off by 1000:1000 = 999.5 each → 1000, 999 off',
    amountCents: 1,
    items: [[1000], [1000]],
    lines: [0, 1],
  },
  {
    name: 'the largest amounts are split exactly',
    sum: '99999999999 by 99999999999:1 of 10^11 = 99999999998.00000000001, 0.99999999999 → 99999999998, 1',
    amountCents: 99_999_999_999,
    items: [[99_999_999_999], [1]],
    lines: [99_999_999_998, 1],
  },
];

describe('the lines of an order', () => {
  for (const { name, sum, amountCents, items, lines } of examples) {
    test(`${name}: ${sum}`, () => {
      const got = buildLines(orderOf(amountCents, items), []);
      assert.deepEqual(
        got.map((line) => line.amountCents),
        lines,
      );
      assert.deepEqual(
        got.map(({ position }) => position),
        lines.map((_, index) => index),
      );
    });
  }

  test('an amount above the items is rejected, and one cent below them is a discount', () => {
    assert.throws(() => orderOf(3001, [[1000], [2000]]), /must not exceed the sum of the items after their discounts \(3000\)/);
    assert.deepEqual(
      buildLines(orderOf(2999, [[1000], [2000]]), []).map(({ amountCents }) => amountCents),
      [1000, 1999], // 999.67, 1999.33: the cent to .67
    );
    assert.throws(() => orderOf(1000, [[1000, 1001]]), /must not exceed amountCents/);
    const most = 99_999_999_999;
    assert.throws(() => orderOf(most, [[most], [most], [1]]), /must not exceed 199999999998 in total after their discounts/);
    assert.equal(buildLines(orderOf(most, [[most], [most]]), []).length, 2);
  });

  test("a product is found by its id, else by the store's id, else by its SKU, and sets category and name", () => {
    const known = (id: string, externalId: string | null, sku: string | null): KnownProduct => ({
      id,
      externalId,
      sku,
      name: `name of ${id}`,
      category: `category of ${id}`,
    });
    const ours = '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f';
    const products = [known('by-sku', null, 's-1'), known('by-shop', 'x-1', 's-2'), known(ours, 'x-2', 's-1')];
    const found = (item: object) => {
      const [first] = ReportedOrder.parse({ orderId: 'o', amountCents: 0, items: [{ amountCents: 0, ...item }] }).items;
      return first && findProduct(first, products)?.id;
    };
    assert.equal(found({ productId: ours, externalProductId: 'x-1', sku: 's-1' }), ours);
    assert.equal(found({ externalProductId: 'x-1', sku: 's-1' }), 'by-shop');
    assert.equal(found({ sku: 's-1' }), 'by-sku');
    // An unknown id falls back to the next one.
    assert.equal(found({ productId: ours.replace('4e5f', '0000'), sku: 's-2' }), 'by-shop');
    assert.equal(found({ sku: 'unknown' }), undefined);
    const order = ReportedOrder.parse({
      orderId: 'o',
      amountCents: 500,
      items: [{ amountCents: 500, quantity: 3, sku: 's-2', name: 'Tee' }],
    });
    assert.deepEqual(buildLines(order, products), [
      { position: 0, productId: 'by-shop', category: 'category of by-shop', name: 'name of by-shop', quantity: 3, amountCents: 500 },
    ]);
  });
});
