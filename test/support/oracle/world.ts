// A random program on a real server: every request goes through HTTP, and every response is compared with the model.
import assert from 'node:assert/strict';
import { createProgram } from '../../../server/accounts/programs/create.ts';
import { transact } from '../../../server/platform/db/transact.ts';
import type { TestService } from '../harness.ts';
import { generateCoupon, generateOrder, generateOverride, generateRules } from './generate.ts';
import { isVoid, Model, refundedOf } from './model.ts';
import { add, split } from './numbers.ts';
import { type Chance, chanceOf } from './random.ts';
import type { ModelAffiliate, ModelCoupon, ModelRule, Recorded } from './types.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
type Body = any;
type Entry = { affiliateId: string; entry: 'accrue' | 'reverse' | 'restore'; orderId: string; cents: number };
type Dispute = { id: string; cents: number | null; status: 'opened' | 'won' | 'lost'; refund: string | null };

export type World = {
  seed: number;
  currency: string;
  chance: Chance;
  model: Model;
  path: string;
  coupon: ModelCoupon;
  products: string[];
  /** What the ledger should contain. */
  entries: Entry[];
  /** The commissions of the API by order, in the order of the model. */
  ids: Map<Recorded, string[]>;
  disputes: Map<Recorded, Dispute>;
  held: Set<string>;
  serial: number;
  call(method: string, path: string, body?: object): Promise<{ status: number; body: Body }>;
  read(path: string): Promise<Response>;
};

const names = ['Una', 'Ada', 'Bea', 'Cleo'];

/** Creates a program in this currency, with its settings, affiliates, products, coupon and rules. */
export async function openWorld(
  service: TestService,
  origin: string,
  { seed, currency }: { seed: number; currency: string },
): Promise<World> {
  const chance = chanceOf(seed);
  const timezone = chance.one(['UTC', 'America/New_York', 'Asia/Tokyo']);
  const key = await transact(service.ctx, (tx) => {
    const fresh = { name: `Oracle ${seed}`, mode: 'live' as const, currency, timezone, websiteUrl: null };
    return createProgram(tx, fresh, { kind: 'command', id: 'test' });
  });
  const headers = { authorization: `Bearer ${key.apiKey}` };
  const read = (path: string) => fetch(`${origin}${path}`, { headers });
  const call = async (method: string, path: string, body?: object) => {
    const sent = body ? { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } } : { headers };
    const response = await fetch(`${origin}${path}`, { method, ...sent });
    return { status: response.status, body: await response.json() };
  };
  const path = `/v1/programs/${key.programId}`;
  const create = async (at: string, body: object): Promise<Body> => {
    const { status, body: created } = await call('POST', `${path}${at}`, body);
    assert.equal(status, 201, `TEST_SEED=${seed} ${at}: ${JSON.stringify(created)}`);
    return created;
  };
  const settings = {
    holdDays: chance.one([0, 7, 30]),
    minimumPayoutCents: 0,
    commissionCapPercent: chance.one([null, null, 100, chance.whole(1, 30)]),
    flatRefunds: chance.one(['pro_rata', 'keep'] as const),
  };
  assert.equal((await call('PATCH', path, settings)).status, 200);
  const { id: groupId } = await create('/groups', { name: 'Gold' });
  const products: string[] = [];
  const categories = ['Teas', 'Tools'];
  const categoryOf = new Map<string, string>();
  for (const [index, category] of ['Teas', 'Tools', null].entries()) {
    const product = { name: `P${index}`, priceCents: 1000, checkoutUrl: 'https://shop.example/buy', category };
    const { id } = await create('/products', product);
    products.push(id);
    if (category) categoryOf.set(id, category);
  }
  const affiliates = await createAffiliates({ chance, call, create, path, groupId });
  const affiliateIds = [...affiliates.keys()];
  const coupon = generateCoupon(chance, chance.one(affiliateIds), products);
  await create('/coupons', {
    affiliateId: coupon.affiliateId,
    code: 'SAVE',
    commissionType: coupon.pay?.type ?? null,
    commissionRate: coupon.pay?.type === 'percentage' ? coupon.pay.rate : null,
    commissionCents: coupon.pay?.type === 'flat' ? coupon.pay.rate : null,
    productIds: coupon.productIds,
  });
  const rules: ModelRule[] = [];
  for (const [index, rule] of generateRules(chance, { products, categories, groupId, affiliateIds }).entries())
    rules.push({ ...rule, id: (await create('/commission-rules', { name: `R${index}`, ...rule })).id });
  const { holdDays, commissionCapPercent: capPercent, flatRefunds } = settings;
  const model = new Model({ timezone, capPercent, flatRefunds, holdDays, rules, affiliates, categories: categoryOf });
  const recorded = { entries: [], ids: new Map(), disputes: new Map(), held: new Set<string>(), serial: 0 };
  return { seed, currency, chance, model, path, coupon, products, ...recorded, call, read };
}

