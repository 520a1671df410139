// Simulates a changed set of rules: the stored inputs of a period's orders are calculated again, and nothing is written.
// Tiers and budgets start at 0 at the beginning of the period.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context } from '../../../context.ts';
import { AffiliateReference, findAffiliateReferences } from '../../../partners/affiliates/reference.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampIn, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { expandable } from '../../../platform/http/declaration/lists.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { calculate, createRunningTotals, metricKey, type RunningTotals } from '../calculate.ts';
import { allVersions, type RuleHistory, rulesAt } from '../choose-rule.ts';
import { loadWholeHistory } from '../load.ts';
import { OrderFacts } from '../order-facts.ts';
import type { Rule } from '../terms.ts';
import { rewriteHistory, ruleChangeFields } from './rule-changes.ts';

const ordersPerPage = 1000;
const maxDays = 400;

const Totals = z.object({ beforeCents: centsOut, afterCents: centsOut, differenceCents: centsOut, conversions: countOut });
const AffiliateTotals = Totals.extend({
  affiliateId: uuidOut,
  affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
});
const exampleTotals = { beforeCents: 12_000, afterCents: 14_400, differenceCents: 2400, conversions: 12 };

const Simulation = z
  .object({
    from: timestampIn.describe('Only orders that occurred at or after this time.'),
    to: timestampIn.describe('Only orders that occurred before this time.'),
    ...ruleChangeFields,
  })
  .meta({
    id: 'Simulation',
    example: { from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z', add: [{ name: 'Trial', type: 'percentage', rate: 12 }] },
  });
type Simulation = z.output<typeof Simulation>;

export const simulateRules = endpoint({
  id: 'commissionRules.simulate',
  route: 'POST /v1/programs/:programId/commission-rules/simulate',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'Simulate rule changes on past orders',
  description:
    'Recalculates the orders of a period with changed rules, without writing anything, and returns the commissions before and after, ' +
    'per affiliate and in total. Rules that the simulation does not change apply as they were at the time of each order.',
  body: Simulation,
  query: z.object({ expand: expandable('affiliate') }),
  statuses: [200],
  result: z
    .object({
      currency: currencyOut,
      total: Totals,
      affiliates: z.array(AffiliateTotals).describe('The largest differences first.'),
    })
    .meta({
      id: 'SimulationResult',
      example: {
        currency: 'USD',
        total: exampleTotals,
        affiliates: [{ affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', ...exampleTotals }],
      },
    }),
  errors: [{ status: 404, code: 'not_found', when: '`ruleId`, or an id in `archiveRuleIds`, was not found in this program.' }],
  async handle(ctx, { actor: { programId, currency }, body, query: { expand } }) {
    if (body.from >= body.to) throw new Invalid([{ path: ['to'], message: 'must be later than from' }]);
    if (body.to.getTime() - body.from.getTime() > maxDays * 86_400_000)
      throw new Invalid([{ path: ['to'], message: `must be at most ${maxDays} days after from` }]);
    const history = rewriteHistory(ctx, await loadWholeHistory(ctx, programId, body.from), body);
    const totals = await replayOrders(ctx, programId, body, history);
    const references = await findAffiliateReferences(ctx, programId, expand.has('affiliate') ? [...totals.keys()] : []);
    const affiliates = [...totals].map(([affiliateId, total]) => ({
      affiliateId,
      affiliate: references.get(affiliateId),
      ...withDifference(total),
    }));
    affiliates.sort((a, b) => Math.abs(b.differenceCents) - Math.abs(a.differenceCents) || a.affiliateId.localeCompare(b.affiliateId));
    const total = [...totals.values()].reduce(addSums, noSum);
    return { currency, total: withDifference(total), affiliates };
  },
});

type Sum = { beforeCents: number; afterCents: number; conversions: number };
const noSum: Sum = { beforeCents: 0, afterCents: 0, conversions: 0 };

function addSums(a: Sum, b: Sum): Sum {
  return {
    beforeCents: a.beforeCents + b.beforeCents,
    afterCents: a.afterCents + b.afterCents,
    conversions: a.conversions + b.conversions,
  };
}

function withDifference(sum: Sum) {
  return { ...sum, differenceCents: sum.afterCents - sum.beforeCents };
}

async function replayOrders(ctx: Context, programId: string, { from, to }: Simulation, history: RuleHistory): Promise<Map<string, Sum>> {
  const sums = new Map<string, Sum>();
  const add = (affiliateId: string, change: Partial<Sum>): void => {
    sums.set(affiliateId, addSums(sums.get(affiliateId) ?? noSum, { ...noSum, ...change }));
  };
  const { timezone } = await getProgram(ctx, programId);
  const running = createRunningTotals(timezone);
  let last = { at: from, id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const orders = await readOrders(ctx, programId, last, to);
    for (const { facts, before } of orders) {
      startCounting(running, allVersions(history), facts);
      add(facts.affiliate.id, { conversions: 1 });
      for (const { affiliateId, cents } of before) add(affiliateId, { beforeCents: cents });
      for (const { affiliateId, amountCents } of calculate(facts, rulesAt(history, facts.at), running).drafts)
        add(affiliateId, { afterCents: amountCents });
    }
    const end = orders.at(-1);
    if (!end || orders.length < ordersPerPage) return sums;
    last = { at: end.occurredAt, id: end.id };
  }
}

type RecordedOrder = { id: string; occurredAt: Date; facts: OrderFacts; before: { affiliateId: string; cents: number }[] };

async function readOrders(ctx: Context, programId: string, last: { at: Date; id: string }, to: Date): Promise<RecordedOrder[]> {
  const { rows } = await sql<Omit<RecordedOrder, 'facts'> & { facts: unknown }>`
    select v.id, v.occurred_at, v.facts, coalesce((select json_agg(json_build_object('affiliateId', c.affiliate_id, 'cents', c.amount_cents))
        from commissions as c where c.program_id = ${programId} and c.conversion_id = v.id and c.kind = 'order' and c.moved_at is null), '[]'::json) as before
    from (
      select id from conversion_summaries
      where program_id = ${programId} and (occurred_at, id) > (${last.at}, ${last.id}::uuid) and occurred_at < ${to}
      order by occurred_at, id limit ${ordersPerPage}
    ) as next join conversions as v on v.program_id = ${programId} and v.id = next.id
    order by v.occurred_at, v.id`.execute(ctx.db);
  return rows.map((row) => ({ ...row, facts: OrderFacts.parse(row.facts) }));
}

/** Starts the totals that a tier depends on at 0, so that the orders of the period are counted. */
function startCounting({ totals, timezone }: RunningTotals, rules: readonly Rule[], { at, affiliate, upline }: OrderFacts): void {
  for (const { terms } of rules) {
    const [tier] = terms.tiers;
    if (!tier) continue;
    for (const { id } of upline ? [affiliate, upline] : [affiliate]) {
      const key = metricKey(id, tier, new Date(at), timezone);
      if (!totals.has(key)) totals.set(key, 0);
    }
  }
}
