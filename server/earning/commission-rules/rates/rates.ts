// What an affiliate earns: the rule that applies to each product they may promote, and to anything else, with an example.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { affiliateSlot } from '../../../partners/affiliates/affiliate.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, page, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { formatCents } from '../../../platform/lib/currency.ts';
import { sumOf } from '../../../platform/lib/money.ts';
import { findPromotable } from '../../../promotion/catalogue/promotable.ts';
import { calculate, createRunningTotals, type RunningTotals } from '../calculate.ts';
import { chooseRule, type RuleHistory, rulesAt, type Source, steps } from '../choose-rule.ts';
import { stepNames } from '../explain.ts';
import { loadRunningTotals, loadWholeHistory } from '../load.ts';
import { type Earner, type Item, toItemFacts } from '../order-facts.ts';
import { getEarner } from '../resolve.ts';
import { findLeadRate, LeadRate } from './lead-rate.ts';
import { describeTiers, type Progress } from './tier-progress.ts';

const Rate = z
  .object({
    step: z.enum(steps).nullable().describe('The kind of rule that applies; null if none does.'),
    ruleId: uuidOut.nullable(),
    ruleName: z.string().nullable(),
    type: z.enum(['percentage', 'flat']).nullable(),
    rate: z.number().nullable().describe('In percent; for type `percentage`.'),
    amountCents: centsOut.nullable().describe('For type `flat`.'),
    per: z.enum(['order', 'unit']).nullable(),
    outranksOverride: z.boolean().describe("Whether the rule takes precedence over the affiliate's override."),
    sentence: z.string(),
    exampleOrderCents: centsOut.describe('The amount of the order in the example.'),
    exampleCents: centsOut.describe('What the affiliate earns for it.'),
  })
  .meta({ id: 'AffiliateRate' });

const rateExample = {
  step: 'default' as const,
  ruleId: '01980a52-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  ruleName: 'Standard',
  type: 'percentage' as const,
  rate: 10,
  amountCents: null,
  per: 'order' as const,
  outranksOverride: false,
  sentence: '10% by “Standard” (default rule): $10.00 of an order of $100.00.',
  exampleOrderCents: 10_000,
  exampleCents: 1_000,
};

const ProductRate = z
  .object({ productId: uuidOut, name: z.string(), category: z.string().nullable(), priceCents: centsOut, rate: Rate })
  .meta({ id: 'ProductRate' });

const Rates = z
  .object({
    affiliateId: uuidOut,
    currency: currencyOut,
    anythingElse: Rate.describe('For products that no specific rule covers, with an example order of 100 units of the currency.'),
    lead: LeadRate.nullable().describe('What a lead earns; null if no rule pays for leads.'),
    products: z.array(ProductRate).describe('The products that the affiliate may promote.'),
    total: countOut.describe('How many products the affiliate may promote.'),
  })
  .meta({
    id: 'AffiliateRates',
    example: {
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      currency: 'USD',
      anythingElse: rateExample,
      lead: null,
      products: [],
      total: 0,
    },
  });

const exampleOrderCents = 10_000;

export const listRates = endpoint({
  id: 'affiliates.rates',
  route: 'GET /v1/programs/:programId/affiliates/:id/rates',
  scope: 'read',
  tag: 'Commission rules',
  summary: "List an affiliate's rates",
  description:
    'Returns the rule that applies now to each product that the affiliate may promote, to anything else, and to leads, with an example. ' +
    'Conditions on the customer and the order, tiers and budgets are not considered.',
  path: { id: affiliateSlot },
  query: z.object({ productId: uuid.optional(), ...page }),
  statuses: [200],
  result: Rates,
  handle: (ctx, { actor: { programId, currency }, params: { id }, query }) => readRates(ctx, { programId, currency, id }, query),
});

type RatesQuery = { productId?: string | undefined; limit: number; offset: number };

/** What the rate card of the portal adds to a rate. */
type Detail = { tiers: Progress | null; validUntil: string | null };
type DetailedRate = z.input<typeof Rate> & Detail;
type DetailedRates = Omit<z.input<typeof Rates>, 'anythingElse' | 'products'> & {
  anythingElse: DetailedRate;
  products: (Omit<z.input<typeof ProductRate>, 'rate'> & { rate: DetailedRate })[];
};

