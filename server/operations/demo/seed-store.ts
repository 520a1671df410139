// The store of the demo. Some of its orders have no affiliate, and the events of a few failed: its coverage is 96%.
import { createProvider } from '../../connections/providers/create.ts';
import type { Tx } from '../../context.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { saveFailedOrders } from '../../stores/commerce/record-order.ts';
import { saveOrder } from '../../stores/commerce/references.ts';
import { callEndpoint } from './call-endpoint.ts';
import { buildOrder } from './data/basket.ts';
import { pickTime } from './data/curve.ts';
import type { Random } from './random.ts';
import { at, type PastOrder } from './timeline.ts';

/** How many of a hundred orders of the store were recorded. */
const coveragePercent = 96;
const dayMs = 86_400_000;

export async function createStore(tx: Tx, actor: Principal): Promise<string> {
  const { id } = await callEndpoint(tx, createProvider, { actor, body: { type: 'generic', name: 'fernandfield.example' } });
  return String(id);
}

type Period = { random: Random; now: Date; days: number; storeId: string };

/** Orders without an affiliate: most without any signal, some with a code that doesn't exist. */
export function generateUnattributed({ random, now, days, storeId }: Period, count: number): PastOrder[] {
  const actor = { kind: 'provider' as const, id: storeId };
  const orders = Array.from({ length: count }, () => {
    const time = pickTime(random, new Date(now.getTime() - random.number(days) * dayMs));
    const couponCode = random.happens(12) ? random.pick(['WELCOME15', 'SAVE10', 'FERN-20', 'PODCAST']) : undefined;
    return { at: time, order: buildOrder({ random, at: time }, { couponCode, isStranger: true }), actor };
  });
  return orders.filter((one) => one.at < now);
}

/** Stores which orders the store has sent, and some more whose events failed. */
export async function saveStoreOrders(
  tx: Tx,
  { programId, sent }: { programId: string; sent: readonly PastOrder[] },
  period: Period,
): Promise<void> {
  const { random, now, days, storeId } = period;
  const store = { programId, id: storeId };
  for (const { order } of sent) {
    const { orderId, amountCents, occurredAt = now } = order;
    await saveOrder(at(tx, occurredAt), store, { orderId, amountCents, occurredAt, currency: undefined, grossCents: null, lineIds: [] });
  }
  const taken = new Set(sent.map(({ order }) => order.orderId));
  const failed = Math.floor((sent.length * (100 - coveragePercent)) / coveragePercent);
  for (let count = 0; count < failed; ) {
    const time = pickTime(random, new Date(now.getTime() - (1 + random.number(days - 2)) * dayMs));
    const { orderId, amountCents } = buildOrder({ random, at: time }, {});
    if (taken.has(orderId)) continue;
    taken.add(orderId);
    count += 1;
    const order = { orderId, amountCents, occurredAt: time.toISOString() };
    const action = {
      kind: 'order' as const,
      order,
      signals: {},
      references: [orderId],
      signalReferences: [],
      grossCents: null,
      lineIds: [],
    };
    await saveFailedOrders(at(tx, time), store, [action]);
  }
}