type Creating = {
  chance: Chance;
  call: World['call'];
  create(at: string, body: object): Promise<Body>;
  path: string;
  groupId: string;
};

/** Three affiliates below an upline: one plain, one in a group, one with an override. */
async function createAffiliates({ chance, call, create, path, groupId }: Creating): Promise<Map<string, ModelAffiliate>> {
  const affiliates = new Map<string, ModelAffiliate>();
  let uplineId: string | null = null;
  for (const [index, firstName] of names.entries()) {
    const person = { email: `${firstName}@example.com`, firstName, lastName: 'Example', sendInvite: false, autoApprove: true };
    const { id } = await create('/affiliates', person);
    const isInGroup = index === 2 || chance.is(0.3);
    const override = index === 3 || chance.is(0.15) ? generateOverride(chance) : null;
    const affiliate: ModelAffiliate = {
      id,
      groupId: isInGroup ? groupId : null,
      override,
      uplineId: index > 0 && chance.is(0.8) ? uplineId : null,
    };
    affiliates.set(id, affiliate);
    const change = {
      groupId: affiliate.groupId,
      parentAffiliateId: affiliate.uplineId,
      commissionOverrideType: override?.type ?? null,
      commissionOverrideRate: override?.rate ?? null,
    };
    assert.equal((await call('PATCH', `${path}/affiliates/${id}`, change)).status, 200);
    uplineId ??= id;
  }
  return affiliates;
}

const where = ({ seed, currency }: World) => `TEST_SEED=${seed} ${currency}`;

/** Reports an order, and compares every commission with the model. */
export async function reportOrder(world: World, now: Date): Promise<void> {
  const { chance, model, products, coupon, call, seed } = world;
  world.serial += 1;
  const affiliateIds = [...model.program.affiliates.keys()];
  const order = generateOrder({ chance, products, affiliateIds, coupon, now }, `${seed}-${world.serial}`);
  const { orderId, amountCents, affiliateId, occurredAt, items } = order;
  const customer = { externalId: order.customer, country: order.country, isNew: order.isNew };
  const couponCode = order.coupon ? 'SAVE' : null;
  const report = {
    orderId,
    amountCents,
    currency: world.currency,
    affiliateId,
    occurredAt: occurredAt.toISOString(),
    items,
    customer,
    couponCode,
  };
  const { status, body } = await call('POST', '/v1/conversions', report);
  assert.equal(status, 201, `${where(world)} ${JSON.stringify(body)}`);
  const recorded = model.report(order);
  const expected = recorded.commissions.map((one) => [one.level, one.affiliateId, one.source, one.ruleId, one.rate, one.cents]);
  const actual = body.commissions.map((one: Body) => [one.level, one.affiliateId, one.source, one.ruleId, one.rate, one.amountCents]);
  assert.deepEqual(actual, expected, `${where(world)} ${JSON.stringify(report)}`);
  world.ids.set(
    recorded,
    body.commissions.map(({ id }: Body) => id),
  );
  world.entries.push(
    ...recorded.commissions.map((one) => ({ affiliateId: one.affiliateId, entry: 'accrue' as const, orderId, cents: one.cents })),
  );
}

/** Writes down what refunded cents change, and compares it with the adjustments of the response. */
function applyRefund(world: World, recorded: Recorded, { id, cents, body }: { id: string; cents: number[] | null; body: Body }): void {
  const changes = world.model.refund(recorded, id, cents).filter((change) => change.cents !== 0);
  const { orderId } = recorded.order;
  for (const { commission, cents: lost } of changes)
    world.entries.push({ affiliateId: commission.affiliateId, entry: lost > 0 ? 'reverse' : 'restore', orderId, cents: -lost });
  const ids = world.ids.get(recorded) ?? [];
  const expected = changes.map(({ commission, cents: lost }) => [ids[recorded.commissions.indexOf(commission)], -lost]).sort();
  const actual = body.adjustments.map((one: Body) => [one.commissionId, one.amountCents]).sort();
  assert.deepEqual(actual, expected, `${where(world)} refund of ${orderId}: ${JSON.stringify(body)}`);
}

