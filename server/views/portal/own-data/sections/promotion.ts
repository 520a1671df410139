// What the affiliate promotes with: links, coupons, their page, photos and postbacks, and what each day brought.
import { sql } from 'kysely';
import { z } from 'zod';
import { centsOut, countOut, dayOut, timestampOut, uuidOut } from '../../../../platform/http/declaration/fields.ts';
import { createdAfter, type Dated, section } from '../section.ts';

const at = '2026-11-02T09:12:44.000Z';

const shortLinks = section<{ slug: string }>({
  name: 'shortLinks',
  meaning: 'The referral code and the vanity slugs, including former ones.',
  tables: ['short_links'],
  row: z.object({
    slug: z.string(),
    kind: z.string().describe('`code` or `vanity`.'),
    releasedAt: timestampOut.nullable().describe('When another slug replaced it.'),
  }),
  example: { slug: 'ada', kind: 'vanity', releasedAt: null },
  select: ({ programId, affiliateId }, last) => sql`
    select slug, kind, released_at from short_links
    where program_id = ${programId} and affiliate_id = ${affiliateId} and slug > ${last?.slug ?? ''} order by slug`,
});

const links = section<Dated>({
  name: 'links',
  meaning: 'Named links.',
  tables: ['affiliate_links'],
  row: z.object({
    name: z.string(),
    destination: z.string().nullable().describe('Null: the website of the program.'),
    subId: z.string(),
    createdAt: timestampOut,
  }),
  example: { name: 'Newsletter', destination: null, subId: 'newsletter', createdAt: at },
  select: ({ programId, affiliateId }, last) => sql`
    select id, name, destination, sub_id, created_at from affiliate_links
    where program_id = ${programId} and affiliate_id = ${affiliateId} and ${createdAfter('affiliate_links', last)}
    order by created_at, id`,
});

const coupons = section<Dated>({
  name: 'coupons',
  meaning: 'Coupons whose orders are credited to the affiliate.',
  tables: ['coupons'],
  row: z.object({
    code: z.string(),
    status: z.string(),
    redemptions: countOut.describe('The orders that were credited by the coupon.'),
    startsAt: timestampOut.nullable(),
    endsAt: timestampOut.nullable(),
    createdAt: timestampOut,
  }),
  example: { code: 'ADA15', status: 'active', redemptions: 12, startsAt: null, endsAt: null, createdAt: at },
  select: ({ programId, affiliateId }, last) => sql`
    select id, code, status, redemptions, starts_at, ends_at, created_at from coupons
    where program_id = ${programId} and affiliate_id = ${affiliateId} and ${createdAfter('coupons', last)}
    order by created_at, id`,
});

const activity = section<{ dayOn: string }>({
  name: 'activity',
  meaning: "Clicks and orders per day in the program's time zone.",
  tables: ['daily_totals'],
  row: z.object({
    dayOn: dayOut.describe("In the program's time zone."),
    clicks: countOut,
    conversions: countOut,
    salesCents: centsOut,
    refundsCents: centsOut,
    commissionsCents: centsOut,
    reversalsCents: centsOut.describe('What returns reversed.'),
    currency: z.string(),
  }),
  example: {
    dayOn: '2026-11-02',
    clicks: 42,
    conversions: 2,
    salesCents: 12_450,
    refundsCents: 0,
    commissionsCents: 1_245,
    reversalsCents: 0,
    currency: 'USD',
  },
  select: ({ programId, affiliateId }, last) => sql`
    select to_char(total.day, 'YYYY-MM-DD') as day_on, total.clicks, total.conversions, total.sales_cents, total.refunds_cents,
      total.commissions_cents, total.reversals_cents, program.currency
    from daily_totals as total join programs as program on program.id = ${programId}
    where total.program_id = ${programId} and total.affiliate_id = ${affiliateId}
      and total.day > ${last?.dayOn ?? '-infinity'}::date order by total.day`,
});

const pages = section<Dated>({
  name: 'pages',
  meaning: 'The landing page.',
  tables: ['landing_pages'],
  row: z.object({
    slug: z.string(),
    formerSlugs: z.array(z.string()).describe('Addresses that lead to the page.'),
    revision: countOut.describe('The current revision.'),
    isPublished: z.boolean(),
    reviewStatus: z.string(),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  }),
  example: { slug: 'ada', formerSlugs: [], revision: 3, isPublished: true, reviewStatus: 'approved', createdAt: at, updatedAt: at },
  select: ({ programId, affiliateId }, last) => sql`
    select page.id, page.slug, page.revision, page.is_published, page.review_status, page.created_at, page.updated_at, array(
      select forward.slug from landing_page_forwards as forward
      where forward.program_id = ${programId} and forward.page_id = page.id order by 1) as former_slugs
    from landing_pages as page
    where page.program_id = ${programId} and page.affiliate_id = ${affiliateId} and ${createdAfter('page', last)}
    order by page.created_at, page.id`,
});

