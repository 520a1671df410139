// A small program with random events: orders, refunds, disputes, holds, adjustments, payouts and their outcomes, the clock,
// leads, bindings of customers, and changes of orders and affiliates. The same seed always produces the same history.

import type { Context } from '../../../server/context.ts';
import { updateRule } from '../../../server/earning/commission-rules/update.ts';
import { adjustCommission, grantBonus } from '../../../server/earning/commissions/adjust.ts';
import { holdCommission, releaseCommission } from '../../../server/earning/commissions/hold.ts';
import { matureSome } from '../../../server/earning/commissions/mature.ts';
import { ReportedOrder } from '../../../server/earning/conversions/order.ts';
import { recordOrders } from '../../../server/earning/conversions/recording/record.ts';
import { resolveFraudEvent } from '../../../server/earning/fraud/resolve.ts';
import { cancelOrder } from '../../../server/earning/order-changes/cancel.ts';
import { increaseOrder } from '../../../server/earning/order-changes/increase.ts';
import { moveOrder } from '../../../server/earning/order-changes/move.ts';
import { reportDispute } from '../../../server/earning/refunds/dispute.ts';
import { reportRefund } from '../../../server/earning/refunds/report.ts';
import { createRandom } from '../../../server/operations/demo/random.ts';
import type { AnyEndpoint } from '../../../server/platform/http/declaration/endpoint.ts';
import { ApiError } from '../../../server/platform/lib/errors.ts';
import { call, type Step, type World, within } from './call.ts';
import { customerSteps } from './customers.ts';
import { emptyModel, increaseInModel, moveInModel, rejectInModel } from './model.ts';
import { payoutSteps } from './payouts.ts';
import { createWorld } from './people.ts';

/** A new program whose history follows from the seed. */
export async function openWorld(ctx: Context, seed: number): Promise<World> {
  const chance = createRandom(seed);
  const now = new Date('2026-03-01T12:00:00Z');
  const model = emptyModel();
  return {
    ctx,
    chance,
    now,
    model,
    orders: [],
    commissions: [],
    fraudEvents: [],
    payouts: [],
    serial: 0,
    ...(await createWorld(ctx, seed, now)),
  };
}

const steps: [weight: number, name: string, step: Step][] = [
  [30, 'earn', earn],
  [4, 'report again', reportAgain],
  [16, 'refund', refund],
  [4, 'refund in full', (world) => refund(world, true)],
  [8, 'dispute', dispute],
  [6, 'hold', (world) => onCommission(world, holdCommission, { note: 'simulated' })],
  [6, 'release', (world) => onCommission(world, releaseCommission, { note: 'simulated' })],
  [6, 'move', moveToAnother],
  [5, 'increase', increase],
  [2, 'cancel an order', cancel],
  [8, 'adjust', adjust],
  [3, 'bonus', bonus],
  [4, 'resolve', resolve],
  [3, 'change an affiliate', changeAffiliate],
  [2, 'archive a rule', archive],
  [5, 'clock', clock],
  [4, 'mature', mature],
  ...payoutSteps,
  ...customerSteps,
];
const weights = steps.reduce((sum, [weight]) => sum + weight, 0);

/**
 * Takes one random step. Errors below 500 are expected; any other is thrown. `isRolledBack`: its transaction ended with such
 * an error, so that the database is the same as before.
 */
export async function takeStep(world: World): Promise<{ name: string; isRolledBack: boolean }> {
  const [name, step] = pickStep(world.chance.number(weights));
  try {
    await step(world);
    return { name, isRolledBack: false };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return { name, isRolledBack: true };
  }
}

function pickStep(at: number): [name: string, step: Step] {
  let passed = 0;
  for (const [weight, name, step] of steps) {
    passed += weight;
    if (at < passed) return [name, step];
  }
  throw new Error('Random went past its end.');
}

async function earn(world: World): Promise<void> {
  const { chance } = world;
  const count = 1 + chance.number(3);
  const orders = Array.from({ length: count }, () => anOrder(world));
  const outcomes = await within(world, (tx) =>
    recordOrders(
      tx,
      world.actor.programId,
      orders.map((order) => ({ order, actor: { kind: 'command', id: 'simulation' } })),
    ),
  );
  for (const outcome of outcomes) {
    if (outcome.kind !== 'credited') continue;
    const { id, affiliateId, amountCents } = outcome.conversion;
    world.model.orders.set(id, { affiliateId, amountCents });
    world.orders.push(outcome.conversion.orderId);
    world.commissions.push(...outcome.conversion.commissions.map(({ id }) => id));
  }
  const events = await world.ctx.db.selectFrom('fraudEvents').select('id').where('programId', '=', world.actor.programId).execute();
  world.fraudEvents = events.map(({ id }) => id).sort();
}

function anOrder(world: World): ReportedOrder {
  const { chance } = world;
  world.serial += 1;
  const items = Array.from({ length: chance.number(4) }, () => {
    const amountCents = chance.number(chance.happens(10) ? 3 : 9_999);
    const discountCents = chance.happens(30) ? chance.number(amountCents + 1) : 0;
    return { productId: chance.pick([...world.products, null]), quantity: 1 + chance.number(3), amountCents, discountCents };
  });
  const total = items.reduce((sum, { amountCents, discountCents }) => sum + amountCents - discountCents, 0);
  const discount = chance.happens(30) ? chance.number(total + 1) : 0;
  return ReportedOrder.parse({
    orderId: `o-${world.serial}`,
    amountCents: items.length > 0 ? total - discount : chance.happens(2) ? 99_999_999_999 : chance.number(50_000),
    items,
    affiliateId: chance.pick(world.affiliates),
    customer: chance.happens(50) ? { externalId: `c-${chance.number(6)}`, email: `p${chance.number(12)}@example.com` } : undefined,
    occurredAt: chance.happens(20) ? new Date(world.now.getTime() - chance.number(20) * 86_400_000).toISOString() : undefined,
  });
}

