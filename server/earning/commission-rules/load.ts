// Loads the rule versions that can apply to orders, and the totals of tiers and budgets before these orders. The program's
// ledger is locked, so that no other process spends a budget at the same time. Most orders occur after the last change
// of every rule: unchanged rules are read from the rules themselves, and versions only of those that changed since.
import { sql } from 'kysely';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context, Tx } from '../../context.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import { addMonths, startOfDay } from '../../platform/lib/zoned-time.ts';
import { budgetKey, createRunningTotals, metricKey, periodStart, type RunningTotals } from './calculate.ts';
import type { RuleHistory, RuleVersion } from './choose-rule.ts';
import type { Earner, OrderFacts } from './order-facts.ts';
import type { Metric, Period } from './terms.ts';
import { Rule, toRule } from './terms.ts';

type Db = Pick<Context, 'db' | 'clock'>;
type Scope = { affiliateIds: string[]; groupIds: string[]; productIds: string[] };

/** The rules that could apply to these orders, at the time of each. */
export async function loadHistory(ctx: Db, programId: string, orders: readonly OrderFacts[]): Promise<RuleHistory> {
  const earners = orders.flatMap(listEarners);
  const from = new Date(Math.min(...orders.map(({ at }) => Date.parse(at)), ctx.clock.now().getTime()));
  return readHistory(ctx, programId, from, {
    affiliateIds: [...new Set(earners.map(({ id }) => id))],
    groupIds: [...new Set(earners.flatMap(({ groupId }) => groupId ?? []))],
    productIds: [...new Set(orders.flatMap(({ lines }) => lines.flatMap(({ productId }) => productId ?? [])))],
  });
}

/** Every rule of the program, including archived ones, for any time since `from`. */
export function loadWholeHistory(ctx: Db, programId: string, from: Date): Promise<RuleHistory> {
  return readHistory(ctx, programId, from, null);
}

function listEarners({ affiliate, upline }: OrderFacts): Earner[] {
  return upline ? [affiliate, upline] : [affiliate];
}

async function readHistory(ctx: Db, programId: string, from: Date, scope: Scope | null): Promise<RuleHistory> {
  const rules = await readRules(ctx, programId, from, scope);
  const [changed, unchanged] = [rules.filter(({ updatedAt }) => updatedAt > from), rules.filter(({ updatedAt }) => updatedAt <= from)];
  const versions = new Map(unchanged.map((row): [string, RuleVersion[]] => [row.id, [{ ...toRule(row), validFrom: null }]]));
  if (changed.length === 0) return { versions, beginning: null };
  const ids = changed.map(({ id }) => id);
  const [ofChanged, beginning] = await Promise.all([readVersions(ctx, programId, ids), readBeginning(ctx, programId, from)]);
  for (const [id, group] of Map.groupBy(ofChanged, (version) => version.id)) versions.set(id, group);
  return { versions, beginning };
}

type RuleRow = Parameters<typeof toRule>[0] & { updatedAt: Date };

/** The rules in the scope, and all that changed after `from`: an earlier version may have been in it. */
async function readRules(ctx: Db, programId: string, from: Date, scope: Scope | null): Promise<RuleRow[]> {
  const { affiliateIds, groupIds, productIds } = scope ?? { affiliateIds: [], groupIds: [], productIds: [] };
  const { rows } = await plainSql<RuleRow>`
    select id, version, name, status, level, product_id, category, group_id, affiliate_id, effective_from, effective_to, terms, updated_at
    from commission_rules where program_id = ${programId}
      and (updated_at > ${from} or ${scope === null} or (status = 'active'
        and (affiliate_id is null or affiliate_id = any(${affiliateIds}::uuid[]))
        and (group_id is null or group_id = any(${groupIds}::uuid[]))
        and (product_id is null or product_id = any(${productIds}::uuid[]))))`.execute(ctx.db);
  return rows;
}

/** All versions of these rules, newest first. */
async function readVersions(ctx: Db, programId: string, ids: readonly string[]): Promise<RuleVersion[]> {
  const { rows } = await plainSql<{ rule: unknown; validFrom: Date }>`
    select rule, valid_from from commission_rule_versions where program_id = ${programId} and rule_id = any(${ids}::uuid[])
    order by rule_id, version desc`.execute(ctx.db);
  return rows.map(({ rule, validFrom }) => ({ ...Rule.parse(rule), validFrom: validFrom.toISOString() }));
}

/** When the first rule was created and the first order reported: until then the program was being set up. */
async function readBeginning(ctx: Db, programId: string, from: Date): Promise<RuleHistory['beginning']> {
  const { rows } = await sql<{ firstRuleAt: Date | null; firstOrderAt: Date | null }>`
    select (select min(created_at) from commission_rule_versions where program_id = ${programId}) as first_rule_at,
      least((select min(created_at) from conversion_summaries where program_id = ${programId}),
        (select min(created_at) from unattributed_orders where program_id = ${programId})) as first_order_at`.execute(ctx.db);
  const [row] = rows;
  if (!row?.firstRuleAt || from >= row.firstRuleAt) return null;
  const setUpAt = row.firstOrderAt ?? ctx.clock.now();
  return { firstRuleAt: row.firstRuleAt.toISOString(), from: (setUpAt > row.firstRuleAt ? setUpAt : row.firstRuleAt).toISOString() };
}

/**
 * The totals before these orders, for exactly the tiers and budgets that the rules have. `except`: an order that is
 * recorded already and calculated again, which tiers don't count.
 */
