// The clicks of the demo, and the orders that follow from them. Clicks are inserted in bulk.
import type { Insertable } from 'kysely';
import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import type { Clicks } from '../../platform/db/schema.gen.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { buildOrder } from './data/basket.ts';
import { clicksPerDay, dayWeight, pickTime } from './data/curve.ts';
import { agents, customerCountries, referrers } from './data/demo-data.ts';
import { createWeightedPick, type Random } from './random.ts';
import type { PastOrder } from './timeline.ts';

/** An affiliate who brings visitors. */
export type Promoter = {
  id: string;
  name: string;
  /** For addresses of pages: "misaki-sato". */
  slug: string;
  email: string;
  referralCode: string;
  group: string;
  joinedAt: Date;
  couponCode: string | undefined;
  /** How many visitors they bring, relative to the others. */
  reach: number;
  /** How many of a hundred visitors order. */
  conversionPercent: number;
};

export type Click = Insertable<Clicks> & { id: string; createdAt: Date };

type Period = { tx: Tx; random: Random; programId: string; promoters: readonly Promoter[]; days: number };

const dayMs = 86_400_000;
const minuteMs = 60_000;
const clicksPerInsert = 1000;
const campaignPercent = 5;

/** Invents clicks up to now, stores them, and returns the orders that follow, in no particular order. */
export async function seedClicks(period: Period, actorAt: (at: Date) => Actor): Promise<PastOrder[]> {
  const { tx, random } = period;
  const clicks: Click[] = [];
  const orders: PastOrder[] = [];
  for (const { promoter, at } of generateVisits(period)) {
    const click = buildClick(period, promoter, at);
    clicks.push(click);
    const orderedAt = new Date(at.getTime() + pickDelay(random));
    if (!random.happens(promoter.conversionPercent) || orderedAt >= tx.clock.now()) continue;
    const couponCode = random.happens(30) ? promoter.couponCode : undefined;
    const order = buildOrder({ random, at: orderedAt, group: promoter.group }, { clickId: click.id, couponCode });
    orders.push({ at: orderedAt, order, actor: actorAt(orderedAt) });
  }
  await insertClicks(tx, clicks);
  return orders;
}

export async function insertClicks(tx: Tx, clicks: readonly Click[]): Promise<void> {
  for (let from = 0; from < clicks.length; from += clicksPerInsert)
    await insertRows(tx, 'clicks', clicks.slice(from, from + clicksPerInsert));
}

export function buildClick({ tx, random, programId }: Omit<Period, 'promoters' | 'days'>, promoter: Promoter, createdAt: Date): Click {
  return {
    programId,
    id: tx.ids.uuid(),
    affiliateId: promoter.id,
    slug: promoter.referralCode,
    agent: random.pick(agents),
    country: random.pick(customerCountries),
    referrerHost: random.pick(referrers),
    createdAt,
  };
}

function* generateVisits({ tx, random, promoters, days }: Period): Generator<{ promoter: Promoter; at: Date }> {
  const now = tx.clock.now();
  for (let day = 0; day <= days; day += 1) {
    const date = new Date(now.getTime() - (days - day) * dayMs);
    const joined = promoters.filter(({ joinedAt }) => joinedAt < date);
    if (joined.length === 0) continue;
    // On some days one affiliate has a newsletter or a new episode.
    const guest = random.happens(campaignPercent) ? random.pick(joined) : null;
    const pick = createWeightedPick(joined, ({ id, reach }) => (id === guest?.id ? reach + 6 : reach));
    const count = Math.round(clicksPerDay * dayWeight(date, day / days) * (guest ? 1.3 : 1) * (0.9 + random.number(21) / 100));
    for (let visit = 0; visit < count; visit += 1) {
      const at = pickTime(random, date);
      if (at < now) yield { promoter: pick(random), at };
    }
  }
}

/** Most customers order within the hour, some after days. */
function pickDelay(random: Random): number {
  if (random.happens(70)) return 2 * minuteMs + random.number(45 * minuteMs);
  return random.number(random.happens(50) ? dayMs : 4 * dayMs) + 5 * minuteMs;
}
