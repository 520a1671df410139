// Stripe Connect: a transfer to a connected account, with our id as the idempotency key, which Stripe stores for 24 hours.
// Our id is also the transfer group, by which a payment can always be found.
import { z } from 'zod';
import { decimalsByCurrency } from '../../platform/lib/currency.ts';
import { once } from '../../platform/lib/once.ts';
import type { Rail, RailParts, RailType } from './rail.ts';
import { baseUrl, secretField } from './setting-fields.ts';

export const stripeConnect: RailType = {
  type: 'stripe_connect',
  config: z.strictObject({ baseUrl: baseUrl('https://api.stripe.com') }),
  secrets: z.strictObject({
    secretKey: secretField('a secret or restricted key: sk_… or rk_…', /^(sk|rk)_(live|test)_[A-Za-z0-9]{8,250}$/),
    webhookSecret: secretField('the signing secret of the endpoint: whsec_…', /^whsec_[A-Za-z0-9+/=]{16,200}$/)
      .exactOptional()
      .describe('Verifies events. Without it, events are rejected.'),
  }),
  methods: ['stripe'],
  // Stripe rounds the others: https://docs.stripe.com/currencies#special-cases.
  convertedCurrencies: [...decimalsByCurrency].flatMap(([code, decimals]) => (decimals <= 2 && code !== 'MGA' ? [code] : [])),
  isAutomatic: true,
  keyWindowHours: 24,
  isRepeatedRejectionFinal: true,
  listDelayHours: 1,
  listsByReference: true,
  concurrency: 8,
  capabilities: ['payouts', 'returns', 'events', 'look_up', 'list'],
  open: openStripe,
};

function openStripe(parts: RailParts): Rail {
  // Stripe's library has 218 modules: the first call loads it, because most processes never make one.
  const open = once(async () => (await import('./stripe/payments.ts')).openStripe(parts));
  return {
    send: async (payment) => (await open()).send(payment),
    lookUp: async (payment, reference) => (await open()).lookUp(payment, reference),
    async *list(span) {
      yield* (await open()).list(span);
    },
    readEvent: parts.secrets.webhookSecret ? async (delivery) => (await open()).readEvent(delivery) : null,
    test: async () => (await open()).test(),
  };
}
