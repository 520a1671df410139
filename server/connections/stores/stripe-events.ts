// Events of Stripe. A one-off checkout is an order. A checkout in mode `subscription` is not: its attribution signals
// are stored for the subscription, and each paid invoice is an order. Fields of an invoice have moved between
// versions of Stripe's API; both places are read.
import { z } from 'zod';
import { fromStripeUnits } from '../rails/stripe/amounts.ts';
import { parseAs } from './payload.ts';
import { findSignals, mergeSignals, parseSignal, type Signals } from './signals.ts';
import {
  type EventSettings,
  ignore,
  type OrderAction,
  type ParsedEvent,
  type References,
  type StoreAction,
  type StoreOrder,
  UnreadableEvent,
} from './store.ts';

export const StripeEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  created: z.number().optional(),
  livemode: z.boolean().optional(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
});

type StripeObject = Record<string, unknown>;

const parsers: Record<string, (object: StripeObject) => ParsedEvent> = {
  'checkout.session.completed': parseSession,
  'checkout.session.async_payment_succeeded': parseSession,
  'invoice.paid': parseInvoice,
  'invoice_payment.paid': parseInvoicePayment,
  'charge.refunded': parseRefundedCharge,
  'charge.dispute.created': (object) => parseDispute(object, 'opened'),
  'charge.dispute.closed': (object) => parseDispute(object, 'closed'),
};

/** The actions of an event. Throws UnreadableEvent. */
export function parseStripeEvent(topic: string, payload: unknown, { isLive }: EventSettings): ParsedEvent {
  const { data, livemode } = parseAs(StripeEvent, payload);
  if (isLive && livemode === false) return ignore('test_event');
  return parsers[topic]?.(data.object) ?? ignore('unsupported_topic');
}

function parseStripeAmount(amount: number, currency: string): number {
  const cents = fromStripeUnits(amount, currency);
  if (cents === null) throw new UnreadableEvent(`${amount} is not a whole amount in ${currency}.`);
  return cents;
}

/** Another object: its id, or the object itself in an expanded event. */
const reference = z.union([z.string(), z.object({ id: z.string() })]).nullish();
type Reference = z.output<typeof reference>;
const metadata = z.record(z.string(), z.unknown()).nullish();
type Metadata = z.output<typeof metadata>;
/** Discounts: ids, or objects with a coupon or promotion code. */
const discounts = z
  .array(z.union([z.string(), z.object({ id: z.string().nullish(), coupon: reference, promotion_code: reference })]))
  .nullish();

function idOf(value: Reference): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}

function collectIds(...values: Reference[]): string[] {
  return values.flatMap((value) => idOf(value) ?? []);
}

function toIsoTime(seconds: number | null | undefined): string | undefined {
  return typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : undefined;
}

function findOrderId(fields: Metadata): string | null {
  const orderId = Object.entries(fields ?? {}).find(([name]) => /^(order_?id|trb_order)$/i.test(name))?.[1];
  return typeof orderId === 'string' && orderId.trim() !== '' && orderId.length <= 255 ? orderId.trim() : null;
}

/** Metadata, which is named, takes precedence over the free field. */
function collectSignals(fields: Metadata, used: z.output<typeof discounts>, freeField: unknown = null): Signals {
  const couponIds = (used ?? []).flatMap((discount) =>
    typeof discount === 'string' ? [] : collectIds(discount.promotion_code, discount.coupon),
  );
  return mergeSignals(findSignals(Object.entries(fields ?? {})), parseSignal(freeField), couponIds.length > 0 ? { couponIds } : {});
}

const Session = z.object({
  id: z.string(),
  mode: z.string(),
  payment_status: z.string(),
  created: z.number().optional(),
  currency: z.string().nullish(),
  amount_total: z.number().nullish(),
  total_details: z
    .object({ amount_discount: z.number().nullish(), amount_shipping: z.number().nullish(), amount_tax: z.number().nullish() })
    .nullish(),
  client_reference_id: z.string().nullish(),
  metadata,
  customer: reference,
  customer_details: z.object({ email: z.string().nullish(), address: z.object({ country: z.string().nullish() }).nullish() }).nullish(),
  payment_intent: reference,
  subscription: reference,
  invoice: reference,
  discounts,
});

function parseSession(object: StripeObject): ParsedEvent {
  const session = parseAs(Session, object);
  const signals = collectSignals(session.metadata, session.discounts, session.client_reference_id);
  if (session.mode === 'subscription') {
    const actions = collectIds(session.subscription, session.invoice).map(
      (id): StoreAction => ({ kind: 'signals', reference: id, signals }),
    );
    return { subject: idOf(session.subscription), actions };
  }
  if (session.mode !== 'payment') return ignore('nothing_charged');
  if (session.payment_status !== 'paid') return ignore('not_paid');
  const order = buildSessionOrder(session);
  const references = [session.id, ...collectIds(session.payment_intent, session.invoice)];
  const grossCents = order.amountCents + (order.taxCents ?? 0) + (order.shippingCents ?? 0);
  return { subject: order.orderId, actions: [buildOrderAction({ order, signals, references, grossCents })] };
}

function buildSessionOrder(session: z.output<typeof Session>): StoreOrder {
  const currency = (session.currency ?? '').toUpperCase();
  const parse = (amount: number | null | undefined) => parseStripeAmount(amount ?? 0, currency);
  const taxCents = parse(session.total_details?.amount_tax);
  const shippingCents = parse(session.total_details?.amount_shipping);
  const { email, address } = session.customer_details ?? {};
  return {
    // The invoice of a checkout may be delivered as a separate event: both must be one order.
    orderId: idOf(session.invoice) ?? findOrderId(session.metadata) ?? session.id,
    amountCents: parse(session.amount_total) - taxCents - shippingCents,
    currency,
    customer: { externalId: idOf(session.customer), email: email ?? null, country: address?.country || undefined },
    taxCents,
    shippingCents,
    discountCents: parse(session.total_details?.amount_discount),
    occurredAt: toIsoTime(session.created),
  };
}

