// Bringing a shop's products into the catalogue, and the program's codes to the shop. The shop is asked outside of any transaction; what it said is
// then imported as a file would be, so that one faulty product stops no other.
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import {
  getUsableProvider,
  type Provider,
  providerArchived,
  providerSlot,
  recordProviderHealth,
} from '../../../connections/providers/provider.ts';
import { type Config, decryptSecrets } from '../../../connections/providers/settings.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint, type Principal } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut } from '../../../platform/http/declaration/fields.ts';
import { Invalid, Unavailable } from '../../../platform/lib/errors.ts';
import { HttpFailure } from '../../../platform/lib/http.ts';
import { importProducts } from '../../../promotion/catalogue/import-products.ts';
import type { ImportRow } from '../../../promotion/catalogue/imported-product.ts';
import { changeCoupon } from '../../../promotion/coupons/change.ts';
import { toTerms } from '../../../promotion/coupons/coupon.ts';
import { couponMaker, type Wanted } from './coupons.ts';
import { type Connection, type Listed, listProducts, Refused } from './products.ts';

const Counts = z.object({ created: countOut, updated: countOut, unchanged: countOut, invalid: countOut }).meta({ id: 'SyncedProducts' });
type Counts = z.infer<typeof Counts>;
const atOnce = 500;

export const syncProvider = endpoint({
  id: 'providers.sync',
  route: 'POST /v1/programs/:programId/providers/:id/sync',
  scope: 'write',
  tag: 'Providers',
  summary: 'Sync products from the shop, and coupon codes to it',
  description:
    'Reads the active products of a Stripe account, a Shopify or a WooCommerce shop with the keys that are set, at most 50 pages, and matches ' +
    'them by `externalId`. A product without a price in the currency of the program, or without an address, counts as `invalid`. ' +
    'Other providers have nothing to read.',
  path: { id: providerSlot },
  statuses: [200],
  result: z
    .object({
      products: Counts,
      coupons: z
        .object({ linked: countOut.describe('Codes that are at the shop now.'), refused: countOut })
        .meta({ id: 'SyncedCoupons' })
        .describe('Stripe and WooCommerce: active codes with a discount for all products, at most 200 at once.'),
      syncedAt: timestampOut,
    })
    .meta({ id: 'ProviderSync' }),
  refusals: { 400: 'The keys are not set, or the shop refused them.' },
  errors: [providerArchived],
  async outside(ctx, { actor, params }) {
    const provider = await getUsableProvider(ctx, actor.programId, params.id);
    const products = await ask(ctx, provider);
    const counts = { created: 0, updated: 0, unchanged: 0, invalid: 0 };
    for (let from = 0; from < products.length; from += atOnce)
      add(counts, await importSome(ctx, actor, products.slice(from, from + atOnce)));
    const coupons = await sendCoupons(ctx, actor, provider);
    return { products: counts, coupons, syncedAt: ctx.clock.now().toISOString() };
  },
});

async function connectionTo(ctx: Context, provider: Provider): Promise<Connection> {
  const { currency, websiteUrl } = await getProgram(ctx, provider.programId);
  return { config: provider.config as Config, secrets: decryptSecrets(ctx, provider), currency, websiteUrl };
}

async function ask(ctx: Context, provider: Provider): Promise<Listed[]> {
  try {
    return (await listProducts(provider.type, await connectionTo(ctx, provider), ctx.http)) ?? [];
  } catch (error) {
    throw await noted(ctx, provider, error);
  }
}

/** What the caller is told of a shop that didn't answer as it should. */
async function noted(ctx: Context, provider: Provider, error: unknown): Promise<unknown> {
  if (!(error instanceof Refused || error instanceof HttpFailure)) return error;
  await recordProviderHealth(ctx, provider, { lastError: error.message });
  return error instanceof Refused
    ? new Invalid([{ path: ['secrets'], message: error.message }], error.message)
    : new Unavailable(error, 30);
}

/** Codes that aren't at the shop yet, one after the other; each is linked as soon as it is there. */
async function sendCoupons(ctx: Context, actor: Principal, provider: Provider): Promise<{ linked: number; refused: number }> {
  const make = couponMaker(provider.type, await connectionTo(ctx, provider), ctx.http);
  const sent = { linked: 0, refused: 0 };
  if (!make) return sent;
  for (const coupon of await couponsToSend(ctx, actor.programId)) {
    try {
      const externalId = await make(coupon);
      await transact(ctx, (tx) => changeCoupon(tx, actor, { id: coupon.id, externalId }));
      sent.linked += 1;
    } catch (error) {
      if (!(error instanceof Refused)) throw await noted(ctx, provider, error);
      sent.refused += 1;
    }
  }
  return sent;
}

async function couponsToSend(ctx: Context, programId: string): Promise<Wanted[]> {
  const now = ctx.clock.now();
  const coupons = ctx.db.selectFrom('coupons').selectAll().where('programId', '=', programId);
  const rows = await coupons
    .where('status', '=', 'active')
    .where('externalId', 'is', null)
    .where('discountType', 'is not', null)
    .where((where) => where.or([where('endsAt', 'is', null), where('endsAt', '>', now)]))
    .where((where) => where.or([where('startsAt', 'is', null), where('startsAt', '<=', now)]))
    .orderBy('id')
    .limit(200)
    .execute();
  return rows.flatMap((row): Wanted[] => {
    const { discountType, discountRate, discountCents, minOrderCents, productIds } = toTerms(row);
    const discount = discountType === 'percentage' ? discountRate && { percent: discountRate } : discountCents && { cents: discountCents };
    if (!discount || productIds.length > 0) return [];
    return [{ id: row.id, code: row.code, discount, minOrderCents, endsAt: row.endsAt, maxRedemptions: row.maxRedemptions }];
  });
}

async function importSome(ctx: Context, actor: Principal, products: readonly Listed[]): Promise<Counts> {
  const rows = products.map(toProductRow);
  return transact(ctx, (tx) => importProducts(tx, actor, rows));
}

/** An empty optional text clears the field; a missing price or address leaves an existing product's as it is. */
function toProductRow({ externalId, name, priceCents, checkoutUrl, ...texts }: Listed, index: number): ImportRow {
  const optional = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, text === '' ? null : text]));
  const product = {
    ...optional,
    externalId,
    name: name || undefined,
    priceCents: priceCents ?? undefined,
    checkoutUrl: checkoutUrl || undefined,
  };
  return { row: index + 1, product };
}

function add(counts: Counts, { created, updated, unchanged, invalid }: Counts): void {
  counts.created += created;
  counts.updated += updated;
  counts.unchanged += unchanged;
  counts.invalid += invalid;
}
