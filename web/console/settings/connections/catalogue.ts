// What can be connected: the settings of each type, when they are asked for, and the events to subscribe to. The texts of
// each are in `connections.json`.
import type { Result } from '../../../api/call.ts';

export type Provider = Result<'providers.list'>['providers'][number];
export type ProviderType = Provider['type'];
export type ProviderKind = Provider['kind'];

export const settingNames = [
  'apiKey',
  'accessToken',
  'apiToken',
  'apiUrl',
  'baseUrl',
  'clientId',
  'clientSecret',
  'consumerKey',
  'consumerSecret',
  'orderPrefix',
  'payerBic',
  'payerIban',
  'payerName',
  'profileId',
  'secretKey',
  'shop',
  'signingSecret',
  'url',
  'webhookId',
  'webhookPublicKey',
  'webhookSecret',
] as const;
export type SettingName = (typeof settingNames)[number];

export type Setting = {
  name: SettingName;
  part: 'config' | 'secrets';
  /** `events`: exists only once the connected system has the address for events. `edit`: is generated, and can be replaced. */
  at: 'create' | 'events' | 'edit';
  isRequired?: boolean;
  placeholder?: string;
  lines?: number;
};

export type Connectable = {
  type: ProviderType;
  kind: ProviderKind;
  settings: readonly Setting[];
  /** The addresses of the live system and its sandbox, where they differ. */
  addresses?: { name: 'apiUrl' | 'baseUrl'; live: string; test: string };
  /** Topics to subscribe to; empty where no events are sent. */
  topics: readonly string[];
  /** The secret that Tributary generates and shows once. */
  generates?: 'signingSecret' | 'webhookSecret';
};

const secret = (name: SettingName, at: Setting['at'] = 'create'): Setting => ({ name, part: 'secrets', at });
const requiredSecret = (name: SettingName): Setting => ({ name, part: 'secrets', at: 'create', isRequired: true });

const payoutProviders: readonly Connectable[] = [
  {
    type: 'paypal',
    kind: 'payout',
    settings: [
      requiredSecret('clientId'),
      requiredSecret('clientSecret'),
      { name: 'baseUrl', part: 'config', at: 'create' },
      { name: 'webhookId', part: 'config', at: 'events', placeholder: '5GP028458E2496506' },
    ],
    addresses: { name: 'baseUrl', live: 'https://api-m.paypal.com', test: 'https://api-m.sandbox.paypal.com' },
    topics: [
      'PAYMENT.PAYOUTS-ITEM.SUCCEEDED',
      'PAYMENT.PAYOUTS-ITEM.FAILED',
      'PAYMENT.PAYOUTS-ITEM.UNCLAIMED',
      'PAYMENT.PAYOUTS-ITEM.RETURNED',
      'PAYMENT.PAYOUTS-ITEM.BLOCKED',
      'PAYMENT.PAYOUTS-ITEM.REFUNDED',
    ],
  },
  {
    type: 'wise',
    kind: 'payout',
    settings: [
      requiredSecret('apiToken'),
      { name: 'profileId', part: 'config', at: 'create', isRequired: true, placeholder: '12345678' },
      { name: 'baseUrl', part: 'config', at: 'create' },
      { name: 'webhookPublicKey', part: 'config', at: 'events', lines: 4, placeholder: '-----BEGIN PUBLIC KEY-----' },
    ],
    addresses: { name: 'baseUrl', live: 'https://api.wise.com', test: 'https://api.sandbox.transferwise.tech' },
    topics: ['transfers#state-change'],
  },
  {
    type: 'stripe_connect',
    kind: 'payout',
    settings: [requiredSecret('secretKey'), secret('webhookSecret', 'events')],
    topics: ['transfer.created', 'transfer.updated', 'transfer.reversed'],
  },
  {
    type: 'csv',
    kind: 'payout',
    settings: [
      { name: 'payerName', part: 'config', at: 'create' },
      { name: 'payerIban', part: 'config', at: 'create', placeholder: 'DE89370400440532013000' },
      { name: 'payerBic', part: 'config', at: 'create', placeholder: 'COBADEFFXXX' },
    ],
    topics: [],
  },
  { type: 'manual', kind: 'payout', settings: [], topics: [] },
  { type: 'simulated', kind: 'payout', settings: [], topics: [] },
  {
    type: 'external_webhook',
    kind: 'payout',
    settings: [
      { name: 'url', part: 'config', at: 'create', isRequired: true, placeholder: 'https://payouts.example.com/tributary' },
      secret('signingSecret', 'edit'),
    ],
    topics: ['payout.paid', 'payout.failed', 'payout.returned'],
    generates: 'signingSecret',
  },
];

