// Every kind of outside system there is: ways to pay (rails/) and shops. A type decides what its settings are,
// which of them are secret, and what it can do.
import { z } from 'zod';
import { railTypes } from '../rails/index.ts';
import type { RailType } from '../rails/rail.ts';
import { type Shop, shops } from './shops.ts';

export const Kind = z.enum(['payout', 'commerce']).meta({ id: 'ProviderKind' });
export const TypeName = z
  .enum(['manual', 'csv', 'paypal', 'wise', 'stripe_connect', 'external_webhook', 'stripe', 'shopify', 'woocommerce', 'generic'])
  .meta({ id: 'ProviderType' });
export type TypeName = z.infer<typeof TypeName>;

export type ProviderType = { kind: 'payout'; rail: RailType } | { kind: 'commerce'; shop: Shop };

/** Secrets that both sides only need to agree on: made by us where none is given. */
export const generatedSecret: Partial<Record<TypeName, string>> = { external_webhook: 'signingSecret', generic: 'webhookSecret' };

const types = new Map<string, ProviderType>([
  ...Object.values(railTypes).map((rail) => [rail.type, { kind: 'payout', rail }] as const),
  ...shops.map((shop) => [shop.type, { kind: 'commerce', shop }] as const),
]);

/** What is known of a type. */
export function typeOf(name: string): ProviderType {
  const found = types.get(name);
  if (!found) throw new Error(`There is no provider of type ${name}.`);
  return found;
}

/** The settings of a type and what it can do, whichever kind it is. */
export function partsOf(type: ProviderType): Pick<Shop, 'config' | 'secrets' | 'capabilities'> {
  return type.kind === 'payout' ? type.rail : type.shop;
}
