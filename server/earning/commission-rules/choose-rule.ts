// Chooses the rule that applies to a line of an order: candidates are considered from the most to the least specific
// step, and the first one that isn't excluded applies. Product and category rules depend on a product's margin, so they
// take precedence over an affiliate's override (Contract §2.3). Orders that are reported late, in a batch or through a
// claim use the rule versions that were valid when they occurred, even if these have been archived since.
import type { CommissionRate, Earner, Line, OrderFacts } from './order-facts.ts';
import type { Rule } from './terms.ts';
import { type Condition, Terms } from './terms.ts';

export const steps = [
  'affiliate_product',
  'group_product',
  'product',
  'affiliate_category',
  'group_category',
  'category',
  'coupon',
  'override',
  'affiliate',
  'group',
  'default',
] as const;
export type Step = (typeof steps)[number];

/** Where the amount of a commission comes from; `imported`: from the system that the program used before. */
export const commissionSources = ['rule', 'override', 'coupon', 'imported'] as const;

/** The source of a commission: a rule, the coupon's own rate or the affiliate's override. */
export type Source = { step: Step; rule: Rule | null; terms: Terms };

/** Why a candidate doesn't apply, or `applied`. */
export const outcomes = [
  'applied',
  'outranked',
  'archived',
  'affiliate_not_active',
  'not_yet_effective',
  'no_longer_effective',
  'other_product',
  'other_category',
  'other_group',
  'other_affiliate',
  'coupon_order_excluded',
  'not_first_order',
  'not_subsequent_order',
  'customer_unknown',
  'duration_ended',
  'max_occurrences_reached',
  'country_condition',
  'new_customer_condition',
  'coupon_condition',
  'order_amount_condition',
] as const;
export type Outcome = (typeof outcomes)[number];

export type Candidate = { step: Step; ruleId: string | null; version: number | null; name: string; outcome: Outcome };
export type Choice = { source: Source | null; candidates: Candidate[] };

/** Considers every candidate for one line and one level, in order of precedence. Pure. */
export function chooseRule(line: Line, earner: Earner, facts: OrderFacts, rules: readonly Rule[], level: 1 | 2): Choice {
  let source: Source | null = null;
  const considered = listSources(earner, facts, rules, level).map((candidate): Candidate => {
    const { step, rule } = candidate;
    const exclusion = rule ? findExclusion(rule, line, earner, facts) : step === 'coupon' ? findCouponExclusion(line, facts) : null;
    const outcome = exclusion ?? (source ? 'outranked' : 'applied');
    if (outcome === 'applied') source = candidate;
    return {
      step,
      ruleId: rule?.id ?? null,
      version: rule?.version ?? null,
      name: rule?.name ?? (step === 'coupon' ? 'Coupon' : 'Override'),
      outcome,
    };
  });
  return { source, candidates: considered };
}

/** The candidates of lines as they are stored: rules for other lines are omitted. */
export function toStoredLines<Line extends { candidates: readonly Candidate[] }>(lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, candidates: line.candidates.filter(({ outcome }) => !outcome.startsWith('other_')) }));
}

function listSources(earner: Earner, facts: OrderFacts, rules: readonly Rule[], level: 1 | 2): Source[] {
  const { event = 'sale' } = facts;
  const eligible = rules.filter((rule) => rule.level === level && rule.terms.event === event);
  const fromRules = eligible.map((rule): Source => ({ step: toStep(rule), rule, terms: rule.terms }));
  if (event === 'lead') return fromRules.sort(compare);
  const personal: Source[] = [];
  if (level === 1 && facts.coupon?.pay) personal.push({ step: 'coupon', rule: null, terms: toTerms(facts.coupon.pay) });
  if (level === 1 && earner.override) personal.push({ step: 'override', rule: null, terms: toTerms(earner.override) });
  return [...fromRules, ...personal].sort(compare);
}

