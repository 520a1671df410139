// The groups, products, rules, affiliates and coupons of the demo program, created by the operations that the API offers,
// with a clock that advances through the last months.
import { z } from 'zod';
import { updateBrand } from '../../accounts/programs/brand/endpoints.ts';
import type { Tx } from '../../context.ts';
import { addRule } from '../../earning/commission-rules/create.ts';
import { ruleFields } from '../../earning/commission-rules/write-rule.ts';
import { AffiliateStatus } from '../../partners/affiliates/affiliate.ts';
import { changeAffiliate } from '../../partners/affiliates/change-affiliate.ts';
import { Invite, invite } from '../../partners/affiliates/invite.ts';
import { addGroup } from '../../partners/groups/create.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { toSlug } from '../../platform/lib/slug.ts';
import { fullName } from '../../platform/lib/text.ts';
import { addProduct } from '../../promotion/catalogue/create.ts';
import { createCoupon } from '../../promotion/coupons/create.ts';
import { seedApplication, seedJoinForm } from './applications/seed-applications.ts';
import { callEndpoint } from './call-endpoint.ts';
import { coupons, groups, products, program, rules, tags } from './data/demo-data.ts';
import { pickName } from './data/names.ts';
import { brand } from './data/page-designs.ts';
import type { Pictures } from './pictures/seed-pictures.ts';
import type { Random } from './random.ts';
import type { Promoter } from './seed-activity.ts';
import { at, hoursBefore } from './timeline.ts';

const affiliateCount = 240;
/** When the affiliates applied who still await a decision. */
const applicationsHoursAgo = [49, 6];
const dayMs = 86_400_000;
const demoActor = { kind: 'command' as const, id: 'demo' };

type Seed = { tx: Tx; actor: Principal; random: Random };
type Terms = { start: Date; days: number; pictures: Pictures };
export type SeededProgram = { affiliateCount: number; productIds: string[]; promoters: Promoter[]; uplines: ReadonlyMap<string, Promoter> };

