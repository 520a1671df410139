// Every automatic rail with its simulator: what the conformance suite needs for each.
import { generateKeyPairSync } from 'node:crypto';
import { getRailType } from '../../../server/connections/rails/index.ts';
import type { Destination, RailType } from '../../../server/connections/rails/rail.ts';
import { externalSecret, startExternalRail } from './external.ts';
import { payPalSecrets, payPalWebhookId, startPayPalSimulator } from './paypal.ts';
import { startReferenceServer } from './reference-server.ts';
import type { Simulator } from './simulator.ts';
import { startStripeSimulator, stripeSecrets } from './stripe.ts';
import { startWiseSimulator, wiseProfile, wisePublicKey, wiseSecrets } from './wise.ts';

type Settings = { config: Record<string, unknown>; secrets: Record<string, string> };

export type Subject = {
  type: RailType;
  /** Where a rail has several simulators. */
  name?: string;
  destination(currency: string): Destination;
  /** Texts of that destination that no response may contain. */
  private: readonly string[];
  start(now: () => Date): Promise<Simulator>;
  settings(url: string): Settings;
  /** Well-formed, and rejected by the provider. */
  wrongSecrets: Record<string, string>;
  /** Under these, events of the simulator belong to another account. */
  foreign(url: string): Settings;
  /** For how long a signed event is accepted. */
  eventSeconds: number;
  /** Whether its records name the affiliate. */
  keepsAffiliate: boolean;
};

const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString();

const external: Subject = {
  type: getRailType('external_webhook'),
  destination: () => ({ method: 'external', account: 'acct-99887766' }),
  private: ['acct-99887766'],
  start: (now) => startExternalRail({ now, pageSize: 2 }),
  settings: (url) => ({ config: { url }, secrets: { signingSecret: externalSecret } }),
  wrongSecrets: { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  foreign: (url) => ({ config: { url }, secrets: external.wrongSecrets }),
  eventSeconds: 300,
  keepsAffiliate: true,
};

/** The reference server of docs/external-webhook.md. */
const documented: Subject = { ...external, name: 'external_webhook, reference server', start: (now) => startReferenceServer({ now }) };

const stripe: Subject = {
  type: getRailType('stripe_connect'),
  destination: () => ({ method: 'stripe', accountId: 'acct_1032D82eZvKYlo2C' }),
  private: ['acct_1032D82eZvKYlo2C'],
  start: (now) => startStripeSimulator({ now }),
  settings: (url) => ({ config: { baseUrl: url }, secrets: stripeSecrets }),
  wrongSecrets: { secretKey: 'sk_test_anotherKey0001', webhookSecret: stripeSecrets.webhookSecret },
  foreign: (url) => ({ config: { baseUrl: url }, secrets: { ...stripeSecrets, webhookSecret: 'whsec_another0000000000000000000001' } }),
  eventSeconds: 300,
  keepsAffiliate: true,
};

const paypal: Subject = {
  type: getRailType('paypal'),
  destination: () => ({ method: 'paypal', email: 'mia.larsen@mail.example' }),
  private: ['mia.larsen', 'mail.example'],
  start: (now) => startPayPalSimulator({ now }),
  settings: (url) => ({ config: { baseUrl: url, webhookId: payPalWebhookId }, secrets: payPalSecrets }),
  wrongSecrets: { clientId: 'simulated-client-id', clientSecret: 'another-client-secret' },
  foreign: (url) => ({ config: { baseUrl: url, webhookId: 'ANOTHERWEBHOOK00' }, secrets: payPalSecrets }),
  eventSeconds: 4 * 86_400,
  keepsAffiliate: true,
};

const wise: Subject = {
  type: getRailType('wise'),
  destination: (currency) => ({ method: 'bank', holder: 'Mia Larsen', country: 'DE', currency, iban: 'DE89370400440532013000' }),
  private: ['Mia Larsen', 'DE89370400440532013000'],
  start: (now) => startWiseSimulator({ now }),
  settings: (url) => ({ config: { baseUrl: url, profileId: wiseProfile, webhookPublicKey: wisePublicKey }, secrets: wiseSecrets }),
  wrongSecrets: { apiToken: 'another-api-token' },
  foreign: (url) => ({ config: { baseUrl: url, profileId: wiseProfile, webhookPublicKey: otherKey }, secrets: wiseSecrets }),
  eventSeconds: 7 * 86_400,
  keepsAffiliate: false,
};

export const subjects: readonly Subject[] = [external, documented, stripe, paypal, wise];
