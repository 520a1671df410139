// Explains a calculation in sentences: the amount earned for each line, by which rule, and which limits applied.
import { formatCents } from '../../platform/lib/currency.ts';
import type { Calculation, Draft, Limit } from './calculate.ts';
import type { Candidate, Outcome, Step } from './choose-rule.ts';
import type { OrderFacts } from './order-facts.ts';

/** Names of the steps, for sentences. */
export const stepNames: Record<Step | 'imported', string> = {
  affiliate_product: 'rule for this affiliate and product',
  group_product: 'rule for this group and product',
  product: 'product rule',
  affiliate_category: 'rule for this affiliate and category',
  group_category: 'rule for this group and category',
  category: 'category rule',
  coupon: "the coupon's own rate",
  override: "the affiliate's override",
  affiliate: 'affiliate rule',
  group: 'group rule',
  default: 'default rule',
  imported: 'the system that the program used before',
};

const outcomeReasons: Record<Outcome, string> = {
  applied: 'it applies',
  outranked: 'a more specific rule comes first',
  archived: 'it is archived',
  affiliate_not_active: 'the affiliate is not active',
  not_yet_effective: 'it was not effective yet',
  no_longer_effective: 'it was no longer effective',
  other_product: 'it is for another product',
  other_category: 'it is for another category',
  other_group: 'it is for another group',
  other_affiliate: 'it is for another affiliate',
  coupon_order_excluded: 'it excludes orders with a coupon',
  not_first_order: "it applies only to a customer's first order",
  not_subsequent_order: "it applies only to a customer's later orders",
  customer_unknown: 'the order does not state whether the customer is new',
  duration_ended: "its duration since the customer's first order has ended",
  max_occurrences_reached: 'its maximum number of orders for this customer has been reached',
  country_condition: 'its country condition is not met',
  new_customer_condition: 'its new customer condition is not met',
  coupon_condition: 'its coupon condition is not met',
  order_amount_condition: 'its order amount condition is not met',
};

const limitNames: Record<Exclude<Limit['by'], 'tier'>, [verb: string, limit: string]> = {
  minimum_per_order: ['raised', 'the minimum per order'],
  maximum_per_order: ['lowered', 'the maximum per order'],
  budget: ['lowered', 'the remaining budget of the rule'],
  program_cap: ['lowered', 'the remaining cap of the program'],
};

/**
 * One sentence for each commission, including those of 0, and one for each line to which no rule applies. Each can be
 * recomputed as written: amount times rate is the first result, and each limit leads to the next.
 */
export function explainCalculation(
  facts: OrderFacts,
  { drafts, unpaid, lines }: Pick<Calculation, 'drafts' | 'unpaid' | 'lines'>,
  currency: string,
): string[] {
  const calculated = [...drafts, ...unpaid];
  const earned = calculated.map((draft) => describeDraft(facts, draft, ruleName(lines, draft), currency));
  const paidFor = new Set(calculated.filter(({ level }) => level === 1).flatMap(({ positions }) => positions));
  if (facts.event === 'lead') return earned.length > 0 ? earned : ['The lead earns nothing: no rule for leads applies to this affiliate.'];
  const uncovered = facts.lines
    .filter(({ position }) => !paidFor.has(position))
    .map(
      (line) =>
        `${lineName(facts, [line.position])} (${formatCents(line.amountCents, currency)}) earns nothing: ${describeMissing(lines, line.position)}.`,
    );
  return [...earned, ...uncovered];
}

function describeDraft(facts: OrderFacts, draft: Draft, name: string, currency: string): string {
  const upline = draft.level === 1 ? '' : ' for the upline';
  const by = draft.source === 'rule' ? `by “${name}” (${stepNames[draft.step]})` : `by ${stepNames[draft.step]}`;
  const subject = facts.event === 'lead' ? 'The lead' : `${lineName(facts, draft.positions)} (${formatCents(draft.baseCents, currency)})`;
  const tier = draft.limits.some((limit) => limit.by === 'tier') ? ', at the tier rate that was reached' : '';
  const limits = draft.limits.map((limit) => describeLimit(limit, currency)).join('');
  return `${subject}: ${describeFormula(draft, currency)}${upline} ${by}${tier} = ${formatCents(draft.formula.amountCents, currency)}${limits}.`;
}

function describeFormula({ formula, rate }: Draft, currency: string): string {
  if (formula.kind === 'percentage') {
    return formula.of === 'order' ? `${rate}%` : `${rate}% of the level 1 commission of ${formatCents(formula.ofCents, currency)}`;
  }
  return formula.per === 'unit' ? `${formula.times} × ${formatCents(rate, currency)}` : `${formatCents(rate, currency)} flat`;
}

function describeLimit({ by, totalCents, parts, afterCents }: Limit, currency: string): string {
  if (by === 'tier') return '';
  const [verb, limit] = limitNames[by];
  const share = parts > 1 ? 'its share of ' : '';
  return `, ${verb} to ${share}${limit} (${formatCents(totalCents, currency)}) = ${formatCents(afterCents, currency)}`;
}

function lineName({ lines }: OrderFacts, positions: readonly number[]): string {
  if (positions.length === lines.length) return 'The order';
  const named = lines.filter(({ position }) => positions.includes(position));
  return named.map(({ name, position }) => name ?? `Line ${position + 1}`).join(' and ');
}

function ruleName(lines: Calculation['lines'], { level, positions }: Draft): string {
  const line = lines.find((decision) => decision.level === level && decision.position === positions[0]);
  return line?.candidates.find(({ outcome }) => outcome === 'applied')?.name ?? '';
}

function describeMissing(lines: Calculation['lines'], position: number): string {
  const candidates = lines.find((line) => line.level === 1 && line.position === position)?.candidates ?? [];
  if (candidates.length === 0) return 'no rule matches it';
  return candidates.map(describeCandidate).join('; ');
}

/** "“Summer” does not apply: it was no longer effective". */
export function describeCandidate({ name, outcome }: Candidate): string {
  return outcome === 'applied' ? `“${name}” applies` : `“${name}” does not apply: ${outcomeReasons[outcome]}`;
}