async function reportAgain(world: World): Promise<void> {
  if (world.orders.length === 0) return;
  const order = ReportedOrder.parse({
    orderId: world.chance.pick(world.orders),
    amountCents: 5,
    affiliateId: world.chance.pick(world.affiliates),
  });
  await within(world, (tx) => recordOrders(tx, world.actor.programId, [{ order, actor: { kind: 'command', id: 'simulation' } }]));
}

async function refund(world: World, isWhole = false): Promise<void> {
  if (world.orders.length === 0) return;
  const { chance } = world;
  world.serial += 1;
  const partly = chance.happens(40)
    ? { items: [{ position: chance.number(3), amountCents: 1 + chance.number(800) }] }
    : { amountCents: 1 + chance.number(3000) };
  const refundId = chance.happens(5) ? 'r-same' : `r-${world.serial}`;
  await call(world, reportRefund, { body: { refundId, orderId: chance.pick(world.orders), ...(!isWhole && partly) } });
}

/** The order's id, from its store's id. Few orders are used repeatedly, so that changes meet disputes and each other. */
async function pickOrder({ ctx, chance, orders, actor }: World): Promise<string | undefined> {
  if (orders.length === 0) return undefined;
  const orderId = chance.happens(50) ? orders[chance.number(Math.min(orders.length, 5))] : chance.pick(orders);
  const conversions = ctx.db.selectFrom('conversions').select('id').where('programId', '=', actor.programId);
  return (await conversions.where('orderId', '=', orderId ?? '').executeTakeFirst())?.id;
}

async function moveToAnother(world: World): Promise<void> {
  const id = await pickOrder(world);
  if (!id) return;
  const body = { affiliateId: world.chance.pick(world.affiliates), note: 'simulated', dryRun: world.chance.happens(10) };
  const { conversion } = await call(world, moveOrder, { params: { id }, body });
  if (body.dryRun) return;
  moveInModel(world.model, id, body.affiliateId);
  world.commissions.push(...conversion.commissions.map((one: { id: string }) => one.id));
}

async function increase(world: World): Promise<void> {
  const id = await pickOrder(world);
  if (!id) return;
  world.serial += 1;
  const { chance } = world;
  const items = Array.from({ length: chance.number(3) }, () => ({
    productId: chance.pick(world.products),
    amountCents: 1 + chance.number(4000),
  }));
  const total = items.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const amountCents = items.length > 0 ? 1 + chance.number(total) : 1 + chance.number(20_000);
  const { adjustments } = await call(world, increaseOrder, {
    params: { id },
    body: { increaseId: `i-${world.serial}`, amountCents, items },
  });
  increaseInModel(world.model, id, amountCents);
  world.commissions.push(...adjustments.map((one: { commissionId: string }) => one.commissionId));
}

async function cancel(world: World): Promise<void> {
  const id = await pickOrder(world);
  if (id) await call(world, cancelOrder, { params: { id }, body: { note: 'simulated' } });
}

async function dispute(world: World): Promise<void> {
  if (world.orders.length === 0) return;
  const { chance } = world;
  // Few orders are used repeatedly, so that disputes change their status.
  const place = chance.number(Math.min(world.orders.length, 5));
  const amount = chance.happens(30) ? { amountCents: 1 + chance.number(2000) } : {};
  const status = chance.pick(['opened', 'won', 'lost'] as const);
  await call(world, reportDispute, { body: { disputeId: `d-${place}`, orderId: world.orders[place], status, ...amount } });
}

async function onCommission(world: World, endpoint: AnyEndpoint, body: object): Promise<void> {
  if (world.commissions.length === 0) return;
  await call(world, endpoint, { params: { id: world.chance.pick(world.commissions) }, body });
}

async function adjust(world: World): Promise<void> {
  if (world.commissions.length === 0) return;
  const amountCents = (1 + world.chance.number(400)) * (world.chance.happens(60) ? -1 : 1);
  const adjustment = await call(world, adjustCommission, {
    params: { id: world.chance.pick(world.commissions) },
    body: { amountCents, note: 'simulated' },
  });
  world.commissions.push(adjustment.id);
}

async function bonus(world: World): Promise<void> {
  const body = { affiliateId: world.chance.pick(world.affiliates), amountCents: 1 + world.chance.number(5000), note: 'simulated' };
  world.commissions.push((await call(world, grantBonus, { body })).id);
}

async function resolve(world: World): Promise<void> {
  if (world.fraudEvents.length === 0) return;
  const resolution = world.chance.pick(['legitimate', 'fraud'] as const);
  const { leadId } = await call(world, resolveFraudEvent, { params: { id: world.chance.pick(world.fraudEvents) }, body: { resolution } });
  if (leadId && resolution === 'fraud') rejectInModel(world.model, leadId);
}

async function changeAffiliate(world: World): Promise<void> {
  const status = world.chance.pick(['active', 'active', 'suspended', 'archived'] as const);
  await world.ctx.db
    .updateTable('affiliates')
    .set({ status })
    .where('programId', '=', world.actor.programId)
    .where('id', '=', world.chance.pick(world.affiliates))
    .execute();
}

async function archive(world: World): Promise<void> {
  await call(world, updateRule, { params: { id: world.chance.pick(world.rules) }, body: { status: 'archived' } });
}

async function clock(world: World): Promise<void> {
  world.now = new Date(world.now.getTime() + world.chance.number(12 * 86_400_000));
}

async function mature(world: World): Promise<void> {
  await within(world, (tx) => matureSome(tx, world.actor.programId));
}
