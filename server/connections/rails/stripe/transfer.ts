import type Stripe from 'stripe';
import { changeDecimals, currencyDecimals } from '../../../platform/lib/currency.ts';
import { otherAmount, unknown } from '../answers.ts';
import type { Answer, Payment, RailPayment } from '../rail.ts';
import { name } from './client.ts';

/** Where Stripe's smallest unit isn't ISO 4217's: https://docs.stripe.com/currencies#special-cases. */
const exponents: Record<string, number> = { ISK: 2, UGX: 2, MGA: 0 };

/** Three decimals, of which the last must be 0. */
const inTens = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** The amount as Stripe takes it, or null where it has parts that can't be paid. */
export function stripeAmount({ amountCents, currency }: Payment): number | null {
  const amount = changeDecimals(amountCents, currencyDecimals(currency), exponents[currency] ?? currencyDecimals(currency));
  return amount !== null && inTens.has(currency) && amount % 10 !== 0 ? null : amount;
}

/** An amount of theirs in our units, or null. */
export function centsOfStripe(amount: number, currency: string): number | null {
  const code = currency.toUpperCase();
  return changeDecimals(amount, exponents[code] ?? currencyDecimals(code), currencyDecimals(code));
}

/** A transfer is money in the connected account: it is paid, until it is reversed. */
export function transferAnswer(transfer: Stripe.Transfer, payment: Payment | null): Answer {
  if (!isTransfer(transfer)) return unknown(`Unreadable response from ${name}.`);
  const reference = transfer.id;
  if (payment && transfer.metadata.payoutId !== payment.id) return unknown(`${name} has another payment under this reference.`);
  const other = payment && otherAmount(payment, centsOfStripe(transfer.amount, transfer.currency), transfer.currency);
  if (other) return unknown(other, reference);
  if (transfer.reversed) return { outcome: 'returned', reference, reason: `The transfer was reversed at ${name}.` };
  if (transfer.amount_reversed > 0) return unknown(`A part of the transfer was reversed at ${name}.`, reference);
  return { outcome: 'paid', reference };
}

/** The library types what it is given, and checks nothing. */
function isTransfer(value: Partial<Stripe.Transfer> | null): boolean {
  const { id, amount, currency, metadata } = value ?? {};
  return typeof id === 'string' && typeof amount === 'number' && typeof currency === 'string' && typeof metadata === 'object';
}

export function paymentOf(transfer: Stripe.Transfer): RailPayment {
  const { payoutId, affiliateId } = transfer.metadata;
  const amountCents = centsOfStripe(transfer.amount, transfer.currency);
  if (amountCents === null) throw new Error(`${name} reported an unreadable amount.`);
  return {
    ...{ reference: transfer.id, paymentId: payoutId ?? null, affiliateId: affiliateId ?? null },
    ...{ amountCents, currency: transfer.currency.toUpperCase(), state: transfer.reversed ? 'returned' : 'paid' },
    at: new Date(transfer.created * 1000),
  };
}
