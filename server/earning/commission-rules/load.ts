// The rule versions that orders may be paid by, and what tiers and budgets have counted before these orders. The ledger
// of the program is locked, so that no other process spends a budget meanwhile. Most orders happened after the last
// change of every rule: unchanged rules are read from the rules themselves, and versions only of those that changed since.
import { sql } from 'kysely';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context, Tx } from '../../context.ts';
import { addMonths, startOfDay } from '../../platform/lib/zoned-time.ts';
import { budgetKey, createRunningTotals, metricKey, periodStart, type RunningTotals } from './calculate.ts';
import type { RuleHistory, RuleVersion } from './choose-rule.ts';
import type { Earner, OrderFacts } from './order-facts.ts';
import { type Rule, toRule } from './rule.ts';
import { type Metric, type Period, Terms } from './terms.ts';

type Db = Pick<Context, 'db' | 'clock'>;
type Scope = { affiliateIds: string[]; groupIds: string[]; productIds: string[] };

/** The rules that could pay for these orders, at the time of each. */
export async function loadHistory(ctx: Db, programId: string, orders: readonly OrderFacts[]): Promise<RuleHistory> {
  const earners = orders.flatMap(listEarners);
  const from = new Date(Math.min(...orders.map(({ at }) => Date.parse(at)), ctx.clock.now().getTime()));
  return read(ctx, programId, from, {
    affiliateIds: [...new Set(earners.map(({ id }) => id))],
    groupIds: [...new Set(earners.flatMap(({ groupId }) => groupId ?? []))],
    productIds: [...new Set(orders.flatMap(({ lines }) => lines.flatMap(({ productId }) => productId ?? [])))],
  });
}

/** Every rule of the program with archived ones, for any time since `from`. */
export function loadWholeHistory(ctx: Db, programId: string, from: Date): Promise<RuleHistory> {
  return read(ctx, programId, from, null);
}

export function listEarners({ affiliate, upline }: OrderFacts): Earner[] {
  return upline ? [affiliate, upline] : [affiliate];
}

async function read(ctx: Db, programId: string, from: Date, scope: Scope | null): Promise<RuleHistory> {
  const unchanged = await readUnchanged(ctx, programId, from, scope);
  const changed = await readChanged(ctx, programId, from);
  const versions = new Map<string, RuleVersion[]>(unchanged.map((rule) => [rule.id, [{ ...rule, validFrom: null }]]));
  for (const [id, of] of Map.groupBy(changed, (version) => version.id)) versions.set(id, of);
  return { versions, beginning: changed.length > 0 ? await readBeginning(ctx, programId, from) : null };
}

async function readUnchanged(ctx: Db, programId: string, from: Date, scope: Scope | null): Promise<Rule[]> {
  const inScope = scope
    ? sql`and status = 'active'
      and (affiliate_id is null or affiliate_id = any(${scope.affiliateIds}::uuid[]))
      and (group_id is null or group_id = any(${scope.groupIds}::uuid[]))
      and (product_id is null or product_id = any(${scope.productIds}::uuid[]))`
    : sql``;
  const { rows } = await sql<Parameters<typeof toRule>[0]>`
    select id, version, name, status, level, product_id, category, group_id, affiliate_id, effective_from, effective_to, terms
    from commission_rules where program_id = ${programId} and updated_at <= ${from} ${inScope}`.execute(ctx.db);
  return rows.map(toRule);
}

/** All versions of the rules that changed after `from`, the highest first: a later version may have left the scope. */
async function readChanged(ctx: Db, programId: string, from: Date): Promise<RuleVersion[]> {
  const { rows } = await sql<{ rule: Rule; validFrom: Date }>`
    select version.rule, version.valid_from from commission_rules as rule
    join commission_rule_versions as version on version.program_id = rule.program_id and version.rule_id = rule.id
    where rule.program_id = ${programId} and rule.updated_at > ${from}
    order by version.rule_id, version.version desc`.execute(ctx.db);
  return rows.map(({ rule, validFrom }) => ({ ...rule, terms: Terms.parse(rule.terms), validFrom: validFrom.toISOString() }));
}

/** When the program got its first rule, and when its first order was reported: until then it was being set up. */
async function readBeginning(ctx: Db, programId: string, from: Date): Promise<RuleHistory['beginning']> {
  const { rows } = await sql<{ firstRuleAt: Date | null; firstOrderAt: Date | null }>`
    select (select min(created_at) from commission_rule_versions where program_id = ${programId}) as first_rule_at,
      least((select min(created_at) from conversions where program_id = ${programId}),
        (select min(created_at) from unattributed_orders where program_id = ${programId})) as first_order_at`.execute(ctx.db);
  const [row] = rows;
  if (!row?.firstRuleAt || from >= row.firstRuleAt) return null;
  const settled = row.firstOrderAt ?? ctx.clock.now();
  return { firstRuleAt: row.firstRuleAt.toISOString(), from: (settled > row.firstRuleAt ? settled : row.firstRuleAt).toISOString() };
}

/** What has been counted before these orders, for exactly the tiers and budgets that the rules have. */
export async function loadRunningTotals(
  ctx: Pick<Context, 'db'>,
  programId: string,
  orders: readonly OrderFacts[],
  rules: readonly Rule[],
): Promise<RunningTotals> {
  const tiered = rules.filter(({ terms }) => terms.tiers.length > 0);
  const budgeted = rules.filter(({ terms }) => terms.budgetPeriod !== null);
  if (tiered.length + budgeted.length === 0) return createRunningTotals();
  const { timezone } = await getProgram(ctx, programId);
  const running = createRunningTotals(timezone);
  if (tiered.length > 0) await loadTotals(ctx, programId, { orders, tiered, running });
  if (budgeted.length > 0) await loadBudgets(ctx, programId, { orders, budgeted, running });
  return running;
}

type Wanted = { key: string; affiliateId: string; metric: Metric; from: string; to: string };

async function loadTotals(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { orders, tiered, running }: { orders: readonly OrderFacts[]; tiered: readonly Rule[]; running: RunningTotals },
): Promise<void> {
  const wanted = new Map<string, Wanted>();
  for (const order of orders) {
    const at = new Date(order.at);
    for (const { id } of listEarners(order)) {
      for (const { terms } of tiered) {
        const [tier] = terms.tiers;
        if (!tier) continue;
        const key = metricKey(id, tier, at, running.timezone);
        wanted.set(key, { key, affiliateId: id, metric: tier.metric, ...toPeriodBounds(at, tier.period, running.timezone) });
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
function toPeriodBounds(at: Date, period: Period, timezone: string): { from: string; to: string } {
  const start = periodStart(at, period, timezone);
  const end = addMonths(start, { month: 1, quarter: 3, year: 12, total: 12 * 200 }[period]);
  return { from: startOfDay(start, timezone).toISOString(), to: startOfDay(end, timezone).toISOString() };
}

async function loadBudgets(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { orders, budgeted, running }: { orders: readonly OrderFacts[]; budgeted: readonly Rule[]; running: RunningTotals },
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
export async function storeBudgets(tx: Tx, programId: string, { spent }: RunningTotals): Promise<void> {
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
