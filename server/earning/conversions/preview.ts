// What an order would pay, with changes of the rules that are not saved. The look-up, attribution and calculation are those of
// a reported order; nothing is stored.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampIn, uuidOut } from '../../platform/http/declaration/fields.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { stopClock } from '../../platform/lib/clock.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { extendHistory, ruleChangeFields } from '../commission-rules/changes/rule-changes.ts';
import {
  allRulesAt,
  allVersions,
  type Candidate,
  chooseRule,
  outcomes,
  type RuleHistory,
  steps,
  toStoredLines,
} from '../commission-rules/choose-rule.ts';
import { explainCalculation } from '../commission-rules/explain.ts';
import { loadRunningTotals, loadWholeHistory } from '../commission-rules/load.ts';
import { ExchangeShape, SignalOutcome, toExchange, Warning } from '../orders/conversion-shape.ts';
import { findWarnings } from './conversion.ts';
import { explainExchange } from './explaining/sentences.ts';
import { checkItems, ReportedOrder } from './order.ts';
import { amountTooLarge, exchangeRateMissing, toError } from './outcome-error.ts';
import { type Attempt, type AttributedOrder, attributeOrders, type CreditedOrder, decideOrders } from './recording/decide.ts';
import { lookUp } from './recording/look-up.ts';
import { CalculatedCommission, LineCandidates } from './stored-decision.ts';

const PreviewedOrder = z
  .object({
    ...ReportedOrder.shape,
    orderId: ReportedOrder.shape.orderId.default('preview').describe("The store's id for the order. It has no effect here."),
    customerHistory: z
      .object({
        orders: z
          .int('must be a whole number')
          .min(0, 'must be at least 0')
          .max(1_000_000, 'must be at most 1000000')
          .describe('How many credited orders the customer has before this one. 0: this is their first order.'),
        firstOrderAt: timestampIn.nullable().default(null).describe('When the first of them occurred. Default: when this order occurs.'),
      })
      .nullable()
      .default(null)
      .describe('Assumes a customer with these earlier orders, instead of the ones that are recorded.'),
    rules: z.object(ruleChangeFields).prefault({}).describe('Changes of the rules that are not saved, as if they were saved now.'),
  })
  .superRefine(checkItems)
  .meta({
    id: 'PreviewedOrder',
    example: {
      amountCents: 4980,
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      customerHistory: { orders: 2, firstOrderAt: '2026-01-15T00:00:00Z' },
      rules: { add: [{ name: 'Autumn', type: 'percentage', rate: 12 }] },
    },
  });
type PreviewedOrder = z.output<typeof PreviewedOrder>;

const PreviewedLine = LineCandidates.extend({
  candidates: z.array(
    z.object({
      step: z.enum(steps),
      ruleId: uuidOut.nullable().describe('Null for a coupon or an override. A rule to be added has an id that only this response uses.'),
      version: countOut.nullable(),
      name: z.string(),
      outcome: z.enum(outcomes).describe('`applied`, or the reason why the rule does not apply.'),
      isDraft: z.boolean().describe('This version of the rule is added, replaced or archived by `rules` of the request.'),
    }),
  ),
}).meta({ id: 'PreviewedLine' });

const Preview = z
  .object({
    affiliateId: uuidOut.nullable().describe('The affiliate who would be credited; null for none.'),
    commissionCents: centsOut,
    currency: currencyOut,
    exchange: ExchangeShape.nullable().describe('How the order would be converted; null for an order in the currency of the program.'),
    commissions: z.array(CalculatedCommission),
    signals: z.array(SignalOutcome),
    lines: z.array(PreviewedLine).describe('For each line and level, every rule of the program in order of precedence, with its outcome.'),
    sentences: z.array(z.string()),
    warnings: z.array(Warning),
  })
  .meta({
    id: 'Preview',
    example: {
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      commissionCents: 498,
      currency: 'USD',
      exchange: null,
      commissions: [exampleOf(CalculatedCommission)],
      signals: [
        {
          signal: 'click',
          value: '01980a53-9d10-7a44-b0c6-1f2e3d4c5b6a',
          affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
          outcome: 'credited',
        },
      ],
      lines: [],
      sentences: ['The order ($49.80): 10% by “Standard” (default rule) = $4.98.'],
      warnings: [],
    },
  });

