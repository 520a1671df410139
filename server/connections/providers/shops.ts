// The shops that report orders by themselves: what each has to be told, and how its settings are tried. Their
// events are read in commerce/.
import { z } from 'zod';
import { line, webAddress } from '../../platform/http/declaration/fields.ts';
import { type Http, HttpFailure, type HttpRequest } from '../../platform/lib/http.ts';
import { webhookSecret as standardSecret } from '../rails/standard-webhooks.ts';

type Settings = { config: Record<string, unknown>; secrets: Record<string, string> };
export type Tried = { works: boolean; message: string };

export type Shop = {
  type: 'stripe' | 'shopify' | 'woocommerce' | 'generic';
  config: z.ZodType<Record<string, unknown>>;
  secrets: z.ZodType<Record<string, string>>;
  capabilities: readonly string[];
  /** A read that needs every right the settings should have; null without the keys for one. */
  probe(settings: Settings): HttpRequest | null;
};

const secret = z
  .string()
  .min(8, 'must have at least 8 characters')
  .max(2000, 'must not be longer than 2000 characters')
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces')
  .optional();
const secretsOf = <Name extends string>(...names: Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, secret])) as Record<Name, typeof secret>) as unknown as z.ZodType<
    Record<string, string>
  >;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const ShopDomain = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(text), { error: 'must be a domain like fern.myshopify.com' });

export const shops: readonly Shop[] = [
  {
    type: 'stripe',
    config: z.object({ apiUrl: webAddress.default('https://api.stripe.com') }),
    secrets: secretsOf('webhookSecret', 'apiKey'),
    capabilities: ['orders', 'refunds', 'disputes', 'subscriptions', 'products', 'coupons'],
    probe: ({ config, secrets: { apiKey } }) =>
      apiKey === undefined ? null : get(`${baseOf(config.apiUrl)}/v1/products?limit=1`, { authorization: `Bearer ${apiKey}` }),
  },
  {
    type: 'shopify',
    config: z.object({
      shop: ShopDomain,
      apiUrl: webAddress.optional(),
      apiVersion: z
        .string()
        .regex(/^\d{4}-\d{2}$/)
        .default('2025-10'),
    }),
    secrets: secretsOf('webhookSecret', 'accessToken'),
    capabilities: ['orders', 'refunds', 'products', 'coupons'],
    probe: ({ config, secrets: { accessToken } }) =>
      accessToken === undefined ? null : get(`${shopifyUrl(config)}/products.json?limit=1`, { 'x-shopify-access-token': accessToken }),
  },
  {
    type: 'woocommerce',
    config: z.object({
      url: webAddress,
      orderPrefix: line(20).optional().describe('Put before order ids: for programs with several shops, which count alike.'),
    }),
    secrets: secretsOf('webhookSecret', 'consumerKey', 'consumerSecret'),
    capabilities: ['orders', 'refunds', 'products', 'coupons'],
    probe: ({ config, secrets }) => {
      const authorization = wooAuthorization(secrets);
      return authorization === null ? null : get(`${wooUrl(config)}/products?per_page=1`, { authorization });
    },
  },
  {
    type: 'generic',
    config: z.object({}),
    secrets: z.object({
      webhookSecret: z.string().regex(standardSecret, 'must be whsec_ and 24 to 64 bytes in base64').optional(),
    }) as unknown as z.ZodType<Record<string, string>>,
    capabilities: ['orders', 'refunds', 'disputes'],
    probe: () => null,
  },
];

/** The Admin API of a shop. */
export function shopifyUrl({ shop, apiUrl, apiVersion }: Record<string, unknown>): string {
  return `${apiUrl === undefined ? `https://${textOf(shop)}` : baseOf(apiUrl)}/admin/api/${textOf(apiVersion)}`;
}

/** The REST API of a WooCommerce shop. */
export function wooUrl({ url }: Record<string, unknown>): string {
  return `${baseOf(url)}/wp-json/wc/v3`;
}

/** The header of its keys; null where they aren't set. */
export function wooAuthorization({ consumerKey, consumerSecret }: Record<string, string>): string | null {
  if (consumerKey === undefined || consumerSecret === undefined) return null;
  return `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
}

/** An address without the slash at its end. */
export function baseOf(url: unknown): string {
  return textOf(url).replace(/\/+$/, '');
}

/** Tries the settings of a shop without changing anything there. What it says holds no secret. */
export async function tryShop(shop: Shop, settings: Settings, http: Http): Promise<Tried> {
  if (settings.secrets.webhookSecret === undefined) return { works: false, message: 'webhookSecret is not set: every event is refused.' };
  const probe = shop.probe(settings);
  if (!probe) return { works: true, message: 'Events are accepted. No key for calls to the shop is set, so only events were looked at.' };
  try {
    const { status } = await http(probe);
    if (status < 300) return { works: true, message: 'The shop answered.' };
    if (status === 401 || status === 403) return { works: false, message: `The shop refused the keys (${status}).` };
    return { works: false, message: `The shop answered ${status}.` };
  } catch (error) {
    if (error instanceof HttpFailure) return { works: false, message: error.message };
    throw error;
  }
}

function get(url: string, headers: Record<string, string>): HttpRequest {
  return { method: 'GET', url, headers, timeoutMs: 10_000 };
}
