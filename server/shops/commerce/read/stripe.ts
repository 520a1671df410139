// Stripe: how its deliveries are signed, and what its events mean. A checkout in mode `subscription` is no order:
// its hints are kept for the subscription, and each paid invoice is an order.
import { z } from 'zod';
import { BadSignature, type Delivery } from '../../../connections/rails/rail.ts';
import { checkAge } from '../../../connections/rails/standard-webhooks.ts';
import type { Clock } from '../../../platform/lib/clock.ts';
import { type Act, type Incoming, type Reader, type Reading, type ShopSettings, Unreadable } from '../act.ts';
import { stripeUnits } from '../amounts.ts';
import { parsePayload, readAs, requireHmac } from './signature.ts';
import { currencyOf, discountIds, idIn, metadataHints, reference, stripeHints } from './stripe-fields.ts';
import { readInvoice, readInvoicePayment } from './stripe-invoices.ts';

const Envelope = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  created: z.number().optional(),
  livemode: z.boolean().optional(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
});

export const stripe: Reader = {
  check(delivery, { secrets }, clock) {
    checkSignature(delivery, secrets.webhookSecret, clock);
    const payload = delivery.body.toString('utf8');
    const event = Envelope.safeParse(parsePayload(payload));
    if (!event.success) throw new BadSignature('malformed');
    const { id, type, created } = event.data;
    return [
      { externalId: id, topic: type, occurredAt: created === undefined ? null : new Date(created * 1000), payload },
    ] satisfies Incoming[];
  },
  read(topic, payload, { isLive }) {
    const { data, livemode } = readAs(Envelope, payload);
    if (isLive && livemode === false) return ignored('a test event, but the provider is live');
    return readers[topic]?.(data.object) ?? ignored('a topic that says nothing about orders');
  },
};

const readers: Record<string, (object: Record<string, unknown>) => Reading> = {
  'checkout.session.completed': readSession,
  'checkout.session.async_payment_succeeded': readSession,
  'invoice.paid': readInvoice,
  'invoice_payment.paid': readInvoicePayment,
  'charge.refunded': readRefunded,
  'charge.dispute.created': (object) => readDispute(object, false),
  'charge.dispute.closed': (object) => readDispute(object, true),
};

/** `t=…,v1=…`: signed is `t.body`, so an old delivery can't come again as a new one. */
function checkSignature({ headers, body }: Delivery, secret: ShopSettings['secrets'][string] | undefined, clock: Clock): void {
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const given = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []));
  if (given.length === 0 || timestamp === '') throw new BadSignature('missing_signature');
  if (!/^\d{1,12}$/.test(timestamp)) throw new BadSignature('malformed');
  requireHmac(given, { secret, content: Buffer.concat([Buffer.from(`${timestamp}.`), body]), encoding: 'hex' });
  checkAge(new Date(Number(timestamp) * 1000), clock);
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
  metadata: z.record(z.string(), z.unknown()).nullish(),
  customer: reference,
  customer_details: z.object({ email: z.string().nullish(), address: z.object({ country: z.string().nullish() }).nullish() }).nullish(),
  payment_intent: reference,
  subscription: reference,
  invoice: reference,
  discounts: discountIds,
});

function readSession(object: Record<string, unknown>): Reading {
  const session = readAs(Session, object);
  const hints = stripeHints(session.client_reference_id, session.metadata, session.discounts);
  const [invoice, subscription] = [idIn(session.invoice), idIn(session.subscription)];
  if (session.mode === 'subscription') {
    const named = [subscription, invoice].flatMap((name) => name ?? []);
    return { subject: subscription, acts: named.map((name): Act => ({ kind: 'hints', name, hints })) };
  }
  if (session.mode !== 'payment') return ignored('a checkout that charges nothing');
  if (session.payment_status !== 'paid') return ignored('not paid yet');
  const currency = currencyOf(session.currency);
  const units = (amount: number | null | undefined) => unitsOf(amount ?? 0, currency);
  const [gross, tax, shipping] = [
    units(session.amount_total),
    units(session.total_details?.amount_tax),
    units(session.total_details?.amount_shipping),
  ];
  // Its invoice may come as an event of its own: both must be one order.
  const orderId = invoice ?? metadataHints(session.metadata).orderId ?? session.id;
  const country = session.customer_details?.address?.country;
  const customer = { externalId: idIn(session.customer), email: session.customer_details?.email ?? null, ...(country && { country }) };
  const report = {
    ...{ orderId, amountCents: gross - tax - shipping, currency, customer, taxCents: tax, shippingCents: shipping },
    discountCents: units(session.total_details?.amount_discount),
    ...(session.created !== undefined && { occurredAt: new Date(session.created * 1000).toISOString() }),
  };
  const names = [session.id, idIn(session.payment_intent), invoice].flatMap((name) => name ?? []);
  return { subject: orderId, acts: [{ kind: 'order', report, hints, names, hintsUnder: names, grossCents: gross, lineIds: [] }] };
}

const Charge = z.object({
  id: z.string(),
  amount: z.number(),
  amount_refunded: z.number(),
  currency: z.string(),
  payment_intent: reference,
  invoice: reference,
});

/** Stripe says how much of a charge was given back in all. */
function readRefunded(object: Record<string, unknown>): Reading {
  const charge = readAs(Charge, object);
  const currency = currencyOf(charge.currency);
  const of = [idIn(charge.payment_intent), charge.id, idIn(charge.invoice)].flatMap((name) => name ?? []);
  const cents = { refundedCents: unitsOf(charge.amount_refunded, currency), grossCents: unitsOf(charge.amount, currency) };
  return { subject: of[0] ?? null, acts: [{ kind: 'refunded_in_all', of, source: `stripe:${charge.id}`, ...cents }] };
}

const Dispute = z.object({
  id: z.string(),
  amount: z.number(),
  currency: z.string(),
  status: z.string(),
  charge: reference,
  payment_intent: reference,
});

/** Closed without a loss is won: also an inquiry that came to nothing. */
function readDispute(object: Record<string, unknown>, isClosed: boolean): Reading {
  const dispute = readAs(Dispute, object);
  const of = [idIn(dispute.payment_intent), idIn(dispute.charge)].flatMap((name) => name ?? []);
  const status = !isClosed ? 'opened' : dispute.status === 'lost' ? 'lost' : 'won';
  const amountCents = unitsOf(dispute.amount, currencyOf(dispute.currency));
  return { subject: of[0] ?? null, acts: [{ kind: 'dispute', of, disputeId: dispute.id, status, amountCents }] };
}

function unitsOf(amount: number, currency: string): number {
  const units = stripeUnits(amount, currency);
  if (units === null) throw new Unreadable(`${amount} is no whole amount in ${currency}.`);
  return units;
}

function ignored(why: string): Reading {
  return { subject: null, acts: [], ignored: why };
}
