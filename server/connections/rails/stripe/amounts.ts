// Amounts in the units of Stripe's API, for payouts and for stores.
import { changeDecimals, currencyDecimals } from '../../../platform/lib/currency.ts';

/** Currencies whose smallest unit at Stripe differs from ISO 4217: https://docs.stripe.com/currencies#special-cases. */
const stripeDecimals: Record<string, number> = { ISK: 2, UGX: 2, MGA: 0 };

/** Cents in Stripe's units. Null if Stripe can't express the amount. */
export function toStripeUnits(cents: number, currency: string): number | null {
  return changeDecimals(cents, currencyDecimals(currency), stripeDecimals[currency] ?? currencyDecimals(currency));
}

/** An amount of Stripe in cents. Null if it is not a whole number of them. The currency can be in lower case. */
export function fromStripeUnits(amount: number, currency: string): number | null {
  const code = currency.toUpperCase();
  return changeDecimals(amount, stripeDecimals[code] ?? currencyDecimals(code), currencyDecimals(code));
}
