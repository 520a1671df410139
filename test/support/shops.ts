// Shops as a test plays them: connected with a secret, and able to send signed events.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import type { Answer, TestProgram, TestService } from './harness.ts';

type Type = 'stripe' | 'shopify' | 'woocommerce' | 'generic';
export type Sent = { id: string; topic: string; body: Record<string, unknown> };
export type TestShop = {
  id: string;
  secret: string;
  /** Delivers an event, signed unless `headers` say otherwise. */
  send(event: Sent, change?: { headers?: Record<string, string>; body?: Buffer; secret?: string; at?: Date }): Promise<Answer>;
  events(): Promise<{ externalId: string; topic: string; status: string; outcome: Record<string, unknown> | null; error: string | null }[]>;
  get(): Promise<Record<string, unknown>>;
};

const configs: Record<Type, object> = {
  stripe: {},
  generic: {},
  shopify: { shop: 'fern.myshopify.com' },
  woocommerce: { url: 'https://woo.example' },
};

/** The name under which an event is kept. */
export function externalIdOf(type: Type, { id, topic, body }: Sent): string {
  const told = type === 'woocommerce' ? createHash('sha256').update(JSON.stringify(body)).digest('hex') : id;
  return type === 'shopify' || type === 'woocommerce' ? `${topic}:${told}` : told;
}

/** Connects a shop of this type. */
export async function aShop(service: TestService, type: Type, program: TestProgram = service.program): Promise<TestShop> {
  const secret = `whsec_${createHmac('sha256', type).update(program.programId).digest('base64')}`;
  const body = { type, name: type, config: configs[type], secrets: { webhookSecret: secret } };
  const created = await service.request('POST', `${program.path}/providers`, { body, key: program.key });
  assert.equal(created.status, 201, created.text);
  const path = `${program.path}/providers/${created.body.id}`;
  return {
    id: created.body.id,
    secret,
    async send(event, { headers = {}, body: other, secret: by = secret, at = service.clock.now() } = {}) {
      const bytes = Buffer.from(JSON.stringify(type === 'generic' ? { type: event.topic, ...event.body } : event.body));
      const signed = { 'content-type': 'application/json', ...signers[type](bytes, { by, event, at }), ...headers };
      return service.request('POST', `/v1/providers/${created.body.id}/events`, { body: other ?? bytes, key: null, headers: signed });
    },
    events: async () => (await service.request('GET', `${path}/events?limit=200`, { key: program.key })).body.events,
    get: async () => (await service.request('GET', path, { key: program.key })).body,
  };
}

type Signing = { by: string; event: Sent; at: Date };

const hmac = (secret: string | Buffer, content: string | Buffer) => createHmac('sha256', secret).update(content);

const signers: Record<Type, (body: Buffer, signing: Signing) => Record<string, string>> = {
  stripe(body, { by, at }) {
    const t = Math.floor(at.getTime() / 1000);
    return {
      'stripe-signature': `t=${t},v1=${hmac(by, `${t}.${body}`).digest('hex')},v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39`,
    };
  },
  shopify: (body, { by, event, at }) => ({
    'x-shopify-hmac-sha256': hmac(by, body).digest('base64'),
    ...{ 'x-shopify-topic': event.topic, 'x-shopify-event-id': event.id, 'x-shopify-webhook-id': `w-${event.id}` },
    'x-shopify-triggered-at': at.toISOString(),
  }),
  woocommerce: (body, { by, event }) => ({
    'x-wc-webhook-signature': hmac(by, body).digest('base64'),
    ...{ 'x-wc-webhook-topic': event.topic, 'x-wc-webhook-delivery-id': event.id },
  }),
  generic(body, { by, event, at }) {
    const t = String(Math.floor(at.getTime() / 1000));
    const key = Buffer.from(by.replace(/^whsec_/, ''), 'base64');
    const signature = hmac(key, `${event.id}.${t}.${body}`).digest('base64');
    return { 'webhook-id': event.id, 'webhook-timestamp': t, 'webhook-signature': `v1,${signature}` };
  },
};
