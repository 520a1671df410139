// Syncing products from a store to the catalogue, and coupon codes to the store. The store is called outside of any
// transaction; its products are then imported like a file, so that one invalid product does not stop the others.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import {
  getUsableProvider,
  type Provider,
  providerArchived,
  providerSlot,
  recordProviderHealth,
} from '../../connections/providers/provider.ts';
import { getProviderType } from '../../connections/providers/provider-types.ts';
import { decryptSecrets, readConfig } from '../../connections/providers/settings.ts';
import {
  type StoreConnection,
  type StoreCoupon,
  type StoreProduct,
  StoreRejection,
  type StoreType,
} from '../../connections/stores/store.ts';
import { fetchProducts } from '../../connections/stores/store-api.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint, type Principal } from '../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut } from '../../platform/http/declaration/fields.ts';
import { InvalidState, Unavailable } from '../../platform/lib/errors.ts';
import { HttpFailure } from '../../platform/lib/http.ts';
import { importProducts } from '../../promotion/catalogue/import/import-products.ts';
import type { ImportRow } from '../../promotion/catalogue/import/imported-product.ts';
import { markSynced } from '../../promotion/catalogue/import/mark-synced.ts';
import { changeCoupon } from '../../promotion/coupons/change.ts';
import { toTerms } from '../../promotion/coupons/coupon.ts';

const Products = z.object({ created: countOut, updated: countOut, unchanged: countOut, invalid: countOut }).meta({ id: 'SyncedProducts' });
type Products = z.infer<typeof Products>;
const Coupons = z
  .object({
    linked: countOut.describe('The number of coupon codes that now exist in the store.'),
    rejected: countOut.describe('The number of coupon codes that the store rejected.'),
  })
  .meta({ id: 'SyncedCoupons' });
type Coupons = z.infer<typeof Coupons>;

const importSize = 500;
const maxCoupons = 200;

export const syncProvider = endpoint({
  id: 'providers.sync',
  route: 'POST /v1/programs/:programId/providers/:id/sync',
  scope: 'write',
  requires: 'stores.write',
  tag: 'Providers',
  summary: 'Sync products from the store, and coupon codes to it',
  description:
    "Reads the active products of a store with the store's API keys, at most 50 pages of results, and " +
    'matches them by `externalId`. A product without a price in the currency of the program, or without a URL, counts as ' +
    '`invalid`. For other providers, nothing is synced.',
  path: { id: providerSlot },
  statuses: [200],
  result: z
    .object({
      products: Products,
      coupons: Coupons.describe(`Stripe and WooCommerce: active codes with a discount on all products, at most ${maxCoupons} per request.`),
      syncedAt: timestampOut,
    })
    .meta({
      id: 'ProviderSync',
      example: {
        products: { created: 12, updated: 3, unchanged: 41, invalid: 1 },
        coupons: { linked: 2, rejected: 0 },
        syncedAt: '2026-11-21T10:00:00.000Z',
      },
    }),
  errors: [
    providerArchived,
    { status: 400, code: 'store_rejected', when: 'The API keys of the store are not set, or the store rejected the request.' },
  ],
  async outside(ctx, { actor, params }) {
    const provider = await getUsableProvider(ctx, actor.programId, params.id);
    const type = getProviderType(provider.type);
    const noChange = { products: { created: 0, updated: 0, unchanged: 0, invalid: 0 }, coupons: { linked: 0, rejected: 0 } };
    if (type.kind !== 'commerce') return { ...noChange, syncedAt: ctx.clock.now().toISOString() };
    try {
      const store = { type, connection: await getConnection(ctx, provider) };
      const products = await syncProducts(ctx, actor, store);
      const coupons = await syncCoupons(ctx, actor, store);
      return { products, coupons, syncedAt: ctx.clock.now().toISOString() };
    } catch (error) {
      throw await recordFailure(ctx, provider, error);
    }
  },
});