export const previewOrder = endpoint({
  id: 'commissionRules.preview',
  route: 'POST /v1/programs/:programId/commission-rules/preview',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'Preview the commission of an order',
  description:
    'Accepts an order like `POST /v1/conversions` and returns who would be credited and what they would earn. Nothing is recorded. ' +
    'The order may have another customer history and changed rules, and `occurredAt` may be in the future: the response is what ' +
    'the order would earn if the changes were saved now.',
  body: PreviewedOrder,
  statuses: [200],
  result: Preview,
  errors: [
    amountTooLarge,
    exchangeRateMissing,
    { status: 404, code: 'not_found', when: '`affiliateId`, or a rule that `rules` names, was not found in this program.' },
  ],
  handle: (ctx, { actor, body }) =>
    ctx.db
      .transaction()
      .setAccessMode('read only')
      .execute((db) => preview({ ...ctx, db }, actor, body)),
});

type Owner = Actor & { programId: string; currency: string };

async function preview(ticking: Context, actor: Owner, order: PreviewedOrder): Promise<z.input<typeof Preview>> {
  const ctx = stopClock(ticking);
  const { programId, currency } = actor;
  const found = await lookUp(ctx, programId, [{ order }]);
  // An order that is already recorded can be previewed too.
  const fresh = { ...found, recorded: new Map() };
  const now = ctx.clock.now();
  const until = order.occurredAt && order.occurredAt > now ? order.occurredAt : now;
  const report = { id: ctx.ids.uuid(), customerId: ctx.ids.uuid(), order, actor };
  const attempts = attributeOrders([report], fresh, until).map((attempt) => assumeHistory(attempt, order));
  const at = order.occurredAt && order.occurredAt < now ? order.occurredAt : now;
  const { history, changed } = extendHistory(ctx, await loadWholeHistory(ctx, programId, at), order.rules);
  const facts = attempts.flatMap((attempt) => (attempt.kind === 'attributed' ? [attempt.facts] : []));
  const running = await loadRunningTotals(ctx, programId, facts, { rules: allVersions(history) });
  const [decision] = decideOrders(attempts, fresh, { history, running }, until).decisions;
  if (!decision || decision.kind === 'duplicate') throw new Error('A preview has no decision.');
  if (decision.kind === 'rejected') throw toError(decision);
  const none = { commissions: [], lines: [], warnings: [], commissionCents: 0, currency, exchange: null };
  if (decision.kind === 'unattributed')
    return { ...none, affiliateId: null, signals: [...decision.signals], sentences: ['No affiliate would be credited.'] };
  const { calculation, affiliate, attribution } = decision;
  return {
    affiliateId: affiliate.id,
    commissionCents: sumOf(calculation.drafts.map(({ amountCents }) => amountCents)),
    currency,
    commissions: calculation.drafts,
    signals: attribution.signals,
    lines: listCandidates(decision, history, changed),
    exchange: toExchange(decision.facts.exchange),
    sentences: [
      ...explainExchange(decision.facts, currency),
      ...explainCalculation(decision.facts, { ...calculation, lines: toStoredLines(calculation.lines) }, currency),
    ],
    warnings: findWarnings({ order, products: found.products, affiliate, calculation, currency }),
  };
}

/** The order with the history of the customer that is assumed. */
function assumeHistory(attempt: Attempt, { customerHistory: assumed }: PreviewedOrder): Attempt {
  if (attempt.kind !== 'attributed' || assumed === null) return attempt;
  const since = assumed.orders > 0 ? (assumed.firstOrderAt?.toISOString() ?? attempt.facts.at) : null;
  const facts: AttributedOrder['facts'] = { ...attempt.facts, customer: { orders: assumed.orders, since } };
  return { ...attempt, facts };
}

/** Every rule with its outcome. The calculation leaves out archived rules and those that were created later. */
function listCandidates(
  { facts, calculation }: CreditedOrder,
  history: RuleHistory,
  changed: ReadonlyMap<string, { version: number }>,
): z.input<typeof PreviewedLine>[] {
  const rules = allRulesAt(history, facts.at);
  return calculation.lines.flatMap(({ position, level }) => {
    const line = facts.lines.find((each) => each.position === position);
    const earner = level === 1 ? facts.affiliate : facts.upline;
    if (!line || !earner) return [];
    const { candidates } = chooseRule(line, earner, facts, rules, level);
    const isDraft = ({ ruleId, version }: Candidate) => version !== null && changed.get(ruleId ?? '')?.version === version;
    return [{ position, level, candidates: candidates.map((one) => ({ ...one, isDraft: isDraft(one) })) }];
  });
}
