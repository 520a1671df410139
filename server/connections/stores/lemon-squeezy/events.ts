// Events of Lemon Squeezy. An order is an order, and so is each later invoice of a subscription: its first one is the
// invoice of the order. Each event has the present state, so it records the order and states its refunds in full.
import { z } from 'zod';
import { parseAs, storeId } from '../payload.ts';
import { findSignals } from '../signals.ts';
import { type EventSettings, ignore, type ParsedEvent, type StoreAction, type StoreOrder } from '../store.ts';
import { buildConverter } from './amounts.ts';

export const LemonSqueezyEvent = z.object({
  meta: z.object({
    event_name: z.string().min(1).max(100),
    test_mode: z.boolean().nullish(),
    // PHP serializes an empty object as an empty list.
    custom_data: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).nullish(),
  }),
  data: z.object({ id: storeId, attributes: z.record(z.string(), z.unknown()) }),
});
type Meta = z.output<typeof LemonSqueezyEvent>['meta'];

const orderTopics = new Set(['order_created', 'order_refunded']);
const invoiceTopics = new Set(['subscription_payment_success', 'subscription_payment_recovered', 'subscription_payment_refunded']);

/** The actions of an event. Throws UnreadableEvent. */
export function parseLemonSqueezyEvent(topic: string, payload: unknown, { config, isLive }: EventSettings): ParsedEvent {
  const { meta, data } = parseAs(LemonSqueezyEvent, payload);
  const isOrder = orderTopics.has(topic);
  if (!isOrder && !invoiceTopics.has(topic)) return ignore('unsupported_topic');
  const sale = parseAs(isOrder ? Order : Invoice, data.attributes);
  if (isLive && (meta.test_mode || sale.test_mode)) return ignore('test_event');
  if (sale.billing_reason === 'initial') return ignore('superseded_topic');
  if (!paidStatuses.has(sale.status)) return ignore('not_paid');
  if (sale.total <= 0) return ignore('nothing_charged');
  const prefix = typeof config.orderPrefix === 'string' ? config.orderPrefix : '';
  // Orders and invoices are numbered separately.
  return buildActions(sale, `${prefix}${isOrder ? '' : 'invoice-'}${data.id}`, meta);
}

const paidStatuses = new Set(['paid', 'partial_refund', 'refunded']);

const Sale = z.object({
  customer_id: storeId.nullish(),
  user_email: z.string().nullish(),
  currency: z.string(),
  status: z.string(),
  discount_total: z.int(),
  tax: z.int(),
  total: z.int(),
  total_formatted: z.string().nullish(),
  refunded: z.boolean().nullish(),
  refunded_amount: z.int().nullish(),
  created_at: z.string().nullish(),
  test_mode: z.boolean().nullish(),
});
const OrderItem = z.object({ product_id: storeId, product_name: z.string().nullish(), quantity: z.number().nullish() });
const optional = { first_order_item: OrderItem.nullish(), subscription_id: storeId.nullish(), billing_reason: z.string().nullish() };
const Order = Sale.extend(optional);
const Invoice = Sale.extend({ ...optional, subscription_id: storeId, billing_reason: z.string() });
type Sale = z.output<typeof Order>;

function buildActions(sale: Sale, orderId: string, meta: Meta): ParsedEvent {
  const currency = sale.currency.toUpperCase();
  const toCents = buildConverter(sale.total, sale.total_formatted, currency);
  const grossCents = toCents(sale.total);
  const order = buildOrder(sale, { orderId, currency, toCents });
  const fields = meta.custom_data && !Array.isArray(meta.custom_data) ? meta.custom_data : {};
  const actions: StoreAction[] = [
    {
      kind: 'order',
      order,
      signals: findSignals(Object.entries(fields)),
      references: [orderId],
      signalReferences: [orderId],
      grossCents,
      lineIds: [],
    },
  ];
  const refunded = sale.refunded_amount ?? (sale.refunded ? sale.total : 0);
  if (refunded > 0) {
    const source = `lemonsqueezy:${orderId}`;
    actions.push({ kind: 'refund_total', references: [orderId], source, refundedCents: toCents(refunded), grossCents });
  }
  return { subject: orderId, actions };
}

type Parts = { orderId: string; currency: string; toCents(amount: number): number };

/** The total includes tax, whether prices do or not. */
function buildOrder(sale: Sale, { orderId, currency, toCents }: Parts): StoreOrder {
  const amountCents = toCents(sale.total) - toCents(sale.tax);
  const item = sale.first_order_item;
  const discountCents = toCents(sale.discount_total);
  return {
    orderId,
    amountCents,
    currency,
    items: item
      ? [
          {
            externalProductId: item.product_id,
            sku: null,
            name: item.product_name?.trim().slice(0, 200) || null,
            quantity: Math.max(1, Math.floor(item.quantity ?? 1)),
            amountCents: amountCents + discountCents,
            discountCents,
          },
        ]
      : [],
    customer: { externalId: sale.customer_id ?? null, email: sale.user_email || null },
    taxCents: toCents(sale.tax),
    discountCents,
    subscription: sale.subscription_id ? { externalId: sale.subscription_id } : undefined,
    occurredAt: sale.created_at ?? undefined,
  };
}
