// The groups, products, rules, affiliates and landing pages of the demo program, created by the operations that the API
// offers, with a clock that advances through the last four months.
import type { Tx } from '../../context.ts';
import { AffiliateStatus } from '../../partners/affiliates/affiliate.ts';
import { changeAffiliate } from '../../partners/affiliates/change-affiliate.ts';
import { Invite, invite } from '../../partners/affiliates/invite.ts';
import { addGroup } from '../../partners/groups/create.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { toSlug } from '../../platform/lib/slug.ts';
import { addProduct } from '../../promotion/catalogue/create.ts';
import { reviewPage } from '../../promotion/landing-pages/review.ts';
import { writePage } from '../../promotion/landing-pages/write.ts';
import { bios, firstNames, groups, lastNames, pageTitles, products, program } from './demo-data.ts';
import type { Random } from './random.ts';
import { seedRules } from './seed-rules.ts';

const affiliateCount = 240;
const pageCount = 64;
/** The last invitations are still unanswered. */
const pendingCount = 13;
const dayMs = 86_400_000;
const statuses = AffiliateStatus.options;
const demoActor = { kind: 'command' as const, id: 'demo' };

type Seed = { tx: Tx; actor: Principal; random: Random };
type Affiliate = { id: string; name: string; status: string; joinedDay: number };
export type SeededProgram = { affiliateCount: number; productCount: number; pageCount: number; activeAffiliateIds: string[] };

/** Creates everything but activity, spread over `days` from `start` on. */
export async function seedProgram({ tx, actor, random }: Seed, { start, days }: { start: Date; days: number }): Promise<SeededProgram> {
  const onDay = (day: number): Seed => {
    const now = () => new Date(start.getTime() + day * dayMs + random.number(80_000_000));
    return { tx: { ...tx, clock: { now } }, actor, random };
  };
  const groupIds = await seedGroups(onDay(0));
  const productIds = await seedProducts(onDay(1), groupIds);
  await seedRules(onDay(1), groupIds);
  const affiliates: Affiliate[] = [];
  for (let index = 0; index < affiliateCount; index += 1) {
    const joinedDay = 2 + Math.floor((index * (days - 3)) / affiliateCount);
    affiliates.push(await seedAffiliate(onDay(joinedDay), { index, joinedDay, groupIds: [...groupIds.values()], uplines: affiliates }));
  }
  const active = affiliates.filter(({ status }) => status === 'active');
  const withPage = active.slice(0, pageCount);
  for (const affiliate of withPage) await seedLandingPage(onDay(affiliate.joinedDay + 1), affiliate, productIds);
  return {
    affiliateCount,
    productCount: productIds.length,
    pageCount: withPage.length,
    activeAffiliateIds: active.map(({ id }) => id),
  };
}

/** Returns the ids by name. */
async function seedGroups({ tx, actor }: Seed): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const body of groups) {
    const group = await addGroup(tx, actor, body);
    ids.set(body.name, group.id);
  }
  return ids;
}

async function seedProducts({ tx, actor }: Seed, groupIds: ReadonlyMap<string, string>): Promise<string[]> {
  const ids: string[] = [];
  for (const [name, category, priceCents, group] of products) {
    const handle = toSlug(name);
    const groupId = group === undefined ? undefined : groupIds.get(group);
    const body = {
      name,
      category,
      priceCents,
      externalId: handle,
      checkoutUrl: `${program.websiteUrl}cart/${handle}`,
      allowedGroupIds: groupId === undefined ? [] : [groupId],
    };
    const product = await addProduct(tx, actor, body);
    ids.push(product.id);
  }
  return ids;
}

type Joining = { index: number; joinedDay: number; groupIds: string[]; uplines: Affiliate[] };

async function seedAffiliate({ tx, actor, random }: Seed, { index, joinedDay, groupIds, uplines }: Joining): Promise<Affiliate> {
  const firstName = random.pick(firstNames);
  const lastName = random.pick(lastNames);
  const account = `${toAscii(`${firstName}.${lastName}`)}${index}`;
  const groupId = random.pick(groupIds);
  const status = index >= affiliateCount - pendingCount ? 'pending' : random.happens(88) ? 'active' : random.pick(statuses);
  const invitation = Invite.parse({
    firstName,
    lastName,
    email: `${account}@${random.pick(['example.com', 'example.org', 'example.net'])}`,
    groupId,
    autoApprove: status === 'active' && random.happens(70),
    sendInvite: index > affiliateCount - 6,
    parentAffiliateId: uplines.length > 10 && random.happens(12) ? random.pick(uplines).id : undefined,
  });
  const { id, status: invitedStatus } = await invite(tx, { programId: actor.programId, actor: demoActor }, invitation);
  const vanitySlug = random.happens(25) ? `${toAscii(`${firstName}-${lastName}`)}-${index}`.slice(0, 60) : undefined;
  if (invitedStatus !== status || vanitySlug) {
    // Emails of the past are not sent: the addresses are invented.
    const silentTx: Tx = { ...tx, mailer: null };
    const override = random.happens(4) ? { commissionOverrideType: 'percentage' as const, commissionOverrideRate: 15 } : {};
    await changeAffiliate(silentTx, actor, { id, status, vanitySlug, ...override });
  }
  return { id, name: `${firstName} ${lastName}`, status, joinedDay };
}

async function seedLandingPage({ tx, actor, random }: Seed, affiliate: Affiliate, productIds: string[]): Promise<void> {
  const templateId = random.pick(['clinical', 'creator', 'minimalist'] as const);
  const slug = `${toAscii(affiliate.name.replaceAll(' ', '-'))}-${affiliate.id.slice(-4)}`;
  const body = {
    affiliateId: affiliate.id,
    templateId,
    pageTitle: random.pick(pageTitles[templateId]),
    headline: random.happens(70) ? `Picked by ${affiliate.name}` : null,
    bioText: random.pick(bios),
    promotionMode: random.happens(50) ? ('featured_only' as const) : ('all' as const),
    featuredProductIds: productIds.filter(() => random.happens(25)),
    isPublished: random.happens(85),
    promoBadgeText: random.happens(30) ? '10% off your first order' : undefined,
  };
  await writePage(tx, actor, slug, body);
  if (random.happens(75)) await reviewPage(tx, { programId: actor.programId, slug, revision: 1, verdict: 'approved', actor: demoActor });
}

/** "Zoë.O'Brien" → "zoe.obrien" */
function toAscii(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^A-Za-z.-]/g, '')
    .toLowerCase();
}
