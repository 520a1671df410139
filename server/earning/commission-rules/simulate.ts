// What a changed set of rules would have paid: the stored inputs of a period's orders are calculated
// again, nothing is written. Tiers and budgets count from the beginning of the period.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, timestampIn, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { Invalid, NotFound } from '../../platform/lib/errors.ts';
import { calculate, createRunningTotals, metricKey, type RunningTotals } from './calculate.ts';
import { allVersions, type RuleHistory, rulesAt, unchangedRules } from './choose-rule.ts';
import { loadWholeHistory } from './load.ts';
import type { OrderFacts } from './order-facts.ts';
import type { Rule } from './rule.ts';
import { findTermFaults, Terms } from './terms.ts';
import { ruleFields } from './write-rule.ts';

const step = 1000;
const longestDays = 400;

const Totals = z.object({ beforeCents: centsOut, afterCents: centsOut, differenceCents: centsOut, conversions: countOut });

export const simulateRules = endpoint({
  id: 'commissionRules.simulate',
  route: 'POST /v1/programs/:programId/commission-rules/simulate',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'Simulate a change of rules over past orders',
  description:
    'Replays the orders of a period under changed rules without writing, and returns what they earned before and would earn after, ' +
    'per affiliate and in total. Rules that the simulation does not change apply as they were at the time of each order.',
  body: z
    .object({
      from: timestampIn,
      to: timestampIn,
      add: z.array(z.object(ruleFields)).max(50).default([]).describe('Rules that would be there in addition.'),
      replace: z
        .array(z.object({ ruleId: uuid, ...ruleFields }))
        .max(50)
        .default([])
        .describe('Rules that would stand in the place of others.'),
      archiveRuleIds: z.array(uuid).max(200).default([]).describe('Rules that would not be there.'),
    })
    .meta({
      id: 'Simulation',
      example: { from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z', add: [{ name: 'Try', type: 'percentage', rate: 12 }] },
    }),
  statuses: [200],
  result: z
    .object({ total: Totals, affiliates: z.array(Totals.extend({ affiliateId: uuidOut })).describe('The largest differences first.') })
    .meta({ id: 'SimulationResult' }),
  refusals: { 404: '`ruleId` or `archiveRuleIds` was not found in this program.' },
  async handle(ctx, { actor, body }) {
    if (body.from >= body.to) throw new Invalid([{ path: ['to'], message: 'must be later than from' }]);
    if (body.to.getTime() - body.from.getTime() > longestDays * 86_400_000)
      throw new Invalid([{ path: ['to'], message: `must be at most ${longestDays} days after from` }]);
    const history = await changedHistory(ctx, actor.programId, body);
    const totals = await replay(ctx, actor.programId, body, history);
    const affiliates = [...totals].map(([affiliateId, total]) => ({ affiliateId, ...withDifference(total) }));
    affiliates.sort((a, b) => Math.abs(b.differenceCents) - Math.abs(a.differenceCents) || a.affiliateId.localeCompare(b.affiliateId));
    const sum = { beforeCents: 0, afterCents: 0, conversions: 0 };
    for (const each of totals.values()) add(sum, each);
    return { total: withDifference(sum), affiliates };
  },
});

type Sum = { beforeCents: number; afterCents: number; conversions: number };
type Given = z.output<typeof simulateRules.body & {}>;

function withDifference(sum: Sum) {
  return { ...sum, differenceCents: sum.afterCents - sum.beforeCents };
}

function add(sum: Sum, { beforeCents, afterCents, conversions }: Sum): void {
  sum.beforeCents += beforeCents;
  sum.afterCents += afterCents;
  sum.conversions += conversions;
}

/** The rules of the time of each order, but for those that the simulation replaces or leaves out. */
async function changedHistory(ctx: Context, programId: string, given: Given): Promise<RuleHistory> {
  const { versions, beginning } = await loadWholeHistory(ctx, programId, given.from);
  if (given.archiveRuleIds.some((id) => !versions.has(id))) throw new NotFound('archiveRuleIds');
  if (given.replace.some(({ ruleId }) => !versions.has(ruleId))) throw new NotFound('ruleId');
  const gone = new Set([...given.archiveRuleIds, ...given.replace.map(({ ruleId }) => ruleId)]);
  const kept = [...versions].filter(([id]) => !gone.has(id));
  const fresh = [...given.add.map((rule) => ({ ...rule, ruleId: ctx.ids.uuid() })), ...given.replace];
  return { versions: new Map([...kept, ...unchangedRules(fresh.map(toSimulatedRule)).versions]), beginning };
}

function toSimulatedRule(rule: Given['replace'][number], index: number): Rule {
  const terms = Terms.parse(rule);
  const faults = findTermFaults(terms, rule.level);
  if (faults.length > 0) throw new Invalid(faults.map(([field, message]) => ({ path: [String(index), field], message })));
  const { ruleId: id, name, level, productId, category, groupId, affiliateId } = rule;
  const effective = { effectiveFrom: rule.effectiveFrom?.toISOString() ?? null, effectiveTo: rule.effectiveTo?.toISOString() ?? null };
  return { id, version: 0, isArchived: false, name, level, productId, category, groupId, affiliateId, ...effective, terms };
}

type ReplayedOrder = { id: string; occurredAt: Date; facts: OrderFacts; before: { affiliateId: string; cents: number }[] };

async function replay(ctx: Context, programId: string, { from, to }: Given, history: RuleHistory): Promise<Map<string, Sum>> {
  const totals = new Map<string, Sum>();
  const of = (id: string): Sum => {
    const sum = totals.get(id) ?? { beforeCents: 0, afterCents: 0, conversions: 0 };
    totals.set(id, sum);
    return sum;
  };
  const { timezone } = await getProgram(ctx, programId);
  const running = createRunningTotals(timezone);
  let last = { at: from, id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const orders = await nextOrders(ctx, programId, last, to);
    for (const { facts, before } of orders) {
      const rules = rulesAt(history, facts.at);
      startCounting(running, allVersions(history), facts);
      of(facts.affiliate.id).conversions += 1;
      for (const { affiliateId, cents } of before) of(affiliateId).beforeCents += cents;
      for (const { affiliateId, amountCents } of calculate(facts, rules, running).drafts) of(affiliateId).afterCents += amountCents;
    }
    const end = orders.at(-1);
    if (!end || orders.length < step) return totals;
    last = { at: end.occurredAt, id: end.id };
  }
}

async function nextOrders(ctx: Context, programId: string, last: { at: Date; id: string }, to: Date): Promise<ReplayedOrder[]> {
  const { rows } = await sql<ReplayedOrder>`
    select v.id, v.occurred_at, v.facts, coalesce((select json_agg(json_build_object('affiliateId', c.affiliate_id, 'cents', c.amount_cents))
        from commissions as c where c.program_id = v.program_id and c.conversion_id = v.id and c.kind = 'order'), '[]'::json) as before
    from conversions as v where v.program_id = ${programId} and (v.occurred_at, v.id) > (${last.at}, ${last.id}::uuid) and v.occurred_at < ${to}
    order by v.occurred_at, v.id limit ${step}`.execute(ctx.db);
  return rows;
}

/** Opens the counts that a tier will ask for, so that the orders of the period are counted. */
function startCounting({ totals, timezone }: RunningTotals, rules: readonly Rule[], facts: OrderFacts): void {
  for (const { terms } of rules) {
    const [tier] = terms.tiers;
    if (!tier) continue;
    for (const id of [facts.affiliate.id, ...(facts.upline ? [facts.upline.id] : [])]) {
      const key = metricKey(id, tier, new Date(facts.at), timezone);
      if (!totals.has(key)) totals.set(key, 0);
    }
  }
}
