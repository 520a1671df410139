// Clicks, orders and payouts of the demo. Clicks are inserted in bulk; orders are recorded by the same functions that
// the API uses, so the demo has real commissions and a real ledger.
import type { Insertable } from 'kysely';
import type { Tx } from '../../context.ts';
import { matureSome } from '../../earning/commissions/mature.ts';
import { ReportedOrder } from '../../earning/conversions/order.ts';
import { recordOrders } from '../../earning/conversions/recording/record.ts';
import { rebuildDailyTotals } from '../../partners/affiliates/totals/rebuild-daily-totals.ts';
import { recountTotals } from '../../partners/affiliates/totals/recount.ts';
import type { Clicks } from '../../platform/db/schema.gen.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { toSlug } from '../../platform/lib/slug.ts';
import { customerCountries, products } from './demo-data.ts';
import type { Random } from './random.ts';
import { type Payday, seedPayouts } from './seed-payouts.ts';

type Period = { tx: Tx; random: Random; actor: Principal; affiliateIds: string[]; from: Date; days: number };
type Order = { at: Date; order: ReportedOrder };

const dayMs = 86_400_000;
const clicksPerInsert = 1000;
const ordersPerBatch = 100;

/** Records clicks, orders and payouts for the days after `from`. A few affiliates bring most of the orders. */
export async function seedActivity(period: Period): Promise<void> {
  const { tx, actor } = period;
  const { programId } = actor;
  const { clicks, orders } = generateActivity(period);
  await insertClicks(tx, clicks);
  let paydays = schedulePaydays(period);
  for (let from = 0; from < orders.length; from += ordersPerBatch) {
    const batch = orders.slice(from, from + ordersPerBatch);
    const now = batch.at(-1)?.at ?? period.from;
    for (const payday of paydays.filter(({ at }) => at <= now)) await seedPayouts({ tx, actor }, payday);
    paydays = paydays.filter(({ at }) => at > now);
    const reports = batch.map(({ order }) => ({ order, actor: { kind: 'command' as const, id: 'demo' } }));
    await recordOrders({ ...tx, clock: { now: () => now } }, programId, reports);
  }
  while ((await matureSome(tx, programId)) > 0);
  await recountTotals(tx, programId);
  await rebuildDailyTotals(tx, programId);
}

async function insertClicks(tx: Tx, clicks: Insertable<Clicks>[]): Promise<void> {
  for (let from = 0; from < clicks.length; from += clicksPerInsert) {
    const rows = clicks.slice(from, from + clicksPerInsert);
    await tx.db.insertInto('clicks').values(rows).execute();
  }
}

/** Two paydays after the first commissions have matured: one that was paid, and one whose batch is still open. */
function schedulePaydays({ from, days }: Period): Payday[] {
  const dayAt = (day: number) => new Date(from.getTime() + day * dayMs);
  return [
    { at: dayAt(days - 20), isPaid: true },
    { at: dayAt(days - 6), isPaid: false },
  ];
}

/** Invents clicks, and for some of them an order, in the order of their times. */
function generateActivity({ tx, random, actor, affiliateIds, from, days }: Period): { clicks: Insertable<Clicks>[]; orders: Order[] } {
  const { programId } = actor;
  const clicks: Insertable<Clicks>[] = [];
  const orders: Order[] = [];
  for (const [rank, affiliateId] of affiliateIds.entries()) {
    const count = Math.floor(random.number(1600) / (1 + (rank % 40)));
    for (let click = 0; click < count; click += 1) {
      const id = tx.ids.uuid();
      const createdAt = new Date(from.getTime() + random.number(days * dayMs));
      clicks.push({ programId, id, affiliateId, createdAt });
      const at = new Date(createdAt.getTime() + 60_000 + random.number(3 * 3_600_000));
      if (random.happens(4) && at < tx.clock.now()) orders.push({ at, order: generateOrder(id, at, random, orders.length) });
    }
  }
  return { clicks, orders: orders.toSorted((a, b) => a.at.getTime() - b.at.getTime()) };
}

function generateOrder(clickId: string, occurredAt: Date, random: Random, number: number): ReportedOrder {
  const basket = Array.from({ length: 1 + random.number(2) }, () => random.pick(products));
  const items = basket.map(([name, , priceCents]) => ({ name, quantity: 1, amountCents: priceCents, externalProductId: toSlug(name) }));
  return ReportedOrder.parse({
    orderId: `FF-${10_000 + number}`,
    amountCents: items.reduce((sum, { amountCents }) => sum + amountCents, 0),
    items,
    clickId,
    occurredAt: occurredAt.toISOString(),
    customer: { externalId: `c-${random.number(600)}`, country: random.pick(customerCountries) },
  });
}
