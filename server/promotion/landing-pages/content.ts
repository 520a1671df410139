// The contents of a landing page that an affiliate can write: their limits, and the form in which revisions store them.
import { z } from 'zod';
import { line, optionalLine, paragraph, uuid, webAddress } from '../../platform/http/declaration/fields.ts';
import { PromotionMode, type Revision, TemplateId } from './landing-page.ts';

export const Accent = z.enum(['lagoon', 'ink', 'plum', 'clay', 'moss', 'graphite']).meta({ id: 'PageAccent' });
export const HeroFocus = z.enum(['left', 'center', 'right']).meta({ id: 'PageHeroFocus' });

const httpsAddress = webAddress
  .refine((text) => /^https:/i.test(text), { error: 'must be an https URL' })
  .meta({ json: { type: 'string', format: 'uri', maxLength: 2048 } });

export const PageLink = z.object({ label: line(40), url: httpsAddress }).meta({ id: 'LandingPageLink' });

export const ProductNotes = z
  .record(uuid, optionalLine(160))
  .refine((notes) => Object.keys(notes).length <= 500, { error: 'must not have more than 500 entries' })
  .meta({ json: { type: 'object', maxProperties: 500, additionalProperties: { type: 'string', maxLength: 160 } } });

/** The fields of a write. Omitted fields keep their value. */
export const pageContentFields = {
  pageTitle: line(200),
  templateId: TemplateId.optional().describe('Default for a new page: `minimalist`.'),
  promotionMode: PromotionMode.optional().describe('Default for a new page: `all`.'),
  headline: optionalLine(300).nullable().optional(),
  bioText: paragraph(5000).nullable().optional(),
  avatarUrl: webAddress.nullable().optional(),
  heroImageUrl: webAddress.nullable().optional(),
  promoBadgeText: optionalLine(100).optional(),
  featuredProductIds: z.array(uuid).max(500).optional().describe('Filtered to the products this affiliate may promote.'),
  isPublished: z.boolean().optional().describe("The affiliate's intent to be live."),
  accent: Accent.optional().describe('The color of the page. Default for a new page: `lagoon`.'),
  links: z.array(PageLink).max(8).optional().describe("The affiliate's own links, such as social profiles."),
  productNotes: ProductNotes.optional().describe('Why the affiliate recommends a product, by product id.'),
  heroFocus: HeroFocus.optional().describe('The part of the hero image that stays visible when it is cropped.'),
};

export const PageContent = z.object(pageContentFields);
export type PageContent = z.output<typeof PageContent>;

/** The fields of a revision that the database doesn't type. */
export type PageDetails = {
  accent: z.output<typeof Accent>;
  links: z.output<typeof PageLink>[];
  productNotes: Record<string, string>;
  heroFocus: z.output<typeof HeroFocus>;
};

/** The details of a revision, typed. */
export function readDetails({ accent, links, productNotes, heroFocus }: Pick<Revision, keyof PageDetails>): PageDetails {
  return {
    accent: Accent.parse(accent),
    links: z.array(PageLink).parse(links),
    productNotes: ProductNotes.parse(productNotes),
    heroFocus: HeroFocus.parse(heroFocus),
  };
}

/** The fields of a revision as responses return them. */
export const pageContentShape = {
  templateId: TemplateId,
  promotionMode: PromotionMode,
  pageTitle: z.string(),
  headline: z.string().nullable(),
  bioText: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  heroImageUrl: z.string().nullable(),
  promoBadgeText: z.string().nullable(),
  accent: Accent,
  links: z.array(PageLink),
  productNotes: z.record(z.string(), z.string()).describe('Why the affiliate recommends a product, by product id.'),
  heroFocus: HeroFocus,
};

/** A revision in that form. */
export function toPageContent(revision: Revision) {
  const { pageTitle, headline, bioText, avatarUrl, heroImageUrl, promoBadgeText } = revision;
  return {
    ...readDetails(revision),
    templateId: TemplateId.parse(revision.templateId),
    promotionMode: PromotionMode.parse(revision.promotionMode),
    pageTitle,
    headline,
    bioText,
    avatarUrl,
    heroImageUrl,
    promoBadgeText,
  };
}

/** The row of the next revision: the sent values, else those of the last revision, else the defaults of a new page. */
export function mergeContent(last: Revision | undefined, body: PageContent, featuredProductIds: string[] | undefined) {
  const orPrevious = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given);
  return {
    templateId: orPrevious<string>(body.templateId, last?.templateId ?? 'minimalist'),
    promotionMode: orPrevious<string>(body.promotionMode, last?.promotionMode ?? 'all'),
    pageTitle: body.pageTitle,
    headline: orPrevious(body.headline, last?.headline ?? null),
    bioText: orPrevious(body.bioText, last?.bioText ?? null),
    avatarUrl: orPrevious(body.avatarUrl, last?.avatarUrl ?? null),
    heroImageUrl: orPrevious(body.heroImageUrl, last?.heroImageUrl ?? null),
    promoBadgeText: orPrevious<string | null>(body.promoBadgeText, last?.promoBadgeText ?? null),
    featuredProductIds: orPrevious(featuredProductIds, last?.featuredProductIds ?? []),
    isPublished: orPrevious(body.isPublished, last?.isPublished ?? false),
    accent: orPrevious<string>(body.accent, last?.accent ?? 'lagoon'),
    links: JSON.stringify(orPrevious<unknown>(body.links, last?.links ?? [])),
    productNotes: JSON.stringify(orPrevious<unknown>(body.productNotes, last?.productNotes ?? {})),
    heroFocus: orPrevious<string>(body.heroFocus, last?.heroFocus ?? 'center'),
  };
}