type Parts = { order: StoreOrder; signals: Signals; references: References; signalReferences?: References; grossCents: number };

function buildOrderAction({ order, signals, references, signalReferences = references, grossCents }: Parts): OrderAction {
  return { kind: 'order', order, signals, references, signalReferences, grossCents, lineIds: [] };
}

const amount = z.number().nullish();
const subscriptionDetails = z.object({ subscription: reference, metadata }).nullish();

const Invoice = z.object({
  id: z.string(),
  currency: z.string(),
  amount_paid: z.number(),
  total: z.number(),
  total_excluding_tax: amount,
  tax: amount,
  total_taxes: z.array(z.object({ amount: z.number() })).nullish(),
  shipping_cost: z.object({ amount_subtotal: amount }).nullish(),
  created: z.number().optional(),
  customer: reference,
  customer_email: z.string().nullish(),
  customer_address: z.object({ country: z.string().nullish() }).nullish(),
  subscription: reference,
  subscription_details: subscriptionDetails,
  parent: z.object({ subscription_details: subscriptionDetails }).nullish(),
  payment_intent: reference,
  charge: reference,
  payments: z.object({ data: z.array(z.object({ payment: z.object({ payment_intent: reference, charge: reference }) })) }).nullish(),
  status_transitions: z.object({ paid_at: amount }).nullish(),
  metadata,
  discounts,
});

function parseInvoice(object: StripeObject): ParsedEvent {
  const invoice = parseAs(Invoice, object);
  if (invoice.amount_paid <= 0) return ignore('not_paid');
  const currency = invoice.currency.toUpperCase();
  const details = invoice.parent?.subscription_details ?? invoice.subscription_details;
  const subscriptionId = idOf(invoice.subscription) ?? idOf(details?.subscription);
  const tax = invoice.tax ?? (invoice.total_taxes ?? []).reduce((all, part) => all + part.amount, 0);
  const shipping = invoice.shipping_cost?.amount_subtotal ?? 0;
  const order: StoreOrder = {
    orderId: invoice.id,
    amountCents: parseStripeAmount((invoice.total_excluding_tax ?? invoice.total - tax) - shipping, currency),
    currency,
    customer: {
      externalId: idOf(invoice.customer),
      email: invoice.customer_email ?? null,
      country: invoice.customer_address?.country || undefined,
    },
    taxCents: parseStripeAmount(tax, currency),
    shippingCents: parseStripeAmount(shipping, currency),
    subscription: subscriptionId === null ? undefined : { externalId: subscriptionId },
    occurredAt: toIsoTime(invoice.status_transitions?.paid_at ?? invoice.created),
  };
  const payments = (invoice.payments?.data ?? []).flatMap(({ payment }) => collectIds(payment.payment_intent, payment.charge));
  const action = buildOrderAction({
    order,
    signals: mergeSignals(collectSignals(invoice.metadata, invoice.discounts), findSignals(Object.entries(details?.metadata ?? {}))),
    references: [invoice.id, ...collectIds(invoice.payment_intent, invoice.charge), ...payments],
    signalReferences: collectIds(invoice.id, subscriptionId),
    grossCents: parseStripeAmount(invoice.total, currency),
  });
  return { subject: subscriptionId ?? invoice.id, actions: [action] };
}

const InvoicePayment = z.object({ invoice: reference, payment: z.object({ payment_intent: reference, charge: reference }) });

/** `invoice_payment.paid`: since 2025 the only event that connects an invoice with its payment. */
function parseInvoicePayment(object: StripeObject): ParsedEvent {
  const { invoice, payment } = parseAs(InvoicePayment, object);
  const orderId = idOf(invoice);
  const references = collectIds(payment.payment_intent, payment.charge);
  if (orderId === null || references.length === 0) return ignore('no_payment');
  return { subject: orderId, actions: [{ kind: 'references', orderId, references }] };
}

const Charge = z.object({
  id: z.string(),
  amount: z.number(),
  amount_refunded: z.number(),
  currency: z.string(),
  payment_intent: reference,
  invoice: reference,
});

function parseRefundedCharge(object: StripeObject): ParsedEvent {
  const charge = parseAs(Charge, object);
  const currency = charge.currency.toUpperCase();
  const references = collectIds(charge.payment_intent, charge.id, charge.invoice);
  const action: StoreAction = {
    kind: 'refund_total',
    references,
    source: `stripe:${charge.id}`,
    refundedCents: parseStripeAmount(charge.amount_refunded, currency),
    grossCents: parseStripeAmount(charge.amount, currency),
  };
  return { subject: references[0] ?? null, actions: [action] };
}

const Dispute = z.object({
  id: z.string(),
  amount: z.number(),
  currency: z.string(),
  status: z.string(),
  charge: reference,
  payment_intent: reference,
});

/** A dispute that is closed without a loss counts as won, including a closed inquiry. */
function parseDispute(object: StripeObject, stage: 'opened' | 'closed'): ParsedEvent {
  const dispute = parseAs(Dispute, object);
  const references = collectIds(dispute.payment_intent, dispute.charge);
  const status = stage === 'opened' ? 'opened' : dispute.status === 'lost' ? 'lost' : 'won';
  const amountCents = parseStripeAmount(dispute.amount, dispute.currency.toUpperCase());
  return { subject: references[0] ?? null, actions: [{ kind: 'dispute', references, disputeId: dispute.id, status, amountCents }] };
}
