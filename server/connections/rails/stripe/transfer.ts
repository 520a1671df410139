import type Stripe from 'stripe';
import { findAmountMismatch, unknownOutcome } from '../outcomes.ts';
import type { Outcome, Payment, RailPayment } from '../rail.ts';
import { fromStripeUnits, toStripeUnits } from './amounts.ts';
import { name } from './client.ts';

/** Currencies with three decimals, the last of which must be 0. */
const tensOnly = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** The amount in Stripe's units, or null if it can't be paid exactly. */
export function toStripeAmount({ amountCents, currency }: Payment): number | null {
  const amount = toStripeUnits(amountCents, currency);
  return amount !== null && tensOnly.has(currency) && amount % 10 !== 0 ? null : amount;
}

/** A transfer has arrived in the connected account, until it is reversed. */
export function toTransferOutcome(transfer: Stripe.Transfer, payment: Payment | null): Outcome {
  if (!isTransfer(transfer)) return unknownOutcome(`Unreadable response from ${name}.`);
  const reference = transfer.id;
  if (payment && transfer.metadata.payoutId !== payment.id) return unknownOutcome(`${name} has a different payment under this reference.`);
  const mismatch = payment && findAmountMismatch(payment, fromStripeUnits(transfer.amount, transfer.currency), transfer.currency);
  if (mismatch) return unknownOutcome(mismatch, reference);
  if (transfer.reversed) return { outcome: 'returned', reference, reason: `The transfer was reversed by ${name}.` };
  if (transfer.amount_reversed > 0) return unknownOutcome(`Part of the transfer was reversed by ${name}.`, reference);
  return { outcome: 'paid', reference };
}

/** The library declares types, but validates nothing. */
function isTransfer(value: Partial<Stripe.Transfer> | null): boolean {
  const { id, amount, currency, metadata } = value ?? {};
  return typeof id === 'string' && typeof amount === 'number' && typeof currency === 'string' && typeof metadata === 'object';
}

export function toRailPayment(transfer: Stripe.Transfer): RailPayment {
  const { payoutId, affiliateId } = transfer.metadata;
  const amountCents = fromStripeUnits(transfer.amount, transfer.currency);
  if (amountCents === null) throw new Error(`${name} reported an unreadable amount.`);
  return {
    reference: transfer.id,
    paymentId: payoutId ?? null,
    affiliateId: affiliateId ?? null,
    amountCents,
    currency: transfer.currency.toUpperCase(),
    state: transfer.reversed ? 'returned' : 'paid',
    at: new Date(transfer.created * 1000),
  };
}
