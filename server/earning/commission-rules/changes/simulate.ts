// Simulates a changed set of rules: the stored inputs of a period's orders are calculated again, and nothing is written.
// The console does the same in a background task (`run-simulation.ts`).
import { z } from 'zod';
import { AffiliateReference, findAffiliateReferences } from '../../../partners/affiliates/reference.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampIn, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { expandable } from '../../../platform/http/declaration/lists.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { noSum, type Replay, replayNext, type Sum, startReplay } from './replay.ts';
import { planChanges, ruleChangeFields } from './rule-changes.ts';
import { loadSimulatedRules } from './run-simulation.ts';

const maxDays = 400;

export const SimulatedTotals = z.object({ beforeCents: centsOut, afterCents: centsOut, differenceCents: centsOut, conversions: countOut });
export const SimulatedAffiliate = SimulatedTotals.extend({
  affiliateId: uuidOut,
  affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
});
export const exampleTotals = { beforeCents: 12_000, afterCents: 14_400, differenceCents: 2400, conversions: 12 };

export const Simulation = z
  .object({
    from: timestampIn.describe('Only orders that occurred at or after this time.'),
    to: timestampIn.describe('Only orders that occurred before this time.'),
    ...ruleChangeFields,
  })
  .meta({
    id: 'Simulation',
    example: { from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z', add: [{ name: 'Trial', type: 'percentage', rate: 12 }] },
  });
export type Simulation = z.output<typeof Simulation>;

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
      total: SimulatedTotals,
      affiliates: z.array(SimulatedAffiliate).describe('The largest differences first.'),
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
    checkPeriod(body);
    const rules = await loadSimulatedRules(ctx, programId, { from: body.from.toISOString(), changes: planChanges(ctx, body) });
    let state = startReplay(body.from);
    for (let isAtEnd = false; !isAtEnd; ) ({ state, isAtEnd } = await replayNext(ctx, { programId, to: body.to }, rules, state));
    const ids = Object.keys(state.sums);
    const references = await findAffiliateReferences(ctx, programId, expand.has('affiliate') ? ids : []);
    const affiliates = listSums(state).map((sum) => ({ ...sum, affiliate: references.get(sum.affiliateId) }));
    return { currency, total: addUp(state), affiliates };
  },
});

/** Rejects a period that is empty or too long. */
export function checkPeriod({ from, to }: Pick<Simulation, 'from' | 'to'>): void {
  if (from >= to) throw new Invalid([{ path: ['to'], message: 'must be later than from' }]);
  if (to.getTime() - from.getTime() > maxDays * 86_400_000)
    throw new Invalid([{ path: ['to'], message: `must be at most ${maxDays} days after from` }]);
}

/** What all affiliates together earned and would have earned. */
export function addUp({ sums }: Pick<Replay, 'sums'>): z.input<typeof SimulatedTotals> {
  const total = Object.values(sums).reduce(addSums, noSum);
  return withDifference(total);
}

/** The sums of each affiliate, the largest differences first. */
export function listSums({ sums }: Pick<Replay, 'sums'>) {
  const affiliates = Object.entries(sums).map(([affiliateId, sum]) => ({ affiliateId, ...withDifference(sum) }));
  return affiliates.sort((a, b) => Math.abs(b.differenceCents) - Math.abs(a.differenceCents) || a.affiliateId.localeCompare(b.affiliateId));
}

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
