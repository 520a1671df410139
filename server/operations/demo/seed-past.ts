// Four months of the demo program, up to this minute. Everything is recorded by the functions that the API uses, except for
// clicks, which are inserted in bulk; so the demo has real commissions and a real ledger, and passes `verify`.
import { addMember, addOrganizationMember } from '../../accounts/identity/members/add-member.ts';
import { findMember } from '../../accounts/identity/members/find-member.ts';
import type { Role } from '../../accounts/identity/roles.ts';
import { findOrCreateUser } from '../../accounts/identity/users/user.ts';
import { storePreferences } from '../../accounts/preferences/preferences.ts';
import { updateProgram } from '../../accounts/programs/update.ts';
import type { Tx } from '../../context.ts';
import { matureSome } from '../../earning/commissions/mature.ts';
import { rebuildDailyTotals } from '../../partners/affiliates/totals/rebuild-daily-totals.ts';
import { recountTotals } from '../../partners/affiliates/totals/recount.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { markLeaks } from '../../promotion/coupons/detect-leaks.ts';
import { callEndpoint } from './call-endpoint.ts';
import { coupons, members, programMember } from './data/demo-data.ts';
import { seedPictures } from './pictures/seed-pictures.ts';
import { createRandom, type Random } from './random.ts';
import { type Promoter, seedClicks } from './seed-activity.ts';
import { generateBounties } from './seed-bounties.ts';
import { generateClaim, generateLeakedOrders, generateRefunds, generateReturnedOrder, seedSuspiciousOrders } from './seed-decisions.ts';
import { seedPages } from './seed-pages.ts';
import { generatePaydays } from './seed-payouts.ts';
import { type SeededProgram, seedProgram } from './seed-program.ts';
import { seedResources } from './seed-resources.ts';
import { createStore, generateUnattributed, saveStoreOrders } from './seed-store.ts';
import { at, hoursBefore, type PastOrder, replayPast } from './timeline.ts';

const seed = 20_261_121;
export const programDays = 130;
const activityDays = 90;
const storeDays = 28;
const unattributedOrders = 90;
const minimumPayoutCents = 2000;
const demoActor: Actor = { kind: 'command', id: 'demo' };

type Seed = { tx: Tx; actor: Principal; random: Random };

/** Fills an empty program. Returns what it contains. */
export async function seedPast(tx: Tx, actor: Principal): Promise<{ affiliates: number; products: number; pages: number }> {
  const { programId } = actor;
  const random = createRandom(seed);
  const start = hoursBefore(tx, programDays * 24);
  const memberIds = await seedMembers(at(tx, start), programId);
  await callEndpoint(at(tx, start), updateProgram, { actor, body: { minimumPayoutCents } });
  const pictures = await seedPictures(at(tx, start), { programId, userId: memberIds.owner });
  await seedResources(at(tx, start), actor);
  const seeded = await seedProgram({ tx, actor, random }, { start, days: programDays, pictures });
  const pages = await seedPages({ tx, actor, random, reviewerId: memberIds.reviewer, pictures }, seeded.promoters, seeded.productIds);
  await seedOrders({ tx, actor, random }, seeded, await signIn(tx, programId, memberIds.finance));
  while ((await matureSome(tx, programId)) > 0);
  await markLeaks(tx, programId);
  return { affiliates: seeded.affiliateCount, products: seeded.productIds.length, pages };
}

