// What tiers and budgets have counted before the orders that are about to be calculated, and storing what
// budgets have paid. The ledger of the program is locked, so no other process spends meanwhile.
import { sql } from 'kysely';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context, Tx } from '../../context.ts';
import { addMonths, startOfDay } from '../../platform/lib/zoned-time.ts';
import type { OrderFacts } from './facts.ts';
import type { Rule } from './rule.ts';
import { budgetKey, metricKey, newRunning, periodStart, type Running } from './running.ts';
import type { Metric, Period } from './terms.ts';
import { earnersOf } from './versions/load.ts';

type Db = Pick<Context, 'db'>;

/** What has been counted before these orders, for exactly the tiers and budgets that the rules have. */
export async function loadRunning(ctx: Db, programId: string, orders: readonly OrderFacts[], rules: readonly Rule[]): Promise<Running> {
  const tiered = rules.filter(({ terms }) => terms.tiers.length > 0);
  const budgeted = rules.filter(({ terms }) => terms.budgetPeriod !== null);
  if (tiered.length + budgeted.length === 0) return newRunning();
  const { timezone } = await getProgram(ctx, programId);
  const running = newRunning(timezone);
  if (tiered.length > 0) await loadTotals(ctx, programId, { orders, tiered, running });
  if (budgeted.length > 0) await loadBudgets(ctx, programId, { orders, budgeted, running });
  return running;
}

type Wanted = { key: string; affiliateId: string; metric: Metric; from: string; to: string };

async function loadTotals(
  ctx: Db,
  programId: string,
  { orders, tiered, running }: { orders: readonly OrderFacts[]; tiered: readonly Rule[]; running: Running },
): Promise<void> {
  const wanted = new Map<string, Wanted>();
  for (const order of orders) {
    const at = new Date(order.at);
    for (const { id } of earnersOf(order)) {
      for (const { terms } of tiered) {
        const [tier] = terms.tiers;
        if (!tier) continue;
        const key = metricKey(id, tier, at, running.timezone);
        wanted.set(key, { key, affiliateId: id, metric: tier.metric, ...spanOf(at, tier.period, running.timezone) });
      }
    }
  }
  const { rows } = await sql<{ key: string; total: number }>`
    select wanted.key, case wanted.metric
      when 'conversions' then (select count(*) from conversions as v where v.program_id = ${programId} and v.voided_at is null
        and v.affiliate_id = wanted.affiliate_id and v.occurred_at >= wanted.from and v.occurred_at < wanted.to)
      when 'amountCents' then (select coalesce(sum(v.amount_cents - v.refunded_cents), 0)::bigint from conversions as v where v.program_id = ${programId}
        and v.affiliate_id = wanted.affiliate_id and v.occurred_at >= wanted.from and v.occurred_at < wanted.to)
      else (select coalesce(sum(c.amount_cents - c.reversed_cents), 0)::bigint from commissions as c
        join conversions as v on v.program_id = c.program_id and v.id = c.conversion_id
        where c.program_id = ${programId} and c.affiliate_id = wanted.affiliate_id and c.level = 1 and c.kind = 'order'
          and v.occurred_at >= wanted.from and v.occurred_at < wanted.to)
      end as total
    from jsonb_to_recordset(${JSON.stringify([...wanted.values()].map(({ affiliateId, ...rest }) => ({ ...rest, affiliate_id: affiliateId })))}::jsonb)
      as wanted (key text, affiliate_id uuid, metric text, "from" timestamptz, "to" timestamptz)`.execute(ctx.db);
  for (const { key, total } of rows) running.totals.set(key, total);
}

/** The instants at which the period of `at` begins and ends. */
function spanOf(at: Date, period: Period, timezone: string): { from: string; to: string } {
  const start = periodStart(at, period, timezone);
  const end = addMonths(start, { month: 1, quarter: 3, year: 12, total: 12 * 200 }[period]);
  return { from: startOfDay(start, timezone).toISOString(), to: startOfDay(end, timezone).toISOString() };
}

async function loadBudgets(
  ctx: Db,
  programId: string,
  { orders, budgeted, running }: { orders: readonly OrderFacts[]; budgeted: readonly Rule[]; running: Running },
): Promise<void> {
  const keys = new Set(
    orders.flatMap(({ at }) =>
      budgeted.map(({ id, terms }) => budgetKey(id, terms.budgetPeriod ?? 'total', new Date(at), running.timezone)),
    ),
  );
  const rows = await ctx.db
    .selectFrom('commissionRuleBudgets')
    .select(['ruleId', 'spentCents', (row) => sql<string>`${row.ref('periodStart')}::text`.as('start')])
    .where('programId', '=', programId)
    .where('ruleId', 'in', [...new Set(budgeted.map(({ id }) => id))])
    .execute();
  for (const { ruleId, start, spentCents } of rows) {
    const key = `${ruleId} ${start}`;
    if (keys.has(key)) running.spent.set(key, spentCents);
  }
}

/** Writes what the budgets have paid by now; `running.spent` is the new truth for its keys. */
export async function keepBudgets(tx: Tx, programId: string, { spent }: Running): Promise<void> {
  if (spent.size === 0) return;
  const rows = [...spent].map(([key, cents]) => ({ rule: key.split(' ')[0], start: key.split(' ')[1], cents }));
  await sql`
    insert into commission_rule_budgets (program_id, rule_id, period_start, spent_cents)
    select ${programId}::uuid, rule, start, cents
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as kept (rule uuid, start date, cents bigint)
    on conflict (program_id, rule_id, period_start) do update set spent_cents = excluded.spent_cents`.execute(tx.db);
}

export type Returned = { commissionId: string; cents: number };

/** Gives reversed cents back to the budgets that paid them; restored ones (below 0) are spent again. */
export async function returnToBudgets(tx: Tx, programId: string, returned: readonly Returned[]): Promise<void> {
  if (returned.length === 0) return;
  await sql`
    update commission_rule_budgets as budget set spent_cents = budget.spent_cents - freed.cents
    from (
      select commission.rule_id, commission.budget_start, sum(change.cents)::bigint as cents
      from jsonb_to_recordset(${JSON.stringify(returned)}::jsonb) as change ("commissionId" uuid, cents bigint)
      join commissions as commission on commission.program_id = ${programId} and commission.id = change."commissionId"
      where commission.budget_start is not null group by 1, 2
    ) as freed
    where budget.program_id = ${programId} and budget.rule_id = freed.rule_id and budget.period_start = freed.budget_start`.execute(tx.db);
}
