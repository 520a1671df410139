// What awaits a decision in the demo, so that every part of the console has something to do: held orders, a claim, a coupon
// whose code leaked, a refund after the payout, and a batch that needs a second approver.
import type { Tx } from '../../context.ts';
import { createClaim } from '../../earning/claims/create.ts';
import { ReportedOrder } from '../../earning/conversions/order.ts';
import { reportRefund } from '../../earning/refunds/report.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { callEndpoint } from './call-endpoint.ts';
import { buildOrder } from './data/basket.ts';
import { orderNumber } from './data/curve.ts';
import type { Random } from './random.ts';
import { buildClick, insertClicks, type Promoter } from './seed-activity.ts';
import { hoursBefore, type Past, type PastOrder, type PastStep } from './timeline.ts';

type Seed = { tx: Tx; random: Random; actor: Principal };

const dayHours = 24;
const leakedOrders = 27;
const refundPercent = 5;

/** An order three seconds after the click, and two that affiliates placed themselves. They are held. */
export async function seedSuspiciousOrders(
  { tx, random, actor }: Seed,
  promoters: readonly Promoter[],
  uplines: ReadonlyMap<string, Promoter>,
) {
  const withUpline = promoters.find(({ id }) => uplines.has(id));
  const [fast, own] = promoters.filter(({ id, group }) => id !== withUpline?.id && group !== 'Friends').slice(4);
  const cases = [
    { promoter: own, hours: 53, delaySeconds: 900, email: own?.email },
    { promoter: fast, hours: 27, delaySeconds: 2, email: undefined },
    { promoter: withUpline, hours: 4, delaySeconds: 1300, email: uplines.get(withUpline?.id ?? '')?.email },
  ];
  const orders: PastOrder[] = [];
  for (const { promoter, hours, delaySeconds, email } of cases) {
    if (!promoter) continue;
    const clickedAt = hoursBefore(tx, hours);
    const click = buildClick({ tx, random, programId: actor.programId }, promoter, clickedAt);
    await insertClicks(tx, [click]);
    const at = new Date(clickedAt.getTime() + delaySeconds * 1000);
    const order = buildOrder({ random, at, group: promoter.group }, { clickId: click.id, email });
    orders.push({ at, order, actor: { kind: 'command', id: 'demo' } });
  }
  return orders;
}

/** Orders with a code that is on coupon sites: their customers never clicked a link. */
export function generateLeakedOrders({ tx, random }: Seed, couponCode: string): PastOrder[] {
  return Array.from({ length: leakedOrders }, (_, index) => {
    const at = hoursBefore(tx, 2 + ((index * 6.1) % 150) + random.number(100) / 100);
    return { at, order: buildOrder({ random, at }, { couponCode, isStranger: true }), actor: { kind: 'command' as const, id: 'demo' } };
  });
}

/** A large order that was paid out and then returned: the affiliate's balance is negative. */
export function generateReturnedOrder({ tx, actor }: Seed, promoter: Promoter): Past {
  const at = hoursBefore(tx, 70 * dayHours);
  const orderId = `FF-${orderNumber(at)}`;
  const amountCents = 99_600;
  const items = [{ name: 'Practice Starter Kit', quantity: 4, amountCents, externalProductId: 'practice-starter-kit' }];
  const order = ReportedOrder.parse({ orderId, amountCents, items, affiliateId: promoter.id, occurredAt: at.toISOString() });
  const refund = { refundId: `re_${orderNumber(at)}`, orderId, reason: 'refund', note: 'Returned unopened' };
  return {
    orders: [{ at, order, actor: { kind: 'command', id: 'demo' } }],
    steps: [{ at: hoursBefore(tx, 9 * dayHours), run: (then) => callEndpoint(then, reportRefund, { actor, body: refund }) }],
  };
}

/** Some customers return everything or a part, within three weeks. */
export function generateRefunds({ tx, random, actor }: Seed, orders: readonly PastOrder[]): PastStep[] {
  const steps = orders.flatMap(({ at: orderedAt, order }): PastStep[] => {
    if (!random.happens(refundPercent)) return [];
    const at = new Date(orderedAt.getTime() + (30 + random.number(20 * dayHours)) * 3_600_000);
    const part = random.happens(40) ? Math.max(1, Math.round(order.amountCents / 3)) : undefined;
    const reason = random.pick(['refund', 'refund', 'refund', 'cancelled', 'out_of_stock', 'chargeback']);
    const body = { refundId: `re_${orderNumber(at)}_${order.orderId}`, orderId: order.orderId, amountCents: part, reason };
    return [{ at, run: (then) => callEndpoint(then, reportRefund, { actor, body }) }];
  });
  return steps.filter(({ at }) => at < tx.clock.now());
}

/** An affiliate misses an order that the store reported without a signal. */
export function generateClaim({ tx, actor }: Seed, promoter: Promoter, unattributed: readonly PastOrder[]): PastStep[] {
  const latest = hoursBefore(tx, 40);
  const missed = unattributed.filter(({ at }) => at < latest).toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
  if (!missed) return [];
  const note = 'A listener ordered this after my episode on Tuesday. She switched from her phone to her laptop at the checkout.';
  const body = { affiliateId: promoter.id, orderId: missed.order.orderId, note };
  return [{ at: hoursBefore(tx, 31), run: (then) => callEndpoint(then, createClaim, { actor, body }) }];
}
