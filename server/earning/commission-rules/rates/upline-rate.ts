// What an upline earns for the orders of its downline: the rule of level 2 that applies to an order of no particular product
// and customer, or otherwise the one that would without its conditions.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { centsOut, countOut } from '../../../platform/http/declaration/fields.ts';
import { chooseRule, findEarnerExclusion, findTimeExclusion, rulesAt } from '../choose-rule.ts';
import { loadRunningTotals, loadWholeHistory } from '../load.ts';
import { type Earner, toItemFacts, toLeadFacts } from '../order-facts.ts';
import { getEarner } from '../resolve.ts';
import type { Rule, Terms } from '../terms.ts';
import { describeTiers } from './tier-progress.ts';

export const UplineRate = z
  .object({
    type: z.enum(['percentage', 'flat']),
    rate: z.number().nullable().describe('In percent, at the tier that the affiliate has reached.'),
    amountCents: centsOut.nullable().describe('For type `flat`.'),
    per: z.enum(['order', 'unit']),
    basis: z.enum(['order', 'commission']).describe('Percent of the order, or of the commission that the other affiliate earns for it.'),
    trigger: z.enum(['every', 'first', 'subsequent']).describe("Which of a customer's orders count."),
    durationMonths: countOut.nullable().describe("How many months after a customer's first order count; null without a limit."),
    isLimited: z.boolean().describe('Whether further terms, such as a maximum or a condition, limit it.'),
  })
  .meta({
    id: 'UplineRate',
    example: {
      type: 'percentage',
      rate: 2,
      amountCents: null,
      per: 'order',
      basis: 'order',
      trigger: 'every',
      durationMonths: null,
      isLimited: false,
    },
  });

export type UplineRates = {
  /** For orders; null if only rules of products or categories pay, or rules for leads. */
  order: z.input<typeof UplineRate> | null;
  /** Whether other rules pay for some orders. */
  hasOtherRates: boolean;
  /** For a lead; null if no rule pays for leads. */
  leadCents: number | null;
};

/** What this affiliate earns as an upline now. Budgets are not considered. */
export async function readUplineRates(ctx: Context, programId: string, affiliateId: string): Promise<UplineRates> {
  const at = ctx.clock.now();
  const now = at.toISOString();
  const { earner } = await getEarner(ctx, programId, { id: affiliateId, at, level: 2 });
  const rules = rulesAt(await loadWholeHistory(ctx, programId, at), now).filter((rule) => canPay(rule, earner, now));
  const order = toItemFacts({ productId: null, category: null, amountCents: 10_000 }, earner, now);
  const chosen = choose(order, earner, rules) ?? choose(order, earner, rules.map(withoutConditions));
  const terms = rules.find(({ id }) => id === chosen?.id)?.terms;
  const running = await loadRunningTotals(ctx, programId, [order], { rules });
  const tier = terms && describeTiers(terms, { affiliateId, at, running })?.current;
  return {
    order: terms ? toUplineRate({ ...terms, rate: tier?.rate ?? terms.rate, amountCents: tier?.amountCents ?? terms.amountCents }) : null,
    hasOtherRates: rules.some(({ id, terms: { event } }) => event === 'sale' && id !== chosen?.id),
    leadCents: choose(toLeadFacts(earner, now), earner, rules)?.terms.amountCents ?? null,
  };
}

/** Whether a rule can pay this upline at that time, for some order. */
function canPay(rule: Rule, earner: Earner, at: string): boolean {
  return rule.level === 2 && findTimeExclusion(rule, at) === null && findEarnerExclusion(rule, earner) === null;
}

function choose(facts: ReturnType<typeof toItemFacts>, earner: Earner, rules: readonly Rule[]): Rule | null {
  const [line] = facts.lines;
  return line ? (chooseRule(line, earner, facts, rules, 2).source?.rule ?? null) : null;
}

function withoutConditions(rule: Rule): Rule {
  return { ...rule, terms: { ...rule.terms, trigger: 'every', conditions: [], maxOccurrences: null } };
}

function toUplineRate(terms: Terms): z.input<typeof UplineRate> {
  const { type, rate, amountCents, per, basis, trigger, durationMonths, conditions, excludeCouponOrders } = terms;
  const limits = [terms.maxOccurrences, terms.minPerOrderCents, terms.maxPerOrderCents, terms.budgetCents];
  const isLimited = conditions.length > 0 || excludeCouponOrders || terms.tiers.length > 0 || limits.some((limit) => limit !== null);
  const isPercentage = type === 'percentage';
  const amount = { rate: isPercentage ? rate : null, amountCents: isPercentage ? null : amountCents };
  return { type, ...amount, per, basis, trigger, durationMonths, isLimited };
}
