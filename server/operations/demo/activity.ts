// Visits and orders of the demo. Visits are written in bulk; orders go through the same code that reports
// go through, so the demo has real commissions and a real ledger.
import type { Insertable } from 'kysely';
import type { Tx } from '../../context.ts';
import { matureSome } from '../../earning/commissions/mature.ts';
import { ReportedOrder } from '../../earning/conversions/order.ts';
import { recordOrders } from '../../earning/conversions/record.ts';
import { recountTotals } from '../../partners/affiliates/recount.ts';
import type { Clicks } from '../../platform/db/schema.gen.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { toSlug } from '../../platform/lib/slug.ts';
import { countries, products } from './cast.ts';
import type { Chance } from './chance.ts';
import { payOut } from './payouts.ts';

type Scene = { tx: Tx; chance: Chance; actor: Principal; affiliateIds: string[]; from: Date; days: number };
type Order = { at: Date; order: ReportedOrder };

const perBatch = 100;

/** Fills the days from `from` on with visits and orders; a few affiliates bring most of them, as in life. */
export async function playActivity(scene: Scene) {
  const { tx, actor } = scene;
  const { programId } = actor;
  const paydays = paydaysOf(scene);
  const { clicks, orders } = imagine(scene);
  for (let from = 0; from < clicks.length; from += 1000)
    await tx.db
      .insertInto('clicks')
      .values(clicks.slice(from, from + 1000))
      .execute();
  orders.sort((a, b) => a.at.getTime() - b.at.getTime());
  for (let from = 0; from < orders.length; from += perBatch) {
    const batch = orders.slice(from, from + perBatch);
    const now = batch.at(-1)?.at ?? scene.from;
    for (let payday = paydays[0]; payday && payday.at <= now; payday = paydays[0]) {
      await payOut({ tx, actor, ...payday });
      paydays.shift();
    }
    const reports = batch.map(({ order }) => ({ order, actor: { kind: 'command' as const, id: 'demo' } }));
    await recordOrders({ ...tx, clock: { now: () => now } }, programId, reports);
  }
  while ((await matureSome(tx, programId)) > 0);
  await recountTotals(tx, programId);
  return { clicks: clicks.length, conversions: orders.length };
}

/** Two, when the first orders have matured: all of the first was paid, the second is under way. */
function paydaysOf({ from, days }: Scene): { at: Date; isPaid: boolean }[] {
  const dayAt = (day: number) => new Date(from.getTime() + day * 86_400_000);
  return [
    { at: dayAt(days - 20), isPaid: true },
    { at: dayAt(days - 6), isPaid: false },
  ];
}

function imagine({ tx, chance, actor: { programId }, affiliateIds, from, days }: Scene): { clicks: Insertable<Clicks>[]; orders: Order[] } {
  const clicks: Insertable<Clicks>[] = [];
  const orders: Order[] = [];
  for (const [rank, affiliateId] of affiliateIds.entries()) {
    const visits = Math.floor(chance.number(1600) / (1 + (rank % 40)));
    for (let visit = 0; visit < visits; visit += 1) {
      const id = tx.ids.uuid();
      const createdAt = new Date(from.getTime() + chance.number(days * 86_400_000));
      clicks.push({ programId, id, affiliateId, createdAt });
      const at = new Date(createdAt.getTime() + 60_000 + chance.number(3 * 3_600_000));
      if (chance.happens(4) && at < tx.clock.now()) orders.push({ at, order: orderAfter(id, at, chance, orders.length) });
    }
  }
  return { clicks, orders };
}

function orderAfter(clickId: string, occurredAt: Date, chance: Chance, number: number): ReportedOrder {
  const basket = Array.from({ length: 1 + chance.number(2) }, () => chance.pick(products));
  const items = basket.map(([name, , priceCents]) => ({ name, quantity: 1, amountCents: priceCents, externalProductId: toSlug(name) }));
  return ReportedOrder.parse({
    orderId: `FF-${10_000 + number}`,
    amountCents: items.reduce((sum, { amountCents }) => sum + amountCents, 0),
    items,
    clickId,
    occurredAt: occurredAt.toISOString(),
    customer: { externalId: `c-${chance.number(600)}`, country: chance.pick(countries) },
  });
}
