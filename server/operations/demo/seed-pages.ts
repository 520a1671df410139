// Landing pages of the demo: most are approved, some await changes, and a few are in review.
import type { Tx } from '../../context.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { reviewPage, type Verdict } from '../../promotion/landing-pages/review.ts';
import { writePage } from '../../promotion/landing-pages/write.ts';
import { bios, pagesInReview, pageTitles, products } from './data/demo-data.ts';
import { designs, notes } from './data/page-designs.ts';
import type { Pictures } from './pictures/seed-pictures.ts';
import type { Random } from './random.ts';
import type { Promoter } from './seed-activity.ts';
import { at, hoursBefore } from './timeline.ts';

const pageCount = 64;
const hourMs = 3_600_000;

type Seed = { tx: Tx; actor: Principal; random: Random; reviewerId: string; pictures: Pictures };

/** Writes and reviews pages of these affiliates. Returns how many there are. */
export async function seedPages(seed: Seed, promoters: readonly Promoter[], productIds: readonly string[]): Promise<number> {
  const { tx, random } = seed;
  const settled = promoters.filter(({ joinedAt }) => joinedAt < hoursBefore(tx, 120));
  const withPage = settled.filter((_, index) => index % Math.max(1, Math.floor(settled.length / pageCount)) === 0).slice(0, pageCount);
  const known = new Set(withPage);
  for (const [index, promoter] of withPage.entries()) {
    const joined = { ...seed, tx: at(tx, new Date(promoter.joinedAt.getTime() + 20 * hourMs)) };
    await writeFirstPage(joined, promoter, { index, productIds });
    await review(joined, promoter, {
      hours: 3 + random.number(40),
      revision: 1,
      verdict: index % 21 === 7 ? 'changes_requested' : 'approved',
    });
  }
  const others = settled.filter((promoter) => !known.has(promoter));
  for (const [index, page] of pagesInReview.entries()) {
    const { hoursAgo, isNew, pageTitle, bioText } = page;
    const promoter = (isNew ? others : withPage)[index * 5 + 3];
    if (!promoter) continue;
    const featuredProductIds = productIds.filter(() => random.happens(25));
    const avatarUrl = isNew ? seed.pictures.portraits[index] : undefined;
    const content = { affiliateId: promoter.id, pageTitle, bioText, avatarUrl, isPublished: true, featuredProductIds };
    await writePage(at(tx, hoursBefore(tx, hoursAgo)), seed.actor, promoter.slug, content);
  }
  return withPage.length + pagesInReview.filter(({ isNew }) => isNew).length;
}

type FirstPage = { index: number; productIds: readonly string[] };

async function writeFirstPage(seed: Seed, { id, slug, group }: Promoter, { index, productIds }: FirstPage): Promise<void> {
  const { tx, actor, random, pictures } = seed;
  const templateId = group === 'Clinicians' ? 'clinical' : group === 'Creators' ? 'creator' : 'minimalist';
  const design = designs[templateId];
  await writePage(tx, actor, slug, {
    affiliateId: id,
    templateId,
    avatarUrl: pictures.portraits[index % pictures.portraits.length],
    heroImageUrl: hasHero(templateId, index) ? pictures.heroes[templateId] : undefined,
    accent: random.pick(design.accents),
    links: design.links.filter(() => random.happens(80)),
    productNotes: notesFor(productIds),
    pageTitle: random.pick(pageTitles[templateId]),
    headline: random.happens(80) ? random.pick(design.headlines) : null,
    bioText: random.pick(bios),
    promotionMode: random.happens(50) ? 'featured_only' : 'all',
    featuredProductIds: productIds.filter(() => random.happens(25)),
    isPublished: random.happens(85),
    promoBadgeText: random.happens(30) ? '10% off your first order' : undefined,
  });
}

/** Creators show a large picture, as do some of the others. */
function hasHero(templateId: 'clinical' | 'creator' | 'minimalist', index: number): boolean {
  return templateId === 'creator' || index % 2 === 0;
}

/** Products are in the order of the demo's data. */
function notesFor(productIds: readonly string[]): Record<string, string> {
  const found = productIds.flatMap((id, index) => {
    const note = notes[products[index]?.name ?? ''];
    return note === undefined ? [] : [[id, note] as const];
  });
  return Object.fromEntries(found);
}

type Review = { hours: number; revision: number; verdict: Verdict };

async function review({ tx, actor, reviewerId }: Seed, { slug }: Promoter, { hours, revision, verdict }: Review): Promise<void> {
  const later = at(tx, new Date(tx.clock.now().getTime() + hours * hourMs));
  await reviewPage(later, { programId: actor.programId, slug, revision, verdict, actor: { kind: 'user', id: reviewerId } });
}
