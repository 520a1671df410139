// The orders of the shop, in memory: a real shop has them in its database.
import { randomUUID } from 'node:crypto';

export function createOrders() {
  const orders = new Map();
  const add = (order) => {
    orders.set(order.id, order);
    return order;
  };
  const newId = () => `shop-${randomUUID().slice(0, 8)}`;
  return {
    find: (id) => orders.get(id) ?? null,

    create({ product, email, coupon, clickId }) {
      const customerId = email.trim().toLowerCase();
      const subscription = product.isSubscription ? { externalId: `sub-${randomUUID().slice(0, 8)}`, sequence: 1 } : null;
      const amountCents = product.priceCents;
      return add({ id: newId(), product, email, customerId, coupon, clickId, subscription, amountCents, refundedCents: 0 });
    },

    /** The next payment of a subscription, for which no click is needed: it belongs to the first order. */
    renew({ product, email, customerId, subscription, amountCents }) {
      const next = { externalId: subscription.externalId, sequence: subscription.sequence + 1 };
      const parts = { product, email, customerId, amountCents };
      return add({ ...parts, id: newId(), coupon: '', clickId: null, subscription: next, refundedCents: 0 });
    },

    refund(order, amountCents) {
      order.refundedCents += amountCents;
      return { id: `refund-${randomUUID().slice(0, 8)}`, amountCents };
    },
  };
}
