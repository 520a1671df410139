// The types of shops: their settings, and how a connection is tested. Their events are read in shops/commerce.
import { z } from 'zod';
import { line, webAddress } from '../../platform/http/declaration/fields.ts';
import { type Http, HttpFailure, type HttpRequest } from '../../platform/lib/http.ts';
import type { ConfigSchema, SecretsSchema } from '../rails/rail.ts';
import { webhookSecret as standardSecret } from '../rails/standard-webhooks.ts';

type Settings = { config: Record<string, unknown>; secrets: Record<string, string> };
export type TestResult = { works: boolean; message: string };

export type Shop = {
  type: string;
  config: ConfigSchema;
  secrets: SecretsSchema;
  /** The secret that Tributary generates when none is sent. */
  generatedSecret?: string;
  capabilities: readonly string[];
  /** A read request that needs every permission that the keys should have; null without keys. */
  buildTestRequest(settings: Settings): HttpRequest | null;
};

const secret = z
  .string()
  .min(8, 'must have at least 8 characters')
  .max(2000, 'must not be longer than 2000 characters')
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces')
  .exactOptional();

const ShopDomain = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(text), { error: 'must be a domain like fern.myshopify.com' });

const stripe: Shop = {
  type: 'stripe',
  config: z.strictObject({ apiUrl: webAddress.default('https://api.stripe.com') }),
  secrets: z.strictObject({ webhookSecret: secret, apiKey: secret }),
  capabilities: ['orders', 'refunds', 'disputes', 'subscriptions', 'products', 'coupons'],
  buildTestRequest: ({ config, secrets: { apiKey } }) =>
    apiKey === undefined ? null : buildGet(`${trimSlash(config.apiUrl)}/v1/products?limit=1`, { authorization: `Bearer ${apiKey}` }),
};

const shopify: Shop = {
  type: 'shopify',
  config: z.strictObject({
    shop: ShopDomain,
    apiUrl: webAddress.optional(),
    apiVersion: z
      .string()
      .regex(/^\d{4}-\d{2}$/, 'must be a version like 2025-10')
      .default('2025-10'),
  }),
  secrets: z.strictObject({ webhookSecret: secret, accessToken: secret }),
  capabilities: ['orders', 'refunds', 'products', 'coupons'],
  buildTestRequest: ({ config, secrets: { accessToken } }) =>
    accessToken === undefined ? null : buildGet(`${shopifyUrl(config)}/products.json?limit=1`, { 'x-shopify-access-token': accessToken }),
};

const woocommerce: Shop = {
  type: 'woocommerce',
  config: z.strictObject({
    url: webAddress,
    orderPrefix: line(20)
      .optional()
      .describe('Prepended to order ids. Required when several shops of the program number their orders alike.'),
  }),
  secrets: z.strictObject({ webhookSecret: secret, consumerKey: secret, consumerSecret: secret }),
  capabilities: ['orders', 'refunds', 'products', 'coupons'],
  buildTestRequest: ({ config, secrets }) => {
    const authorization = wooAuthorization(secrets);
    return authorization === null ? null : buildGet(`${wooUrl(config)}/products?per_page=1`, { authorization });
  },
};

const generic: Shop = {
  type: 'generic',
  config: z.strictObject({}),
  secrets: z.strictObject({
    webhookSecret: z.string().regex(standardSecret, 'must be whsec_ and 24 to 64 bytes in base64').exactOptional(),
  }),
  generatedSecret: 'webhookSecret',
  capabilities: ['orders', 'refunds', 'disputes'],
  buildTestRequest: () => null,
};

export const shops: readonly Shop[] = [stripe, shopify, woocommerce, generic];

/** The Admin API of a Shopify shop. */
export function shopifyUrl({ shop, apiUrl, apiVersion }: Record<string, unknown>): string {
  return `${apiUrl === undefined ? `https://${asText(shop)}` : trimSlash(apiUrl)}/admin/api/${asText(apiVersion)}`;
}

/** The REST API of a WooCommerce shop. */
export function wooUrl({ url }: Record<string, unknown>): string {
  return `${trimSlash(url)}/wp-json/wc/v3`;
}

/** The authorization header of a WooCommerce shop; null if its keys are not set. */
export function wooAuthorization({ consumerKey, consumerSecret }: Record<string, string>): string | null {
  if (consumerKey === undefined || consumerSecret === undefined) return null;
  return `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
}

/** A URL without its trailing slash. */
export function trimSlash(url: unknown): string {
  return asText(url).replace(/\/+$/, '');
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Tests the settings of a shop without changing anything there. The message contains no secret. */
export async function testShop(shop: Shop, settings: Settings, http: Http): Promise<TestResult> {
  if (settings.secrets.webhookSecret === undefined) return { works: false, message: 'webhookSecret is not set: all events are rejected.' };
  const request = shop.buildTestRequest(settings);
  if (!request) return { works: true, message: 'Events are accepted. API calls were not tested, because no API key is set.' };
  try {
    const { status } = await http(request);
    if (status < 300) return { works: true, message: 'The shop accepts the API keys.' };
    if (status === 401 || status === 403) return { works: false, message: `The shop rejected the API keys (${status}).` };
    return { works: false, message: `The shop responded with status ${status}.` };
  } catch (error) {
    if (error instanceof HttpFailure) return { works: false, message: error.message };
    throw error;
  }
}

function buildGet(url: string, headers: Record<string, string>): HttpRequest {
  return { method: 'GET', url, headers, timeoutMs: 10_000 };
}