/** Creates everything but pages and activity, spread over `days` from `start` on. */
export async function seedProgram({ tx, actor, random }: Seed, { start, days, pictures }: Terms): Promise<SeededProgram> {
  const onDay = (day: number): Seed => {
    const now = new Date(start.getTime() + day * dayMs + random.number(80_000_000));
    return { tx: { ...tx, clock: { now: () => now } }, actor, random };
  };
  const groupIds = await seedGroups(onDay(0));
  await seedJoinForm(at(tx, start), actor.programId);
  await callEndpoint(at(tx, start), updateBrand, { actor, body: { ...brand, logoUrl: pictures.logo } });
  const productIds = await seedProducts(onDay(1), groupIds, pictures);
  await seedRules(onDay(1), groupIds);
  const known: Known = { groupIds, names: new Set(), promoters: [], uplines: new Map() };
  const joining = affiliateCount - applicationsHoursAgo.length;
  // More join from month to month.
  for (let index = 0; index < joining; index += 1)
    await seedAffiliate(onDay(2 + (index / joining) ** 0.75 * (days - 3)), known, { index, isApplication: false });
  for (const [index, hours] of applicationsHoursAgo.entries()) {
    const now = hoursBefore(tx, hours);
    await seedAffiliate({ tx: { ...tx, clock: { now: () => now } }, actor, random }, known, {
      index: joining + index,
      isApplication: true,
    });
  }
  const promoters = await seedCoupons(onDay(45), known.promoters);
  return { affiliateCount, productIds, promoters, uplines: known.uplines };
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

async function seedProducts({ tx, actor }: Seed, groupIds: ReadonlyMap<string, string>, pictures: Pictures): Promise<string[]> {
  const ids: string[] = [];
  for (const { name, category, priceCents, group } of products) {
    const handle = toSlug(name);
    const groupId = group === undefined ? undefined : groupIds.get(group);
    const body = {
      name,
      category,
      priceCents,
      externalId: handle,
      imageUrl: pictures.products.get(handle),
      checkoutUrl: `${program.websiteUrl}cart/${handle}`,
      allowedGroupIds: groupId === undefined ? [] : [groupId],
    };
    const product = await addProduct(tx, actor, body);
    ids.push(product.id);
  }
  return ids;
}

type Known = { groupIds: ReadonlyMap<string, string>; names: Set<string>; promoters: Promoter[]; uplines: Map<string, Promoter> };
type Joining = { index: number; isApplication: boolean };

async function seedAffiliate({ tx, actor, random }: Seed, known: Known, { index, isApplication }: Joining): Promise<void> {
  const { firstName, lastName, latin } = pickName(random, known.names);
  const group = random.pick(groups).name;
  const isActive = !isApplication && random.happens(91);
  const status = isApplication ? 'pending' : isActive ? 'active' : random.pick(['suspended', 'rejected', 'archived'] as const);
  const upline = known.promoters.length > 10 && random.happens(12) ? random.pick(known.promoters) : null;
  const email = `${latin.replace('-', '.')}@${random.pick(['example.com', 'example.org', 'example.net'])}`;
  const invitation = Invite.parse({
    firstName,
    lastName,
    email,
    groupId: known.groupIds.get(group),
    autoApprove: isActive && random.happens(70),
    sendInvite: index > affiliateCount - 8,
    parentAffiliateId: upline?.id,
    tags: tags.filter(() => random.happens(9)),
  });
  if (isApplication) return seedApplication(tx, actor.programId, { firstName, lastName, email }, index);
  const { id, status: invitedStatus, referralCode } = await invite(tx, { programId: actor.programId, actor: demoActor }, invitation);
  const vanitySlug = isActive && random.happens(25) ? latin.slice(0, 60) : undefined;
  if (invitedStatus !== status || vanitySlug) {
    // Emails of the past are not sent: the addresses are invented.
    const silentTx: Tx = { ...tx, mailer: null };
    const override = random.happens(4) ? { commissionOverrideType: 'percentage' as const, commissionOverrideRate: 15 } : {};
    await changeAffiliate(silentTx, actor, { id, status: AffiliateStatus.parse(status), vanitySlug, ...override });
  }
  if (!isActive) return;
  const promoter = { id, name: fullName({ firstName, lastName }), slug: latin, email, referralCode, group, joinedAt: tx.clock.now() };
  known.promoters.push({ ...promoter, ...pickSuccess(random), couponCode: undefined });
  if (upline) known.uplines.set(id, upline);
}

/** A few bring most of the visitors. The visitors of some order more often. */
function pickSuccess(random: Random): { reach: number; conversionPercent: number } {
  return { reach: 1 / (0.6 + random.number(100) * 0.45), conversionPercent: 4 + random.number(90) / 10 };
}

/** The affiliates with the largest reach have a code. */
async function seedCoupons({ tx, actor }: Seed, promoters: readonly Promoter[]): Promise<Promoter[]> {
  const largest = promoters.filter(({ joinedAt }) => joinedAt < tx.clock.now()).toSorted((a, b) => b.reach - a.reach);
  const codes = new Map(coupons.map((code, index) => [largest[index + 2]?.id, code]));
  for (const [affiliateId, code] of codes)
    await callEndpoint(tx, createCoupon, { actor, body: { affiliateId, code, discountType: 'percentage', discountRate: 10 } });
  return promoters.map((promoter) => ({ ...promoter, couponCode: codes.get(promoter.id) }));
}

/** Creates the commission rules; `groupIds` maps the names of groups to their ids. */
async function seedRules({ tx, actor }: { tx: Tx; actor: Principal }, groupIds: ReadonlyMap<string, string>): Promise<void> {
  const products = await tx.db.selectFrom('products').select(['id', 'externalId']).where('programId', '=', actor.programId).execute();
  for (const { group, product, ...rule } of rules) {
    const productId = product === undefined ? undefined : products.find(({ externalId }) => externalId === toSlug(product))?.id;
    const fields = z.object(ruleFields).parse({ ...rule, groupId: group === undefined ? undefined : groupIds.get(group), productId });
    await addRule(tx, actor.programId, fields, { actor });
  }
}
