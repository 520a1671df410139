// Reads the rule versions that orders may be paid by. Most orders happened after the last change of every
// rule, so unchanged rules are read from the rules themselves, and versions only of what changed since.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Earner, OrderFacts } from '../facts.ts';
import { type Rule, toRule } from '../rule.ts';
import { Terms } from '../terms.ts';
import type { RuleHistory, RuleVersion } from './history.ts';

type Db = Pick<Context, 'db' | 'clock'>;
type Scope = { affiliateIds: string[]; groupIds: string[]; productIds: string[] };

/** The rules that could pay for these orders, at the time of each. */
export async function loadHistory(ctx: Db, programId: string, orders: readonly OrderFacts[]): Promise<RuleHistory> {
  const earners = orders.flatMap(earnersOf);
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

export function earnersOf({ affiliate, upline }: OrderFacts): Earner[] {
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
