// The history of the demo program, told through the same operations that the API offers, with a clock
// that walks through the last four months.

import type { Tx } from '../../context.ts';
import { AffiliateStatus } from '../../partners/affiliates/affiliate.ts';
import { changeAffiliate } from '../../partners/affiliates/change-affiliate.ts';
import { Invite, invite } from '../../partners/affiliates/invite.ts';
import { createGroup } from '../../partners/groups/create.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { perform } from '../../platform/http/perform.ts';
import { toSlug } from '../../platform/lib/slug.ts';
import { createProduct } from '../../promotion/catalogue/create.ts';
import { reviewPage } from '../../promotion/landing-pages/review.ts';
import { writeLandingPage } from '../../promotion/landing-pages/write.ts';
import { bios, brand, firstNames, groups, lastNames, pageTitles, products } from './cast.ts';
import type { Chance } from './chance.ts';
import { layDownRules } from './rules.ts';

const affiliateCount = 240;
const days = 120;
const statuses = AffiliateStatus.options;

type Telling = { tx: Tx; actor: Principal; chance: Chance; start: Date };
type Person = { id: string; name: string; status: string; groupId: string; joinedDay: number };

/** Tells the whole story and returns what came of it. */
export async function tell({ tx, actor, chance, start }: Telling) {
  const at = (day: number): Telling => ({ tx: { ...tx, clock: { now: () => momentOf(start, day, chance) } }, actor, chance, start });
  const groupIds = await openGroups(at(0));
  const productIds = await stockShelves(at(1), groupIds);
  await layDownRules(at(1), { groupIds });
  const people: Person[] = [];
  for (let index = 0; index < affiliateCount; index += 1) {
    const day = 2 + Math.floor((index * (days - 3)) / affiliateCount);
    people.push(await welcomePerson(at(day), { index, day, groupIds: [...groupIds.values()], uplines: people }));
  }
  const active = people.filter(({ status }) => status === 'active');
  const slugs: string[] = [];
  for (const person of active.slice(0, 64)) slugs.push(await buildPage(at(person.joinedDay + 1), person, productIds));
  return { people, active, productCount: productIds.length, slugs };
}

function momentOf(start: Date, day: number, chance: Chance): Date {
  return new Date(start.getTime() + day * 86_400_000 + chance.number(80_000_000));
}

async function openGroups({ tx, actor }: Telling): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const body of groups) {
    const group = await perform(createGroup, tx, { actor, params: {}, query: undefined, body });
    ids.set(body.name, group.id);
  }
  return ids;
}

async function stockShelves({ tx, actor }: Telling, groupIds: Map<string, string>): Promise<string[]> {
  const ids: string[] = [];
  for (const [name, category, priceCents, group] of products) {
    const handle = toSlug(name);
    const groupId = group === undefined ? undefined : groupIds.get(group);
    const body = {
      name,
      category,
      priceCents,
      externalId: handle,
      checkoutUrl: `${brand.websiteUrl}cart/${handle}`,
      allowedGroupIds: groupId === undefined ? [] : [groupId],
    };
    const product = await perform(createProduct, tx, { actor, params: {}, query: undefined, body });
    ids.push(product.id);
  }
  return ids;
}

type Joining = { index: number; day: number; groupIds: string[]; uplines: Person[] };

async function welcomePerson({ tx, actor, chance }: Telling, { index, day, groupIds, uplines }: Joining): Promise<Person> {
  const firstName = chance.pick(firstNames);
  const lastName = chance.pick(lastNames);
  const plain = `${firstName}.${lastName}`
    .normalize('NFKD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  const groupId = chance.pick(groupIds);
  const status = index > affiliateCount - 14 ? 'pending' : chance.happens(88) ? 'active' : chance.pick(statuses);
  const given = Invite.parse({
    firstName,
    lastName,
    email: `${plain}${index}@${chance.pick(['example.com', 'example.org', 'example.net'])}`,
    groupId,
    autoApprove: status === 'active' && chance.happens(70),
    sendInvite: index > affiliateCount - 6,
    ...(uplines.length > 10 && chance.happens(12) && { parentAffiliateId: chance.pick(uplines).id }),
  });
  const { id, status: first } = await invite(tx, { programId: actor.programId, actor: { kind: 'command', id: 'demo' } }, given);
  const vanitySlug = chance.happens(25) ? `${plain.replace('.', '-')}-${index}`.slice(0, 60) : undefined;
  if (first !== status || vanitySlug) {
    // Mails of the past are not sent: nobody of the cast has a mailbox.
    const quiet: Tx = { ...tx, mailer: null };
    const override = chance.happens(4) ? { commissionOverrideType: 'percentage' as const, commissionOverrideRate: 15 } : {};
    await changeAffiliate(quiet, actor, { id, status, vanitySlug, ...override });
  }
  return { id, name: `${firstName} ${lastName}`, status, groupId, joinedDay: day };
}

async function buildPage({ tx, actor, chance }: Telling, person: Person, productIds: string[]): Promise<string> {
  const templateId = chance.pick(['clinical', 'creator', 'minimalist'] as const);
  const slug = `${person.name
    .normalize('NFKD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '-')}-${person.id.slice(-4)}`;
  const body = {
    affiliateId: person.id,
    templateId,
    pageTitle: chance.pick(pageTitles[templateId]),
    headline: chance.happens(70) ? `Picked by ${person.name}` : null,
    bioText: chance.pick(bios),
    promotionMode: chance.happens(50) ? ('featured_only' as const) : ('all' as const),
    featuredProductIds: productIds.filter(() => chance.happens(25)),
    isPublished: chance.happens(85),
    ...(chance.happens(30) && { promoBadgeText: '10% off your first order' }),
  };
  const { id: _, ...page } = await perform(writeLandingPage, tx, { actor, params: { slug }, query: undefined, body });
  if (chance.happens(75)) {
    const reviewer = { kind: 'command' as const, id: 'demo' };
    await reviewPage(tx, { programId: actor.programId, slug: page.slug, revision: 1, verdict: 'approved', actor: reviewer });
  }
  return page.slug;
}
