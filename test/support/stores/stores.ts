// Stores of a test: connected with a secret, and able to send signed events.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import type { Answer, TestProgram, TestService } from '../harness.ts';

export const storeNames = ['stripe', 'shopify', 'woocommerce', 'paddle', 'lemon_squeezy', 'generic'] as const;
export type StoreName = (typeof storeNames)[number];
export type StoreMessage = { id: string; topic: string; body: Record<string, unknown> };
export type StoredEvent = {
  id: string;
  externalId: string;
  topic: string;
  status: string;
  outcome: { status: string; actions?: { status: string }[] } | null;
  errorCode: string | null;
  error: string | null;
};
export type TestStore = {
  id: string;
  secret: string;
  /** Delivers a message, correctly signed unless `change` breaks it. */
  send(message: StoreMessage, change?: { headers?: Record<string, string>; body?: Buffer; secret?: string; at?: Date }): Promise<Answer>;
  events(): Promise<StoredEvent[]>;
  get(): Promise<Record<string, unknown>>;
};

const configs: Record<StoreName, object> = {
  stripe: {},
  generic: {},
  paddle: {},
  lemon_squeezy: {},
  shopify: { shop: 'fern.myshopify.com' },
  woocommerce: { url: 'https://woo.example' },
};

/** The external id under which a message is stored. */
export function getExternalId(type: StoreName, { id, topic, body }: StoreMessage): string {
  const isNamedByBody = type === 'woocommerce' || type === 'lemon_squeezy';
  const sentId = isNamedByBody ? createHash('sha256').update(JSON.stringify(body)).digest('hex') : id;
  return type === 'shopify' || isNamedByBody ? `${topic}:${sentId}` : sentId;
}

/** Connects a store of this type. */
export async function aStore(service: TestService, type: StoreName, program: TestProgram = service.program): Promise<TestStore> {
  const secret = `whsec_${createHmac('sha256', type).update(program.programId).digest('base64')}`;
  const body = { type, name: type, config: configs[type], secrets: { webhookSecret: secret } };
  const created = await service.request('POST', `${program.path}/providers`, { body, key: program.key });
  assert.equal(created.status, 201, created.text);
  const { id } = created.body;
  const get = async (path: string) => (await service.request('GET', `${program.path}/${path}`, { key: program.key })).body;
  return {
    id,
    secret,
    async send(message, { headers = {}, body: changedBody, secret: signingSecret = secret, at = service.clock.now() } = {}) {
      const bytes = Buffer.from(JSON.stringify(type === 'generic' ? { type: message.topic, ...message.body } : message.body));
      const signature = signers[type](bytes, { secret: signingSecret, message, at });
      return service.request('POST', `/v1/providers/${id}/events`, {
        body: changedBody ?? bytes,
        key: null,
        headers: { 'content-type': 'application/json', ...signature, ...headers },
      });
    },
    events: async () => (await get(`provider-events?providerId=${id}&limit=200`)).providerEvents,
    get: () => get(`providers/${id}`),
  };
}

/** Several connected stores, by their type. */
export type TestStores<Name extends StoreName> = {
  get(type: Name): TestStore;
  /** Delivers a message and processes it. Returns its event. */
  deliver(type: Name, message: StoreMessage): Promise<StoredEvent>;
  /** The stored event of a message. */
  readEvent(type: Name, message: StoreMessage): Promise<StoredEvent>;
};

/** Connects a store of each of these types. */
export async function connectStores<const Name extends StoreName>(service: TestService, types: readonly Name[]): Promise<TestStores<Name>> {
  const stores = new Map<Name, TestStore>();
  for (const type of types) stores.set(type, await aStore(service, type));
  const get = (type: Name) => stores.get(type) ?? assert.fail(type);
  const readEvent = async (type: Name, message: StoreMessage) => {
    const events = await get(type).events();
    return events.find(({ externalId }) => externalId === getExternalId(type, message)) ?? assert.fail('not stored');
  };
  const deliver = async (type: Name, message: StoreMessage) => {
    assert.equal((await get(type).send(message)).status, 200);
    await service.drain();
    return readEvent(type, message);
  };
  return { get, deliver, readEvent };
}

type Signing = { secret: string; message: StoreMessage; at: Date };

const hmac = (secret: string | Buffer, content: string | Buffer) => createHmac('sha256', secret).update(content);

const signers: Record<StoreName, (body: Buffer, signing: Signing) => Record<string, string>> = {
  stripe(body, { secret, at }) {
    const t = Math.floor(at.getTime() / 1000);
    return {
      'stripe-signature': `t=${t},v1=${hmac(secret, `${t}.${body}`).digest('hex')},v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39`,
    };
  },
  shopify: (body, { secret, message, at }) => ({
    'x-shopify-hmac-sha256': hmac(secret, body).digest('base64'),
    'x-shopify-topic': message.topic,
    'x-shopify-event-id': message.id,
    'x-shopify-webhook-id': `w-${message.id}`,
    'x-shopify-triggered-at': at.toISOString(),
  }),
  woocommerce: (body, { secret, message }) => ({
    'x-wc-webhook-signature': hmac(secret, body).digest('base64'),
    'x-wc-webhook-topic': message.topic,
    'x-wc-webhook-delivery-id': message.id,
  }),
  paddle(body, { secret, at }) {
    const ts = Math.floor(at.getTime() / 1000);
    const h1 = hmac(secret, `${ts}:${body}`).digest('hex');
    return { 'paddle-signature': `ts=${ts};h1=${hmac('the previous secret', body).digest('hex')};h1=${h1}` };
  },
  lemon_squeezy: (body, { secret, message }) => ({
    'x-signature': hmac(secret, body).digest('hex'),
    'x-event-name': message.topic,
  }),
  generic(body, { secret, message, at }) {
    const t = String(Math.floor(at.getTime() / 1000));
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const signature = hmac(key, `${message.id}.${t}.${body}`).digest('base64');
    return { 'webhook-id': message.id, 'webhook-timestamp': t, 'webhook-signature': `v1,${signature}` };
  },
};
