// A calculation in words that a person reads: what was paid for what, by which rule, and what limited it.
import { formatCents } from '../../platform/lib/money.ts';
import type { Calculation, Draft, Limit } from './calculate.ts';
import type { OrderFacts } from './facts.ts';
import type { Outcome, Step, Tried } from './ladder.ts';

/** Which step of the ladder something stands on. */
export const stepWords: Record<Step, string> = {
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
  default: 'rule for everybody',
};

const outcomeWords: Record<Outcome, string> = {
  won: 'paid',
  outranked: 'a more specific rule comes first',
  archived: 'it is archived',
  affiliate_not_active: 'the affiliate is not active',
  not_yet_effective: 'it was not effective yet',
  no_longer_effective: 'it was no longer effective',
  other_product: 'it is for another product',
  other_category: 'it is for another category',
  other_group: 'it is for another group',
  other_affiliate: 'it is for another affiliate',
  coupon_order: 'it excludes orders with a coupon',
  not_the_first_order: "it pays only for a customer's first order",
  the_first_order: "it pays only for a customer's later orders",
  customer_unknown: 'the order does not say whether the customer is new',
  duration_over: 'its months since the first order are over',
  occurrences_used: 'it has paid its number of orders for this customer',
  condition_country: 'its condition on the country does not hold',
  condition_newCustomer: 'its condition on new customers does not hold',
  condition_couponUsed: 'its condition on coupons does not hold',
  condition_orderAmountCents: "its condition on the order's amount does not hold",
};

const limitWords: Record<Exclude<Limit['by'], 'tier'>, [verb: string, limit: string]> = {
  minimum_per_order: ['raised', 'the minimum per order'],
  maximum_per_order: ['lowered', 'the maximum per order'],
  budget: ['lowered', "what was left of the rule's budget"],
  program_cap: ['lowered', "what was left of the program's cap"],
};

/**
 * One sentence for each commission, also for one that came to 0, and one for each line that no rule pays for.
 * Each adds up as written: the amount in it times the rate in it is the first result, each limit gives the next.
 */
export function explainCalculation(
  facts: OrderFacts,
  { drafts, unpaid, lines }: Pick<Calculation, 'drafts' | 'unpaid' | 'lines'>,
  currency: string,
): string[] {
  const calculated = [...drafts, ...unpaid];
  const earned = calculated.map((draft) => sentence(facts, draft, ruleName(lines, draft), currency));
  const paidFor = new Set(calculated.filter(({ level }) => level === 1).flatMap(({ positions }) => positions));
  const uncovered = facts.lines
    .filter(({ position }) => !paidFor.has(position))
    .map(
      (line) =>
        `${lineName(facts, [line.position])} (${formatCents(line.amountCents, currency)}) earns nothing: ${nothingBecause(lines, line.position)}.`,
    );
  return [...earned, ...uncovered];
}

function sentence(facts: OrderFacts, draft: Draft, name: string, currency: string): string {
  const who = draft.level === 1 ? '' : ' for the upline';
  const by = draft.source === 'rule' ? `by “${name}” (${stepWords[draft.step]})` : `by ${stepWords[draft.step]}`;
  const what = `${lineName(facts, draft.positions)} (${formatCents(draft.baseCents, currency)})`;
  const tier = draft.limits.some((limit) => limit.by === 'tier') ? ', at the rate of the tier that was reached' : '';
  const limits = draft.limits.map((limit) => limitSentence(limit, currency)).join('');
  return `${what}: ${formulaWords(draft, currency)}${who} ${by}${tier} = ${formatCents(draft.formula.amountCents, currency)}${limits}.`;
}

function formulaWords({ formula, rate }: Draft, currency: string): string {
  if (formula.kind === 'percentage') {
    return formula.of === 'order' ? `${rate} %` : `${rate} % of the level 1 commission of ${formatCents(formula.ofCents, currency)}`;
  }
  return formula.per === 'unit' ? `${formula.times} × ${formatCents(rate, currency)}` : `${formatCents(rate, currency)} flat`;
}

function limitSentence({ by, totalCents, parts, afterCents }: Limit, currency: string): string {
  if (by === 'tier') return '';
  const [verb, limit] = limitWords[by];
  const share = parts > 1 ? 'its share of ' : '';
  return `, ${verb} to ${share}${limit} (${formatCents(totalCents, currency)}) = ${formatCents(afterCents, currency)}`;
}

function lineName({ lines }: OrderFacts, positions: readonly number[]): string {
  if (positions.length === lines.length) return 'The order';
  const named = lines.filter(({ position }) => positions.includes(position));
  return named.map(({ name, position }) => name ?? `Line ${position + 1}`).join(' and ');
}

function ruleName(lines: Calculation['lines'], { level, positions }: Draft): string {
  const line = lines.find((one) => one.level === level && one.position === positions[0]);
  return line?.tried.find(({ outcome }) => outcome === 'won')?.name ?? '';
}

function nothingBecause(lines: Calculation['lines'], position: number): string {
  const tried = lines.find((line) => line.level === 1 && line.position === position)?.tried ?? [];
  if (tried.length === 0) return 'no rule is for it';
  return tried.map(triedWords).join('; ');
}

/** "“Summer” lost: it was no longer effective". */
export function triedWords({ name, outcome }: Tried): string {
  return outcome === 'won' ? `“${name}” pays` : `“${name}” lost: ${outcomeWords[outcome]}`;
}