/** A refund of all, of an amount, or of lines. */
export async function refundOrder(world: World, recorded: Recorded): Promise<void> {
  const { chance, call } = world;
  const left = recorded.lines.map(({ cents }, position) => cents - (refundedOf(recorded)[position] ?? 0));
  if (add(left) === 0) return;
  world.serial += 1;
  const refundId = `r-${world.seed}-${world.serial}`;
  const kind = chance.one(['all', 'amount', 'lines'] as const);
  const amountCents = chance.whole(1, add(left));
  const items = left
    .map((open, position) => ({ position, amountCents: open > 0 ? chance.whole(1, open) : 0 }))
    .filter((item) => item.amountCents > 0 && (item.position === left.findIndex((open) => open > 0) || chance.is(0.5)));
  const ofLines = left.map((_, position) => items.find((item) => item.position === position)?.amountCents ?? 0);
  const cents = kind === 'all' ? left : kind === 'amount' ? split(amountCents, left) : ofLines;
  const given = kind === 'all' ? {} : kind === 'amount' ? { amountCents } : { items };
  const { status, body } = await call('POST', '/v1/refunds', { refundId, orderId: recorded.order.orderId, ...given });
  assert.equal(status, 201, `${where(world)} ${JSON.stringify(body)}`);
  assert.equal(body.amountCents, add(cents), where(world));
  applyRefund(world, recorded, { id: refundId, cents, body });
}

/** Opens a dispute, loses an open one, or wins one. */
export async function disputeOrder(world: World, recorded: Recorded): Promise<void> {
  const { chance, call } = world;
  const known = world.disputes.get(recorded);
  if (known?.status === 'won') return;
  world.serial += 1;
  const { amountCents: total, orderId } = recorded.order;
  const dispute: Dispute = known ?? {
    id: `d-${world.seed}-${world.serial}`,
    cents: chance.is(0.5) ? chance.whole(1, total) : null,
    status: 'opened',
    refund: null,
  };
  const next = known === undefined ? 'opened' : known.status === 'lost' ? 'won' : chance.one(['won', 'lost'] as const);
  const amount = known === undefined && dispute.cents !== null ? { amountCents: dispute.cents } : {};
  const { status, body } = await call('POST', '/v1/disputes', { disputeId: dispute.id, orderId, status: next, ...amount });
  assert.ok(status === 201 || status === 200, `${where(world)} ${JSON.stringify(body)}`);
  const left = recorded.lines.map(({ cents }, position) => cents - (refundedOf(recorded)[position] ?? 0));
  if (next === 'lost' && add(left) > 0) {
    dispute.refund = dispute.id;
    applyRefund(world, recorded, { id: dispute.id, cents: split(Math.min(dispute.cents ?? add(left), add(left)), left), body });
  } else if (next === 'won' && dispute.refund !== null) applyRefund(world, recorded, { id: dispute.refund, cents: null, body });
  else assert.deepEqual(body.adjustments, [], where(world));
  dispute.status = next;
  world.disputes.set(recorded, dispute);
}

/** Holds a commission, or releases one. */
export async function holdCommission(world: World, recorded: Recorded): Promise<void> {
  const ids = world.ids.get(recorded) ?? [];
  if (ids.length === 0) return;
  const id = world.chance.one(ids);
  const commission = recorded.commissions[ids.indexOf(id)];
  if (!commission || commission.cents === commission.reversedCents) return;
  const action = world.held.has(id) ? 'release' : 'hold';
  const body = action === 'hold' ? { note: 'Checking' } : {};
  const response = await world.call('POST', `${world.path}/commissions/${id}/${action}`, body);
  assert.equal(response.status, 200, `${where(world)} ${action} ${JSON.stringify(response.body)}`);
  if (action === 'hold') world.held.add(id);
  else world.held.delete(id);
}

/** What is owed to an affiliate: [held, payable]. */
export function owedTo(world: World, affiliateId: string): [held: number, payable: number] {
  const sums: [number, number] = [0, 0];
  for (const recorded of world.model.orders)
    for (const [index, one] of recorded.commissions.entries()) {
      if (one.affiliateId !== affiliateId) continue;
      const id = world.ids.get(recorded)?.[index] ?? '';
      const isHeld = world.held.has(id) || world.disputes.get(recorded)?.status === 'opened';
      sums[isHeld ? 0 : 1] += one.cents - one.reversedCents;
    }
  return sums;
}

/** The orders that can still be refunded. */
export const openOrders = ({ model }: World): Recorded[] => model.orders.filter((recorded) => !isVoid(recorded));