/** The rates of an affiliate, with a page of the products. `countsTiers`: examples use the tier that the affiliate has reached. */
export async function readRates(
  ctx: Context,
  { programId, currency, id }: { programId: string; currency: string; id: string },
  { productId: onlyId, limit, offset }: RatesQuery,
  { countsTiers = false } = {},
): Promise<DetailedRates> {
  const at = ctx.clock.now();
  const { earner } = await getEarner(ctx, programId, { id, at, level: 1 });
  const history = await loadWholeHistory(ctx, programId, at);
  const running = countsTiers ? await readTierTotals(ctx, programId, { earner, history, at: at.toISOString() }) : createRunningTotals();
  const toRate = createRates({ earner, history, at: at.toISOString(), currency }, running);
  const products = await findPromotable(ctx, { programId, groupId: earner.groupId }, onlyId === undefined ? undefined : [onlyId]);
  const shown = products.slice(offset, offset + limit);
  return {
    affiliateId: id,
    currency,
    lead: findLeadRate({ earner, history, at: at.toISOString(), currency }),
    anythingElse: toRate({ productId: null, category: null, amountCents: exampleOrderCents }),
    products: shown.map(({ id: productId, name, category, priceCents }) => ({
      productId,
      name,
      category,
      priceCents,
      rate: toRate({ productId, category, amountCents: priceCents }),
    })),
    total: products.length,
  };
}

type Subject = { earner: Earner; history: RuleHistory; at: string; currency: string };

/** The totals that decide about the affiliate's tiers now. Budgets are not considered. */
async function readTierTotals(ctx: Context, programId: string, { earner, history, at }: Omit<Subject, 'currency'>): Promise<RunningTotals> {
  const order = toItemFacts({ productId: null, category: null, amountCents: exampleOrderCents }, earner, at);
  const { timezone, totals } = await loadRunningTotals(ctx, programId, [order], { rules: rulesAt(history, at) });
  return { timezone, totals, spent: new Map() };
}

/** Returns the rate of an item for this affiliate. */
function createRates({ earner, history, at, currency }: Subject, running: RunningTotals): (item: Item) => DetailedRate {
  const rules = rulesAt(history, at);
  return (item) => {
    const facts = toItemFacts(item, earner, at);
    const [line] = facts.lines;
    if (!line) throw new Error('An order of one item has no line.');
    const { source, candidates } = chooseRule(line, earner, facts, rules, 1);
    // Every example is the affiliate's next order.
    const { drafts } = calculate(facts, rules, { timezone: running.timezone, totals: new Map(running.totals), spent: new Map() });
    const exampleCents = sumOf(drafts.map(({ amountCents }) => amountCents));
    const outranksOverride = candidates.some(({ step, outcome }) => step === 'override' && outcome === 'outranked');
    return {
      ...describeSource(source),
      outranksOverride,
      sentence: describe(source, { currency, exampleCents, orderCents: item.amountCents }),
      exampleOrderCents: item.amountCents,
      exampleCents,
      tiers: source ? describeTiers(source.terms, { affiliateId: earner.id, at: new Date(at), running }) : null,
      validUntil: source?.rule?.effectiveTo ?? null,
    };
  };
}

function describeSource(source: Source | null) {
  if (!source) return { step: null, ruleId: null, ruleName: null, type: null, rate: null, amountCents: null, per: null };
  const { step, rule, terms } = source;
  return {
    step,
    ruleId: rule?.id ?? null,
    ruleName: rule?.name ?? null,
    type: terms.type,
    rate: terms.type === 'percentage' ? terms.rate : null,
    amountCents: terms.type === 'flat' ? terms.amountCents : null,
    per: terms.per,
  };
}

type Example = { currency: string; exampleCents: number; orderCents: number };

function describe(source: Source | null, { currency, exampleCents, orderCents }: Example): string {
  if (!source) return 'No rule applies: the commission is 0.';
  const { step, rule, terms } = source;
  const amount = terms.type === 'percentage' ? `${terms.rate}%` : `${formatCents(terms.amountCents ?? 0, currency)} per ${terms.per}`;
  const by = rule ? `“${rule.name}” (${stepNames[step]})` : stepNames[step];
  return `${amount} by ${by}: ${formatCents(exampleCents, currency)} of an order of ${formatCents(orderCents, currency)}.`;
}