async function seedOrders({ tx, actor, random }: Seed, { promoters, uplines }: SeededProgram, finance: Principal): Promise<void> {
  const { programId } = actor;
  const now = tx.clock.now();
  const storeStart = hoursBefore(tx, storeDays * 24);
  const storeId = await createStore(at(tx, storeStart), actor);
  const reporter = (time: Date): Actor => (time < storeStart ? demoActor : { kind: 'provider', id: storeId });
  const [returning, visited] = splitReturning(promoters);
  const fromClicks = await seedClicks({ tx, random, programId, promoters: visited, days: activityDays }, reporter);
  const suspicious = await seedSuspiciousOrders({ tx, random, actor }, visited, uplines);
  // Before the orders, which maintain the totals themselves: their many changes of one row make every later one slower.
  await recountTotals(tx, programId);
  await rebuildDailyTotals(tx, programId);
  const leaked = generateLeakedOrders({ tx, random, actor }, coupons[0] ?? '');
  const unattributed = generateUnattributed({ random, now, days: storeDays, storeId }, unattributedOrders);
  const returned = generateReturnedOrder({ tx, random, actor }, returning);
  const orders = withoutRepeats([...suspicious, ...returned.orders, ...unattributed, ...leaked, ...fromClicks]);
  const claimant = visited[17] ?? returning;
  const steps = [
    ...returned.steps,
    ...generateRefunds(
      { tx, random, actor },
      fromClicks.filter((one) => orders.includes(one)),
    ),
    ...generateClaim({ tx, random, actor }, claimant, unattributed),
    ...generateBounties({ tx, actor }, visited),
    ...generatePaydays(tx, { actor, finance }),
  ];
  await replayPast(tx, programId, { orders, steps });
  const sent = orders.filter((one) => one.at >= storeStart);
  await saveStoreOrders(tx, { programId, sent }, { random, now, days: storeDays, storeId });
}

/** The user as the caller of an operation. */
async function signIn(tx: Tx, programId: string, userId: string): Promise<Principal> {
  const now = tx.clock.now();
  const user = {
    kind: 'user' as const,
    id: userId,
    sessionId: tx.ids.uuid(),
    freshAt: now,
    secondFactorAt: now,
    isFromCommand: false,
    siteProgramId: null,
  };
  const member = await findMember(tx, user, programId);
  if (!member) throw new Error('The user of the demo is not a member.');
  return member;
}

/** One early affiliate brings no visitors: a single large order of theirs is returned after the payout. */
function splitReturning(promoters: readonly Promoter[]): [Promoter, Promoter[]] {
  const returning = promoters.find(({ group }) => group === 'Clinicians');
  if (!returning) throw new Error('The demo has no clinician.');
  return [returning, promoters.filter((promoter) => promoter !== returning)];
}

/** Order ids follow from the time; of two with the same, the first counts. */
function withoutRepeats(orders: readonly PastOrder[]): PastOrder[] {
  const taken = new Set<string>();
  return orders.filter(({ order: { orderId } }) => !taken.has(orderId) && taken.add(orderId));
}

const actor = { kind: 'command' as const, id: 'demo' };

/** The demo stays a test program that pays by bank transfer: its first steps would never be complete. */
function hideFirstSteps(tx: Tx, userId: string, programId: string): Promise<void> {
  return storePreferences(tx, { userId, screen: 'first-steps', preferences: { hiddenFor: [programId] } });
}

/** Creates the users of the demo, with their roles. Returns the ids of the organization's by role. */
async function seedMembers(tx: Tx, programId: string): Promise<Record<(typeof members)[number]['role'], string>> {
  const { organizationId } = await tx.db
    .selectFrom('programs')
    .select('organizationId')
    .where('id', '=', programId)
    .executeTakeFirstOrThrow();
  const ids = new Map<Role, string>();
  for (const { name, email, role } of members) {
    const { user } = await findOrCreateUser(tx, { name, email });
    await addOrganizationMember(tx, { organizationId, userId: user.id, role, actor });
    ids.set(role, user.id);
    await hideFirstSteps(tx, user.id, programId);
  }
  const { user } = await findOrCreateUser(tx, programMember);
  await hideFirstSteps(tx, user.id, programId);
  await addMember(tx, { programId, userId: user.id, role: programMember.role, actor });
  return Object.fromEntries(ids) as Record<(typeof members)[number]['role'], string>;
}