/** By step; within a step the rule with more conditions, then the later one comes first. */
function compare(a: Source, b: Source): number {
  const byStep = steps.indexOf(a.step) - steps.indexOf(b.step);
  if (byStep !== 0 || !a.rule || !b.rule) return byStep;
  const byConditions = b.terms.conditions.length - a.terms.conditions.length;
  const byTime = (b.rule.effectiveFrom ?? '').localeCompare(a.rule.effectiveFrom ?? '');
  return byConditions || byTime || b.rule.id.localeCompare(a.rule.id);
}

export function toStep({
  productId,
  category,
  groupId,
  affiliateId,
}: Pick<Rule, 'productId' | 'category' | 'groupId' | 'affiliateId'>): Step {
  const item = productId ? 'product' : category ? 'category' : null;
  const person = affiliateId ? 'affiliate' : groupId ? 'group' : null;
  if (item === null) return person ?? 'default';
  return person ? `${person}_${item}` : item;
}

/** The terms of a coupon's own rate or an override: every order; a flat amount once per order. */
function toTerms({ type, rate }: CommissionRate): Terms {
  return Terms.parse({ type, rate: type === 'percentage' ? rate : null, amountCents: type === 'flat' ? rate : null });
}

function findExclusion(rule: Rule, line: Line, earner: Earner, facts: OrderFacts): Outcome | null {
  return (
    findTimeExclusion(rule, facts.at) ??
    findItemExclusion(rule, line) ??
    findEarnerExclusion(rule, earner) ??
    findCouponOrderExclusion(rule.terms, facts) ??
    findCustomerExclusion(rule.terms, facts) ??
    findConditionExclusion(rule.terms, facts)
  );
}

/** Whether a rule is archived or not in effect at a time (ISO 8601). */
export function findTimeExclusion({ isArchived, effectiveFrom, effectiveTo }: Rule, at: string): Outcome | null {
  if (isArchived) return 'archived';
  if (effectiveFrom !== null && effectiveFrom > at) return 'not_yet_effective';
  return effectiveTo !== null && effectiveTo <= at ? 'no_longer_effective' : null;
}

function findItemExclusion({ productId, category }: Rule, line: Line): Outcome | null {
  if (productId !== null && productId !== line.productId) return 'other_product';
  return category !== null && category.toLowerCase() !== line.category?.toLowerCase() ? 'other_category' : null;
}

/** Whether a rule is for another affiliate or group. */
export function findEarnerExclusion({ affiliateId, groupId }: Rule, earner: Earner): Outcome | null {
  if (affiliateId !== null && affiliateId !== earner.id) return 'other_affiliate';
  return groupId !== null && groupId !== earner.groupId ? 'other_group' : null;
}

function findCouponOrderExclusion({ excludeCouponOrders }: Terms, { coupon }: OrderFacts): Outcome | null {
  return excludeCouponOrders && coupon ? 'coupon_order_excluded' : null;
}

/** A coupon that is limited to products applies its own rate to their lines only. */
function findCouponExclusion({ productId }: Line, { coupon }: OrderFacts): Outcome | null {
  if (!coupon || coupon.productIds.length === 0) return null;
  return productId !== null && coupon.productIds.includes(productId) ? null : 'other_product';
}

/** Trigger, duration and number of orders. Limits per customer don't apply to an order without a customer. */
function findCustomerExclusion({ trigger, durationMonths, maxOccurrences }: Terms, facts: OrderFacts): Outcome | null {
  const { customer, at } = facts;
  const isFirst = isFirstOrder(facts);
  if (trigger !== 'every' && isFirst === null) return 'customer_unknown';
  if (trigger === 'first' && !isFirst) return 'not_first_order';
  if (trigger === 'subsequent' && isFirst) return 'not_subsequent_order';
  if (maxOccurrences !== null && ordersBefore(facts) >= maxOccurrences) return 'max_occurrences_reached';
  if (durationMonths !== null && customer?.since && new Date(at) >= monthsAfter(new Date(customer.since), durationMonths))
    return 'duration_ended';
  return null;
}