const content = z.record(z.string(), z.unknown());

const pageRevisions = section<{ revision: number }>({
  name: 'pageRevisions',
  meaning: 'What was submitted for the landing page, and how it was reviewed.',
  tables: [],
  row: z.object({
    revision: countOut,
    content: content.describe('The texts, pictures, links and products of the revision.'),
    reviews: z.array(z.object({ verdict: z.string(), note: z.string().nullable(), createdAt: timestampOut })).describe('Its reviews.'),
    createdAt: timestampOut,
  }),
  example: {
    revision: 3,
    content: { pageTitle: 'Ada’s favourites', headline: 'What I use every day' },
    reviews: [{ verdict: 'approved', note: null, createdAt: at }],
    createdAt: at,
  },
  select: ({ programId, affiliateId }, last) => sql`
    select revision.revision, revision.created_at, jsonb_build_object('templateId', revision.template_id, 'accent', revision.accent,
      'pageTitle', revision.page_title, 'headline', revision.headline, 'bioText', revision.bio_text, 'avatarUrl', revision.avatar_url,
      'heroImageUrl', revision.hero_image_url, 'promoBadgeText', revision.promo_badge_text, 'links', revision.links,
      'promotionMode', revision.promotion_mode, 'featuredProductIds', revision.featured_product_ids,
      'productNotes', revision.product_notes, 'isPublished', revision.is_published) as content,
      coalesce((select jsonb_agg(jsonb_build_object('verdict', review.verdict, 'note', review.note, 'createdAt', review.created_at)
        order by review.created_at) from landing_page_reviews as review where review.program_id = ${programId}
        and review.page_id = page.id and review.revision = revision.revision and review.undone_at is null), '[]') as reviews
    from landing_pages as page
    join landing_page_revisions as revision on revision.program_id = ${programId} and revision.page_id = page.id
    where page.program_id = ${programId} and page.affiliate_id = ${affiliateId} and revision.revision > ${last?.revision ?? 0}
    order by revision.revision`,
});

const pageDrafts = section<object>({
  name: 'pageDrafts',
  meaning: 'What was written for the landing page and not submitted.',
  tables: ['landing_page_drafts'],
  row: z.object({ content: content.describe('The fields that differ from the last revision.'), updatedAt: timestampOut }),
  example: { content: { headline: 'What I use every day' }, updatedAt: at },
  select: ({ programId, affiliateId }) => sql`
    select content, updated_at from landing_page_drafts where program_id = ${programId} and affiliate_id = ${affiliateId}`,
});

const photos = section<Dated>({
  name: 'photos',
  meaning: 'Uploaded photos. The contents of the landing page have their addresses.',
  tables: ['media'],
  row: z.object({
    id: uuidOut,
    width: countOut.describe('In pixels.'),
    height: countOut.describe('In pixels.'),
    createdAt: timestampOut,
  }),
  example: { id: '01980a53-8e11-7b52-9c4d-1a2b3c4d5e6f', width: 1600, height: 900, createdAt: at },
  select: ({ programId, userId }, last) => sql`
    select id, width, height, created_at from media
    where program_id = ${programId} and user_id = ${userId} and ${createdAfter('media', last)} order by created_at, id`,
});

const postbacks = section<Dated>({
  name: 'postbacks',
  meaning: 'Addresses that are informed of the affiliate’s orders.',
  tables: ['webhooks'],
  row: z.object({
    url: z.string(),
    method: z.string(),
    eventTypes: z.array(z.string()),
    status: z.string(),
    lastSucceededAt: timestampOut.nullable(),
    lastFailedAt: timestampOut.nullable(),
    createdAt: timestampOut,
  }),
  example: {
    url: 'https://tracker.example/postback?cid={sub1}',
    method: 'GET',
    eventTypes: ['commission.created'],
    status: 'active',
    lastSucceededAt: at,
    lastFailedAt: null,
    createdAt: at,
  },
  select: ({ programId, affiliateId }, last) => sql`
    select id, url, method, event_types, status, last_succeeded_at, last_failed_at, created_at from webhooks
    where program_id = ${programId} and affiliate_id = ${affiliateId} and deleted_at is null and ${createdAfter('webhooks', last)}
    order by created_at, id`,
});

export const promotionSections = [shortLinks, links, coupons, activity, pages, pageRevisions, pageDrafts, photos, postbacks];