const stores: readonly Connectable[] = [
  {
    type: 'stripe',
    kind: 'commerce',
    settings: [secret('apiKey'), secret('webhookSecret', 'events')],
    topics: [
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
      'invoice.paid',
      'invoice_payment.paid',
      'charge.refunded',
      'charge.dispute.created',
      'charge.dispute.closed',
    ],
  },
  {
    type: 'shopify',
    kind: 'commerce',
    settings: [
      { name: 'shop', part: 'config', at: 'create', isRequired: true, placeholder: 'your-shop.myshopify.com' },
      secret('accessToken'),
      secret('webhookSecret', 'events'),
    ],
    topics: ['orders/paid', 'orders/updated', 'orders/cancelled', 'refunds/create'],
  },
  {
    type: 'woocommerce',
    kind: 'commerce',
    settings: [
      { name: 'url', part: 'config', at: 'create', isRequired: true, placeholder: 'https://shop.example.com' },
      secret('consumerKey'),
      secret('consumerSecret'),
      { name: 'orderPrefix', part: 'config', at: 'create' },
      secret('webhookSecret', 'events'),
    ],
    topics: ['order.created', 'order.updated'],
  },
  {
    type: 'paddle',
    kind: 'commerce',
    settings: [secret('apiKey'), { name: 'apiUrl', part: 'config', at: 'create' }, secret('webhookSecret', 'events')],
    addresses: { name: 'apiUrl', live: 'https://api.paddle.com', test: 'https://sandbox-api.paddle.com' },
    topics: ['transaction.completed', 'adjustment.created', 'adjustment.updated'],
  },
  {
    type: 'lemon_squeezy',
    kind: 'commerce',
    settings: [secret('apiKey'), { name: 'orderPrefix', part: 'config', at: 'create' }, secret('webhookSecret', 'edit')],
    topics: [
      'order_created',
      'order_refunded',
      'subscription_payment_success',
      'subscription_payment_recovered',
      'subscription_payment_refunded',
    ],
    generates: 'webhookSecret',
  },
  {
    type: 'generic',
    kind: 'commerce',
    settings: [secret('webhookSecret', 'edit')],
    topics: ['order.paid', 'order.edited', 'order.cancelled', 'order.refunded', 'dispute.opened', 'dispute.won', 'dispute.lost'],
    generates: 'webhookSecret',
  },
];

/** Everything of a kind that can be connected to a program in this mode, the usual ones first. */
export function listConnectable(kind: ProviderKind, mode: 'live' | 'test'): readonly Connectable[] {
  if (kind !== 'payout') return stores;
  return mode === 'test' ? payoutProviders : payoutProviders.filter(({ type }) => type !== 'simulated');
}

/** How a provider of this type is connected. */
export function getConnectable(type: ProviderType): Connectable {
  const found = [...payoutProviders, ...stores].find((each) => each.type === type);
  if (!found) throw new Error(`The console can't connect ${type}.`);
  return found;
}

/** The address of the guide that explains this connection. */
export function getGuide({ type, kind }: Pick<Connectable, 'type' | 'kind'>): string {
  if (kind === 'payout') return '/docs/payouts';
  return type === 'generic' ? '/docs/stores' : `/docs/${type.replace('_', '-')}`;
}