/**
 * Whether an order is the first of its customer; null when that is unknown. A later payment of a subscription and an
 * order of a customer who is not new never are. Without a customer, `isNew` decides, then the subscription's sequence.
 */
function isFirstOrder({ customer, isNewCustomer, sequence }: OrderFacts): boolean | null {
  if ((sequence ?? 1) > 1 || isNewCustomer === false) return false;
  if (customer) return customer.orders === 0;
  return isNewCustomer === true || sequence === 1 ? true : null;
}

/** The credited orders of the customer, or the earlier payments of the subscription where these are more. */
function ordersBefore({ customer, sequence }: OrderFacts): number {
  return Math.max(customer?.orders ?? 0, (sequence ?? 1) - 1);
}

/** The same day a number of months later, or the last day of a shorter month. */
export function monthsAfter(from: Date, months: number): Date {
  const day = from.getUTCDate();
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, lastDay));
  return moved;
}

const conditionOutcomes = {
  country: 'country_condition',
  newCustomer: 'new_customer_condition',
  couponUsed: 'coupon_condition',
  orderAmountCents: 'order_amount_condition',
} as const satisfies Record<Condition['field'], Outcome>;

function findConditionExclusion({ conditions }: Terms, facts: OrderFacts): Outcome | null {
  const failed = conditions.find((condition) => !isMet(condition, facts));
  return failed ? conditionOutcomes[failed.field] : null;
}

function isMet(condition: Condition, facts: OrderFacts): boolean {
  switch (condition.field) {
    case 'country':
      return facts.country !== null && condition.value.includes(facts.country) === (condition.operator === 'in');
    case 'newCustomer':
      return (facts.isNewCustomer ?? isFirstOrder(facts)) === condition.value;
    case 'couponUsed':
      return (facts.coupon !== null) === condition.value;
    case 'orderAmountCents':
      return facts.amountCents >= condition.value === (condition.operator === 'at_least');
    default:
      return condition satisfies never;
  }
}

/** `validFrom` is ISO 8601; null when the version is valid for every order that the history was loaded for. */
export type RuleVersion = Rule & { validFrom: string | null };

export type RuleHistory = {
  /** By rule id, the highest version first. */
  versions: ReadonlyMap<string, readonly RuleVersion[]>;
  /**
   * Orders from before `firstRuleAt` are calculated as of `from`: the program was still being set up, and
   * history that is imported should not depend on the second in which each rule was created.
   */
  beginning: { firstRuleAt: string; from: string } | null;
};

/** The rules that could apply to an order at that time (ISO 8601). */
export function rulesAt(history: RuleHistory, at: string): Rule[] {
  const moment = toEffectiveTime(history, at);
  return [...history.versions.values()].flatMap((versions) => {
    const valid = validVersion(versions, moment);
    return valid && !valid.isArchived ? [valid] : [];
  });
}

/** Includes archived rules, and rules created later as not yet effective, to explain why they don't apply. */
export function allRulesAt(history: RuleHistory, at: string): Rule[] {
  const moment = toEffectiveTime(history, at);
  return [...history.versions.values()].flatMap((versions) => {
    const first = versions.at(-1);
    return validVersion(versions, moment) ?? (first ? [{ ...first, effectiveFrom: first.validFrom }] : []);
  });
}

/** Every version, for loading the totals of their tiers and budgets. */
export function allVersions({ versions }: RuleHistory): RuleVersion[] {
  return [...versions.values()].flat();
}

/** A history in which the rules never changed. */
export function unchangedRules(rules: readonly Rule[]): RuleHistory {
  return { versions: new Map(rules.map((rule) => [rule.id, [{ ...rule, validFrom: null }]])), beginning: null };
}

function toEffectiveTime({ beginning }: RuleHistory, at: string): string {
  return beginning && at < beginning.firstRuleAt ? beginning.from : at;
}

function validVersion(versions: readonly RuleVersion[], moment: string): RuleVersion | null {
  return versions.find(({ validFrom }) => validFrom === null || validFrom <= moment) ?? null;
}
