// Bringing a shop's products into the catalogue. The shop is asked outside of any transaction; what it said is
// then imported as a file would be, so that one faulty product stops no other.
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { importProducts } from '../../catalogue/import.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../db/transact.ts';
import { type Actor, endpoint } from '../../http/endpoint.ts';
import { countOut, timestampOut } from '../../http/fields.ts';
import { perform } from '../../http/perform.ts';
import { Invalid, Unavailable } from '../../lib/errors.ts';
import { HttpFailure } from '../../lib/http.ts';
import { getProgram } from '../../programs/program.ts';
import { getProvider, noteProvider, type Provider, providerSlot } from '../../providers/provider.ts';
import { type Config, openSecrets } from '../../providers/settings.ts';
import { type Listed, listProducts, Refused } from './products.ts';

const Counts = z.object({ created: countOut, updated: countOut, unchanged: countOut, invalid: countOut }).meta({ id: 'SyncedProducts' });
type Counts = z.infer<typeof Counts>;
const atOnce = 500;

export const syncProvider = endpoint({
  id: 'providers.sync',
  route: 'POST /v1/programs/:programId/providers/:id/sync',
  scope: 'write',
  tag: 'Providers',
  summary: 'Bring the products of a shop into the catalogue',
  description:
    'Reads the active products of a Stripe account, a Shopify or a WooCommerce shop with the keys that are set, at most 50 pages, and matches ' +
    'them by `externalId`. A product without a price in the currency of the program, or without an address, counts as `invalid`. ' +
    'Other providers have nothing to read.',
  path: { id: providerSlot },
  statuses: [200],
  result: z.object({ products: Counts, syncedAt: timestampOut }).meta({ id: 'ProviderSync' }),
  refusals: { 400: 'The keys are not set, or the shop refused them.' },
  async outside(ctx, { actor, params }) {
    const provider = await getProvider(ctx, actor.programId, params.id);
    const products = await ask(ctx, provider);
    const counts = { created: 0, updated: 0, unchanged: 0, invalid: 0 };
    for (let from = 0; from < products.length; from += atOnce)
      add(counts, await importSome(ctx, actor, products.slice(from, from + atOnce)));
    return { products: counts, syncedAt: ctx.clock.now().toISOString() };
  },
});

async function ask(ctx: Context, provider: Provider): Promise<Listed[]> {
  const { currency, websiteUrl } = await getProgram(ctx, provider.programId);
  const connection = { config: provider.config as Config, secrets: openSecrets(ctx, provider), currency, websiteUrl };
  try {
    return (await listProducts(provider.type, connection, ctx.http)) ?? [];
  } catch (error) {
    if (!(error instanceof Refused || error instanceof HttpFailure)) throw error;
    await noteProvider(ctx, provider, { lastError: error.message });
    throw error instanceof Refused
      ? new Invalid([{ path: ['secrets'], message: error.message }], error.message)
      : new Unavailable(error, 30);
  }
}

async function importSome(ctx: Context, actor: Actor, products: readonly Listed[]): Promise<Counts> {
  const priced = products.map(({ priceCents, ...product }) => ({ ...product, priceCents: priceCents === null ? '' : String(priceCents) }));
  const csv = stringify(priced, { header: true });
  return transact(ctx, (tx) => perform(importProducts, tx, { actor, params: {}, query: undefined, body: { csv } }));
}

function add(counts: Counts, { created, updated, unchanged, invalid }: Counts): void {
  counts.created += created;
  counts.updated += updated;
  counts.unchanged += unchanged;
  counts.invalid += invalid;
}
