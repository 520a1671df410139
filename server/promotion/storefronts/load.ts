// Reads what a public page shows: a revision's contents, the affiliate, the program's brand, and the products that the
// affiliate may promote now.
import { sql } from 'kysely';
import { readBrand } from '../../accounts/programs/brand/brand.ts';
import { findStorefrontPrefix } from '../../accounts/programs/hosts/site-url.ts';
import type { Context } from '../../context.ts';
import { formatCents } from '../../platform/lib/currency.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { toMediaPath } from '../../platform/lib/network/media-path.ts';
import { getPublicUrl } from '../../platform/lib/network/public-url.ts';
import { fullName } from '../../platform/lib/text.ts';
import { readTimes } from '../../platform/test-clocks/program-clock.ts';
import { addReferral } from '../catalogue/promotable.ts';
import { readDetails } from '../landing-pages/content.ts';
import { chooseProducts } from '../landing-pages/get.ts';
import { allowsImage } from '../landing-pages/images.ts';
import { type Revision, TemplateId } from '../landing-pages/landing-page.ts';
import { buildDestinations, type Destinations, parseDeepLink } from '../tracking/destination.ts';
import { type ShareCard, toCard, versionOf } from './share/card.ts';
import type { Picture, Storefront, StorefrontProduct } from './storefront.ts';

/** What an affiliate wrote: a revision, or a draft in the same form. */
export type StorefrontContent = Omit<Revision, 'programId' | 'pageId' | 'revision' | 'isPublished' | 'createdAt'>;

export type StorefrontProgram = {
  id: string;
  name: string;
  slug: string;
  currency: string;
  websiteUrl: string | null;
  destinationHosts: string[];
  imageHosts: string[];
};

type Source = {
  program: StorefrontProgram;
  affiliateId: string;
  slug: string;
  content: StorefrontContent;
  /** Links of a preview don't count clicks. */
  isPreview: boolean;
};

/** A page shows at most this many products; the rest are in the store. */
const maxProducts = 60;
const maxText = 160;

/** The program with this slug; null if it is unknown. */
export async function findProgram(ctx: Pick<Context, 'db'>, by: { slug: string } | { id: string }): Promise<StorefrontProgram | null> {
  const all = ctx.db.selectFrom('programs').select(['id', 'name', 'slug', 'currency', 'websiteUrl', 'destinationHosts', 'imageHosts']);
  const programs = all.where('deleteAfter', 'is', null);
  const found = 'slug' in by ? programs.where('slug', '=', by.slug) : programs.where('id', '=', by.id);
  return (await found.executeTakeFirst()) ?? null;
}

/** Everything that the page shows. */
export async function loadStorefront(ctx: Context, source: Source): Promise<Storefront> {
  const { program, affiliateId, content, isPreview } = source;
  const owner = await readOwner(ctx, program.id, affiliateId);
  const brand = await readBrand(ctx, program.id);
  const { products } = await chooseProducts(ctx, { programId: program.id, groupId: owner.groupId }, content);
  const { heroFocus, links, productNotes } = readDetails(content);
  const origin = getPublicUrl(ctx.config);
  const head = toHead(ctx, program, content, owner);
  const toUrl = createProductLinks(program, owner.referralCode, isPreview);
  const url = `${await findStorefrontPrefix(ctx, program)}${source.slug}`;
  return {
    ...head,
    template: TemplateId.parse(content.templateId),
    heroFocus,
    links,
    headline: content.headline || null,
    bio: content.bioText || null,
    offer: content.promoBadgeText || null,
    coupon: await findCoupon(ctx, program, affiliateId),
    program: { ...program, logo: toPicture(brand.logoUrl, origin), disclosure: brand.disclosure, disclaimer: brand.disclaimer },
    products: products.slice(0, maxProducts).map(
      (product): StorefrontProduct => ({
        ...product,
        text: productNotes[product.id] || shorten(product.description),
        picture: toPicture(product.imageUrl, origin),
        url: toUrl(product.checkoutUrl),
      }),
    ),
    moreUrl: products.length > maxProducts ? `/r/${owner.referralCode}` : null,
    url,
    shareImageUrl: `${url}/og.png?v=${versionOf(toCard(head, { name: program.name, color: brand.color }))}`,
    isPreview,
  };
}