type Store = { type: StoreType; connection: StoreConnection };

async function getConnection(ctx: Context, provider: Provider): Promise<StoreConnection> {
  const { currency, websiteUrl } = await getProgram(ctx, provider.programId);
  return { config: readConfig(provider), secrets: decryptSecrets(ctx, provider), currency, websiteUrl };
}

/** Shows a failed call on the provider. Returns the error for the caller. */
async function recordFailure(ctx: Context, provider: Provider, error: unknown): Promise<unknown> {
  if (!(error instanceof StoreRejection || error instanceof HttpFailure)) return error;
  await recordProviderHealth(ctx, provider, { lastError: error.message });
  return error instanceof StoreRejection ? new InvalidState('store_rejected', error.message) : new Unavailable(error, 30);
}

async function syncProducts(ctx: Context, actor: Principal, { type, connection }: Store): Promise<Products> {
  const total = { created: 0, updated: 0, unchanged: 0, invalid: 0 };
  if (!type.listProducts) return total;
  const products = await fetchProducts(type.listProducts(connection), ctx.http);
  for (let from = 0; from < products.length; from += importSize) {
    const rows = products.slice(from, from + importSize).map(toProductRow);
    const imported = await transact(ctx, async (tx) => {
      const outcome = await importProducts(tx, actor, rows);
      const ids = outcome.rows.flatMap(({ id }) => id ?? []);
      await markSynced(tx, actor.programId, ids);
      return outcome;
    });
    total.created += imported.created;
    total.updated += imported.updated;
    total.unchanged += imported.unchanged;
    total.invalid += imported.invalid;
  }
  return total;
}

/** An empty optional text clears the field; without a price or URL, an existing product retains its own. */
function toProductRow({ externalId, name, priceCents, checkoutUrl, ...texts }: StoreProduct, index: number): ImportRow {
  const optional = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, text || null]));
  const required = { name: name || undefined, priceCents: priceCents ?? undefined, checkoutUrl: checkoutUrl || undefined };
  return { row: index + 1, product: { ...optional, ...required, externalId } };
}

/** Creates the codes that the store does not have yet, one by one; each is linked as soon as it exists. */
async function syncCoupons(ctx: Context, actor: Principal, { type, connection }: Store): Promise<Coupons> {
  const total = { linked: 0, rejected: 0 };
  if (!type.createCoupon) return total;
  for (const coupon of await findUnlinkedCoupons(ctx, actor.programId)) {
    try {
      const externalId = await type.createCoupon(coupon, connection, ctx.http);
      await transact(ctx, (tx) => changeCoupon(tx, actor, { id: coupon.id, externalId }));
      total.linked += 1;
    } catch (error) {
      if (!(error instanceof StoreRejection)) throw error;
      total.rejected += 1;
    }
  }
  return total;
}

async function findUnlinkedCoupons(ctx: Context, programId: string): Promise<StoreCoupon[]> {
  const now = ctx.clock.now();
  const coupons = ctx.db.selectFrom('coupons').selectAll().where('programId', '=', programId);
  const rows = await coupons
    .where('status', '=', 'active')
    .where('externalId', 'is', null)
    .where('discountType', 'is not', null)
    .where((where) => where.or([where('endsAt', 'is', null), where('endsAt', '>', now)]))
    .where((where) => where.or([where('startsAt', 'is', null), where('startsAt', '<=', now)]))
    .orderBy('id')
    .limit(maxCoupons)
    .execute();
  return rows.flatMap((row): StoreCoupon[] => {
    const { discountType, discountRate, discountCents, minOrderCents, productIds } = toTerms(row);
    const discount = discountType === 'percentage' ? discountRate && { percent: discountRate } : discountCents && { cents: discountCents };
    if (!discount || productIds.length > 0) return [];
    return [{ id: row.id, code: row.code, discount, minOrderCents, endsAt: row.endsAt, maxRedemptions: row.maxRedemptions }];
  });
}
