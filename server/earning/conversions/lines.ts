// From the items of an order to the lines that commissions are calculated on. A discount on the whole order
// is split over the lines in proportion; leftover cents of the discount go to the largest remainders, and
// between equal remainders to the earlier line. The lines add up to the order's amount.

import { allocate } from '../../platform/lib/money.ts';
import type { Line } from '../commission-rules/order-facts.ts';
import { itemsTotal, type ReportedOrder } from './order.ts';

/** A product that an item may name, by any of its ids. */
export type KnownProduct = { id: string; externalId: string | null; sku: string | null; name: string; category: string | null };

type Item = ReportedOrder['items'][number];

/** Which product an item means; our id counts most, then the shop's, then the SKU. Null for an unknown one. */
export function productOf(item: Item, products: readonly KnownProduct[]): KnownProduct | null {
  const { productId, externalProductId, sku } = item;
  return (
    (productId && products.find(({ id }) => id === productId)) ||
    (externalProductId && products.find(({ externalId }) => externalId === externalProductId)) ||
    (sku && products.find((product) => product.sku === sku)) ||
    null
  );
}

/** The lines of an order; one of the whole amount when it names no items. */
export function linesOf(order: ReportedOrder, products: readonly KnownProduct[]): Line[] {
  if (order.items.length === 0) {
    return [{ position: 0, productId: null, category: null, name: null, quantity: 1, amountCents: order.amountCents }];
  }
  const before = order.items.map(({ amountCents, discountCents }) => amountCents - discountCents);
  const discounts = allocate(itemsTotal(order) - order.amountCents, before);
  return order.items.map((item, position) => {
    const product = productOf(item, products);
    return {
      position,
      productId: product?.id ?? null,
      category: product?.category ?? null,
      name: product?.name ?? item.name ?? item.sku ?? item.externalProductId ?? null,
      quantity: item.quantity,
      amountCents: (before[position] ?? 0) - (discounts[position] ?? 0),
    };
  });
}