export async function loadRunningTotals(
  ctx: Pick<Context, 'db'>,
  programId: string,
  orders: readonly OrderFacts[],
  { rules, except = null }: { rules: readonly Rule[]; except?: string | null },
): Promise<RunningTotals> {
  const tiered = rules.filter(({ terms }) => terms.tiers.length > 0);
  const budgeted = rules.filter(({ terms }) => terms.budgetPeriod !== null);
  if (tiered.length + budgeted.length === 0) return createRunningTotals();
  const { timezone } = await getProgram(ctx, programId);
  const totals = await loadTotals(ctx, programId, listTotals(orders, tiered, timezone), except);
  const spent = await loadSpent(ctx, programId, { orders, budgeted, timezone });
  return { timezone, totals, spent };
}

type TotalQuery = { key: string; affiliateId: string; metric: Metric; from: string; to: string };

/** The totals that decide about the tiers of these orders. */
function listTotals(orders: readonly OrderFacts[], tiered: readonly Rule[], timezone: string): TotalQuery[] {
  const queries = orders.flatMap((order) => {
    const at = new Date(order.at);
    return listEarners(order).flatMap(({ id }) =>
      tiered.flatMap(({ terms: { tiers } }) =>
        tiers.slice(0, 1).map((tier): TotalQuery => {
          const bounds = toPeriodBounds(at, tier.period, timezone);
          return { key: metricKey(id, tier, at, timezone), affiliateId: id, metric: tier.metric, ...bounds };
        }),
      ),
    );
  });
  return [...new Map(queries.map((query) => [query.key, query])).values()];
}

async function loadTotals(
  ctx: Pick<Context, 'db'>,
  programId: string,
  queries: readonly TotalQuery[],
  except: string | null,
): Promise<Map<string, number>> {
  if (queries.length === 0) return new Map();
  const isCounted = sql`v.id is distinct from ${except}::uuid`;
  const { rows } = await sql<{ key: string; total: number }>`
    select wanted.key, case wanted.metric
      when 'conversions' then (select count(*) from conversions as v where v.program_id = ${programId} and v.voided_at is null
        and v.affiliate_id = wanted."affiliateId" and v.occurred_at >= wanted.from and v.occurred_at < wanted.to and ${isCounted})
      when 'amountCents' then (select coalesce(sum(v.amount_cents - v.refunded_cents), 0)::bigint from conversions as v where v.program_id = ${programId}
        and v.affiliate_id = wanted."affiliateId" and v.occurred_at >= wanted.from and v.occurred_at < wanted.to and ${isCounted})
      else (select coalesce(sum(c.amount_cents - c.reversed_cents), 0)::bigint from commissions as c
        join conversions as v on v.program_id = ${programId} and v.id = c.conversion_id
        where c.program_id = ${programId} and c.affiliate_id = wanted."affiliateId" and c.level = 1 and c.kind = 'order'
          and v.occurred_at >= wanted.from and v.occurred_at < wanted.to and ${isCounted})
      end as total
    from jsonb_to_recordset(${JSON.stringify(queries)}::jsonb)
      as wanted (key text, "affiliateId" uuid, metric text, "from" timestamptz, "to" timestamptz)`.execute(ctx.db);
  return new Map(rows.map(({ key, total }) => [key, total]));
}

/** The instants at which the period of `at` begins and ends. */
export function toPeriodBounds(at: Date, period: Period, timezone: string): { from: string; to: string } {
  const start = periodStart(at, period, timezone);
  const end = addMonths(start, { month: 1, quarter: 3, year: 12, total: 12 * 200 }[period]);
  return { from: startOfDay(start, timezone).toISOString(), to: startOfDay(end, timezone).toISOString() };
}

type Budgeted = { orders: readonly OrderFacts[]; budgeted: readonly Rule[]; timezone: string };

/** The amounts spent from the budgets in the periods of these orders. */
async function loadSpent(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { orders, budgeted, timezone }: Budgeted,
): Promise<Map<string, number>> {
  if (budgeted.length === 0) return new Map();
  const keys = new Set(
    orders.flatMap(({ at }) => budgeted.map(({ id, terms }) => budgetKey(id, terms.budgetPeriod ?? 'total', new Date(at), timezone))),
  );
  const rows = await ctx.db
    .selectFrom('commissionRuleBudgets')
    .select(['ruleId', 'spentCents', (row) => sql<string>`${row.ref('periodStart')}::text`.as('start')])
    .where('programId', '=', programId)
    .where('ruleId', 'in', [...new Set(budgeted.map(({ id }) => id))])
    .execute();
  const spent = rows.map(({ ruleId, start, spentCents }) => [`${ruleId} ${start}`, spentCents] as const);
  return new Map(spent.filter(([key]) => keys.has(key)));
}

/** Stores the new totals of the budgets in `spent`. */
export async function storeBudgets(tx: Tx, programId: string, { spent }: RunningTotals): Promise<void> {
  if (spent.size === 0) return;
  const rows = [...spent].map(([key, cents]) => ({ rule: key.split(' ')[0], start: key.split(' ')[1], cents }));
  await sql`
    insert into commission_rule_budgets (program_id, rule_id, period_start, spent_cents)
    select ${programId}::uuid, rule, start, cents
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as budget (rule uuid, start date, cents bigint)
    on conflict (program_id, rule_id, period_start) do update set spent_cents = excluded.spent_cents`.execute(tx.db);
}

export type Returned = { commissionId: string; cents: number };

/** Returns reversed cents to the budgets they were spent from; restored ones (below 0) are spent again. */
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
