// Calculates recorded orders again under changed rules, page by page in the order in which they occurred. The state between
// two pages is plain data, so that a background task can store it. Tiers and budgets start at 0.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { localDate, mondayOf } from '../../../platform/lib/zoned-time.ts';
import { calculate, metricKey, type RunningTotals } from '../calculate.ts';
import { allVersions, type RuleHistory, rulesAt } from '../choose-rule.ts';
import { OrderFacts } from '../order-facts.ts';
import type { Rule } from '../terms.ts';

const ordersPerPage = 1000;

export type Sum = { beforeCents: number; afterCents: number; conversions: number };
export const noSum: Sum = { beforeCents: 0, afterCents: 0, conversions: 0 };

export type Week = { beforeCents: number; afterCents: number; salesCents: number };

/** What is known after some orders, as JSON. */
export type Replay = {
  /** The last order; ISO 8601 and id. */
  last: { at: string; id: string };
  totals: Record<string, number>;
  spent: Record<string, number>;
  /** By affiliate. */
  sums: Record<string, Sum>;
  /** By the Monday of the week, in the time zone of the program. */
  weeks: Record<string, Week>;
};

export function startReplay(from: Date): Replay {
  return { last: { at: from.toISOString(), id: '00000000-0000-0000-0000-000000000000' }, totals: {}, spent: {}, sums: {}, weeks: {} };
}

type Period = { programId: string; to: Date };
/** The rules that apply, and the time zone of the program. */
export type ReplayedRules = { history: RuleHistory; timezone: string };

/** Reads and calculates the next orders. `orders`: how many. */
export async function replayNext(
  ctx: Pick<Context, 'db'>,
  period: Period,
  rules: ReplayedRules,
  state: Replay,
): Promise<{ state: Replay; orders: number; isAtEnd: boolean }> {
  const orders = await readOrders(ctx, period, state.last);
  return { state: replayOrders(orders, rules, state), orders: orders.length, isAtEnd: orders.length < ordersPerPage };
}

type RecordedOrder = { id: string; occurredAt: Date; facts: OrderFacts; before: { affiliateId: string; cents: number }[] };

/** The state after these orders. Pure. */
function replayOrders(orders: readonly RecordedOrder[], { history, timezone }: ReplayedRules, state: Replay): Replay {
  const end = orders.at(-1);
  if (!end) return state;
  const tiered = allVersions(history).filter(({ terms }) => terms.tiers.length > 0);
  const running = { timezone, totals: new Map(Object.entries(state.totals)), spent: new Map(Object.entries(state.spent)) };
  const sums = new Map(Object.entries(state.sums));
  const weeks = new Map(Object.entries(state.weeks));
  for (const { facts, before } of orders) {
    startCounting(running, tiered, facts);
    const { drafts } = calculate(facts, rulesAt(history, facts.at), running);
    addTo(sums, facts.affiliate.id, noSum, { conversions: 1 });
    for (const { affiliateId, cents } of before) addTo(sums, affiliateId, noSum, { beforeCents: cents });
    for (const { affiliateId, amountCents } of drafts) addTo(sums, affiliateId, noSum, { afterCents: amountCents });
    const beforeCents = before.reduce((total, { cents }) => total + cents, 0);
    const afterCents = drafts.reduce((total, { amountCents }) => total + amountCents, 0);
    addTo(weeks, mondayOf(localDate(new Date(facts.at), timezone)), noWeek, { beforeCents, afterCents, salesCents: facts.amountCents });
  }
  const last = { at: end.occurredAt.toISOString(), id: end.id };
  const [totals, spent] = [Object.fromEntries(running.totals), Object.fromEntries(running.spent)];
  return { last, totals, spent, sums: Object.fromEntries(sums), weeks: Object.fromEntries(weeks) };
}

const noWeek: Week = { beforeCents: 0, afterCents: 0, salesCents: 0 };

function addTo<Numbers extends Record<string, number>>(
  all: Map<string, Numbers>,
  key: string,
  none: Numbers,
  change: Partial<Numbers>,
): void {
  const present: Numbers = all.get(key) ?? none;
  const added = Object.entries(change).map(([name, value]) => [name, (present[name] ?? 0) + (value ?? 0)]);
  all.set(key, { ...present, ...Object.fromEntries(added) });
}

async function readOrders({ db }: Pick<Context, 'db'>, { programId, to }: Period, last: Replay['last']): Promise<RecordedOrder[]> {
  const { rows } = await sql<Omit<RecordedOrder, 'facts'> & { facts: unknown }>`
    select v.id, v.occurred_at, v.facts, coalesce((select json_agg(json_build_object('affiliateId', c.affiliate_id, 'cents', c.amount_cents))
        from commissions as c where c.program_id = ${programId} and c.conversion_id = v.id and c.kind = 'order' and c.moved_at is null), '[]'::json) as before
    from (
      select id from conversion_summaries
      where program_id = ${programId} and (occurred_at, id) > (${new Date(last.at)}, ${last.id}::uuid) and occurred_at < ${to}
      order by occurred_at, id limit ${ordersPerPage}
    ) as next join conversions as v on v.program_id = ${programId} and v.id = next.id
    order by v.occurred_at, v.id`.execute(db);
  return rows.map((row) => ({ ...row, facts: OrderFacts.parse(row.facts) }));
}

/** Starts the totals that a tier depends on at 0, so that the orders of the period are counted. */
function startCounting({ totals, timezone }: RunningTotals, tiered: readonly Rule[], { at, affiliate, upline }: OrderFacts): void {
  for (const { terms } of tiered) {
    const [tier] = terms.tiers;
    if (!tier) continue;
    for (const { id } of upline ? [affiliate, upline] : [affiliate]) {
      const key = metricKey(id, tier, new Date(at), timezone);
      if (!totals.has(key)) totals.set(key, 0);
    }
  }
}