/** What the image of the page shows. */
export async function loadCard(ctx: Context, { program, affiliateId, content }: Omit<Source, 'slug' | 'isPreview'>): Promise<ShareCard> {
  const owner = await readOwner(ctx, program.id, affiliateId);
  const { color } = await readBrand(ctx, program.id);
  return toCard(toHead(ctx, program, content, owner), { name: program.name, color });
}

type Named = { firstName: string; lastName: string };

function toHead(ctx: Context, program: StorefrontProgram, content: StorefrontContent, { firstName, lastName }: Named) {
  const origin = getPublicUrl(ctx.config);
  /** Whatever wrote the revision, an image of another host is not shown. */
  const toOwnPicture = (url: string | null) => {
    const picture = toPicture(url, origin);
    return picture?.url.startsWith('/') || (url !== null && allowsImage(ctx, program, url)) ? picture : null;
  };
  return {
    title: content.pageTitle,
    affiliateName: fullName({ firstName, lastName }),
    accent: readDetails(content).accent,
    avatar: toOwnPicture(content.avatarUrl),
    hero: toOwnPicture(content.heroImageUrl),
  };
}

async function readOwner(ctx: Pick<Context, 'db'>, programId: string, affiliateId: string) {
  const owner = await ctx.db
    .selectFrom('affiliates')
    .select(['firstName', 'lastName', 'referralCode', 'groupId'])
    .where('programId', '=', programId)
    .where('id', '=', affiliateId)
    .executeTakeFirst();
  if (!owner) throw new NotFound();
  return owner;
}

/** Products are linked through the affiliate's short link, so that clicks count, wherever the redirect follows the address. */
function createProductLinks(program: StorefrontProgram, referralCode: string, isPreview: boolean): (checkoutUrl: string) => string {
  const destinations: Destinations = buildDestinations(program.websiteUrl, program.destinationHosts);
  return (checkoutUrl) => {
    const isFollowed = !isPreview && parseDeepLink(checkoutUrl, destinations) !== null;
    return isFollowed ? `/r/${referralCode}?url=${encodeURIComponent(checkoutUrl)}` : addReferral(checkoutUrl, referralCode);
  };
}

type Coupon = { code: string; discountType: string | null; discountRate: string | null; discountCents: number | null };

/** The affiliate's newest coupon that works now, preferably one for all products. */
async function findCoupon(
  ctx: Context,
  { id: programId, currency }: StorefrontProgram,
  affiliateId: string,
): Promise<Storefront['coupon']> {
  const [now] = await readTimes(ctx, [programId]);
  const { rows } = await sql<Coupon>`
    select code, discount_type, discount_rate, discount_cents from coupons
    where program_id = ${programId} and affiliate_id = ${affiliateId} and status = 'active'
      and (starts_at is null or starts_at <= ${now}) and (ends_at is null or ends_at > ${now})
      and (max_redemptions is null or redemptions < max_redemptions)
    order by cardinality(product_ids), created_at desc, id desc limit 1`.execute(ctx.db);
  const [coupon] = rows;
  if (!coupon) return null;
  const { code, discountType, discountRate, discountCents } = coupon;
  const rate = discountType === 'percentage' && discountRate !== null ? `${Number(discountRate)}%` : null;
  const amount = discountType === 'flat' && discountCents !== null ? formatCents(discountCents, currency) : null;
  const discount = rate ?? amount;
  return { code, discount: discount === null ? null : `${discount} off` };
}

const ownWidths = [256, 512, 1600];

/** An image that the page may load: an uploaded one, or an https URL. Other addresses are not shown. */
export function toPicture(url: string | null, origin: string): Picture | null {
  const parsed = url === null ? null : URL.parse(url);
  if (!parsed) return null;
  const path = toMediaPath(parsed.href, origin);
  if (path !== null) return { url: path, variants: ownWidths.map((width) => ({ url: `${path}?w=${width}`, width })) };
  return parsed.protocol === 'https:' ? { url: parsed.href, variants: [] } : null;
}

/** At most one or two lines, ending with a whole word. */
function shorten(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxText
    ? line
    : `${line
        .slice(0, maxText)
        .toWellFormed()
        .replace(/\s+\S*$/, '')}…`;
}
