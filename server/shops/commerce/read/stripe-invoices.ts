// Invoices of Stripe: each paid one is an order. Where its parts stand has moved between versions of the API;
// both places are read.
import { z } from 'zod';
import { type Reading, Unreadable } from '../act.ts';
import { stripeUnits } from '../amounts.ts';
import { hintsOf } from './hints.ts';
import { readAs } from './signature.ts';
import { currencyOf, discountIds, idIn, metadataHints, reference, stripeHints } from './stripe-fields.ts';

const amount = z.number().nullish();
const metadata = z.record(z.string(), z.unknown()).nullish();
const details = z.object({ subscription: reference, metadata }).nullish();

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
  subscription_details: details,
  parent: z.object({ subscription_details: details }).nullish(),
  payment_intent: reference,
  charge: reference,
  payments: z.object({ data: z.array(z.object({ payment: z.object({ payment_intent: reference, charge: reference }) })) }).nullish(),
  status_transitions: z.object({ paid_at: amount }).nullish(),
  metadata,
  discounts: discountIds,
});
type Invoice = z.output<typeof Invoice>;

/** `invoice.paid`. */
export function readInvoice(object: Record<string, unknown>): Reading {
  const invoice = readAs(Invoice, object);
  if (invoice.amount_paid <= 0) return { subject: null, acts: [], ignored: 'nothing was paid' };
  const currency = currencyOf(invoice.currency);
  const units = (value: number) => {
    const whole = stripeUnits(value, currency);
    if (whole === null) throw new Unreadable(`${value} is no whole amount in ${currency}.`);
    return whole;
  };
  const ofSubscription = invoice.parent?.subscription_details ?? invoice.subscription_details;
  const subscription = idIn(invoice.subscription) ?? idIn(ofSubscription?.subscription);
  const tax = invoice.tax ?? (invoice.total_taxes ?? []).reduce((all, part) => all + part.amount, 0);
  const shipping = invoice.shipping_cost?.amount_subtotal ?? 0;
  const at = invoice.status_transitions?.paid_at ?? invoice.created;
  const report = {
    ...{ orderId: invoice.id, amountCents: units((invoice.total_excluding_tax ?? invoice.total - tax) - shipping), currency },
    ...{ customer: customerOf(invoice), taxCents: units(tax), shippingCents: units(shipping) },
    ...(subscription !== null && { subscription: { externalId: subscription } }),
    ...(typeof at === 'number' && { occurredAt: new Date(at * 1000).toISOString() }),
  };
  const names = namesOf(invoice);
  const hints = hintsOf(stripeHints(null, invoice.metadata, invoice.discounts), metadataHints(ofSubscription?.metadata).hints);
  const hintsUnder = [invoice.id, ...(subscription === null ? [] : [subscription])];
  const order = { kind: 'order' as const, report, hints, names, hintsUnder, grossCents: units(invoice.total), lineIds: [] };
  return { subject: subscription ?? invoice.id, acts: [order] };
}

function customerOf({ customer, customer_email: email, customer_address: address }: Invoice) {
  return { externalId: idIn(customer), email: email ?? null, ...(address?.country && { country: address.country }) };
}

function namesOf({ id, payment_intent: intent, charge, payments }: Invoice): string[] {
  const paid = (payments?.data ?? []).flatMap(({ payment }) => [idIn(payment.payment_intent), idIn(payment.charge)]);
  return [id, idIn(intent), idIn(charge), ...paid].flatMap((name) => name ?? []);
}

const Payment = z.object({ invoice: reference, payment: z.object({ payment_intent: reference, charge: reference }) });

/** `invoice_payment.paid`: since 2025 the only one that says which payment an invoice was paid by. */
export function readInvoicePayment(object: Record<string, unknown>): Reading {
  const { invoice, payment } = readAs(Payment, object);
  const orderId = idIn(invoice);
  const names = [idIn(payment.payment_intent), idIn(payment.charge)].flatMap((name) => name ?? []);
  if (orderId === null || names.length === 0) return { subject: null, acts: [], ignored: 'it names no payment' };
  return { subject: orderId, acts: [{ kind: 'names', orderId, names }] };
}
