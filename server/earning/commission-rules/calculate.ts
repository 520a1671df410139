// Calculates the commissions of an order: lines × rules × levels → cents, then the limits. Pure apart from advancing the
// running totals: the same inputs always return the same cents. Amounts are rounded once per commission; rounded parts
// are never added up.
import { AmountTooLarge, allocate, maxCents, multiplyCents, shareOf, sumOf, toPpm } from '../../platform/lib/money.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { type Candidate, type Choice, chooseRule, type commissionSources, type Source } from './choose-rule.ts';
import type { Earner, Line, OrderFacts } from './order-facts.ts';
import type { Metric, Period, Rule, Terms, Tier } from './terms.ts';

/** Why an amount is not simply rate × base, with the amount before and after. */
export type Limit = {
  by: 'tier' | 'minimum_per_order' | 'maximum_per_order' | 'budget' | 'program_cap';
  beforeCents: number;
  afterCents: number;
  /** The total of all commissions under this limit, and their number; this one receives its share. */
  totalCents: number;
  parts: number;
};

/** How an amount follows from the rate: rate percent of `ofCents`, or the flat rate times `times`. */
export type Formula =
  | { kind: 'percentage'; of: 'order' | 'commission'; ofCents: number; amountCents: number }
  | { kind: 'flat'; per: 'order' | 'unit'; times: number; amountCents: number };

/** A commission before it is recorded. Amounts in cents. */
export type Draft = {
  level: 1 | 2;
  affiliateId: string;
  source: (typeof commissionSources)[number];
  step: Source['step'] | 'imported';
  ruleId: string | null;
  ruleVersion: number | null;
  type: 'percentage' | 'flat';
  /** Percent, or cents; after tiers. */
  rate: number;
  positions: number[];
  productId: string | null;
  baseCents: number;
  amountCents: number;
  /** `amountCents` of the formula is the amount before limits. */
  formula: Formula;
  limits: Limit[];
  /** The first day of the budget period that it is spent from; null without a budget. */
  budgetStart: string | null;
};

export type LineDecision = { position: number; level: 1 | 2; candidates: Candidate[] };
/** `unpaid` are drafts of 0, by rate or by limit: they are not recorded but explained. */
export type Calculation = { drafts: Draft[]; unpaid: Draft[]; lines: LineDecision[]; capCents: number | null };

/**
 * What the commissions of an order were before it was increased. `facts` then has the added lines only, with the amount
 * that the conditions of rules were checked for; `totalCents` is the new amount of the order.
 */
export type Before = { drafts: readonly Draft[]; totalCents: number };

/** Calculates one order, or the lines added to one. Advances `running` for the next order, unless it throws AmountTooLarge. */
export function calculate(facts: OrderFacts, rules: readonly Rule[], running: RunningTotals, before?: Before): Calculation {
  const at = new Date(facts.at);
  const inputs = { rules, running, at, cart: facts.lines, before: before?.drafts ?? [] };
  const first = calculateLevel(facts, facts.affiliate, { ...inputs, level: 1, below: [] });
  const second = facts.upline ? calculateLevel(facts, facts.upline, { ...inputs, level: 2, below: first.drafts }) : noEarnings;
  const capCents = facts.capPercent === null ? null : shareOf(before?.totalCents ?? facts.amountCents, toPpm(facts.capPercent));
  const earnedCents = sumOf(inputs.before.map(({ amountCents }) => amountCents));
  const capped = applyCap([...first.drafts, ...second.drafts], capCents === null ? null : Math.max(0, capCents - earnedCents));
  if (capped.some(({ amountCents }) => amountCents > maxCents)) throw new AmountTooLarge('The commission of this order');
  const drafts = spendBudgets(capped, rules, { at, running });
  const ofFirst = drafts.filter(({ level }) => level === 1).map(({ amountCents }) => amountCents);
  countOrder(running, { affiliateId: facts.affiliate.id, at, amountCents: facts.amountCents, commissionCents: sumOf(ofFirst) });
  const [paid, unpaid] = [drafts.filter(({ amountCents }) => amountCents > 0), drafts.filter(({ amountCents }) => amountCents === 0)];
  return { drafts: paid, unpaid, lines: [...first.lines, ...second.lines], capCents };
}

type Level = {
  rules: readonly Rule[];
  running: RunningTotals;
  at: Date;
  cart: readonly Line[];
  level: 1 | 2;
  below: readonly Draft[];
  before: readonly Draft[];
};
type Earned = { drafts: Draft[]; lines: LineDecision[] };
const noEarnings: Earned = { drafts: [], lines: [] };

function calculateLevel(facts: OrderFacts, earner: Earner, level: Level): Earned {
  const choices = facts.lines.map((line) => ({ line, choice: chooseRule(line, earner, facts, level.rules, level.level) }));
  const drafts = [...groupBySource(choices)].flatMap(([source, lines]) =>
    applyLimits(createDrafts(source, lines, earner, level), source, level),
  );
  return {
    drafts,
    lines: choices.map(({ line, choice }) => ({ position: line.position, level: level.level, candidates: choice.candidates })),
  };
}

/** Groups lines by the rule that applies: its per-order amounts and limits cover all of them together. */
function groupBySource(choices: { line: Line; choice: Choice }[]): Map<Source, Line[]> {
  const groups = new Map<string, { source: Source; lines: Line[] }>();
  for (const { line, choice } of choices) {
    if (!choice.source) continue;
    const key = `${choice.source.step} ${choice.source.rule?.id ?? ''}`;
    const group = groups.get(key) ?? { source: choice.source, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  return new Map([...groups.values()].map(({ source, lines }) => [source, lines]));
}

/** The drafts of the same rule before the order was increased. */
function earlierOf({ rule, step }: Source, { before, level }: Level): Draft[] {
  return before.filter((one) => one.level === level && one.step === step && one.ruleId === (rule?.id ?? null));
}

function createDrafts(source: Source, lines: Line[], earner: Earner, inputs: Level): Draft[] {
  const { level, running, at, cart, below } = inputs;
  const { terms, rule, step } = source;
  const [earlier] = earlierOf(source, inputs);
  const tier = earlier ? null : findReachedTier(terms.tiers, earner.id, at, running);
  const rate = earlier?.rate ?? (terms.type === 'percentage' ? (tier?.rate ?? terms.rate) : (tier?.amountCents ?? terms.amountCents)) ?? 0;
  const draft = (of: Line[], formula: Formula): Draft => ({
    level,
    affiliateId: earner.id,
    source: step === 'coupon' || step === 'override' ? step : 'rule',
    step,
    ruleId: rule?.id ?? null,
    ruleVersion: rule?.version ?? null,
    type: terms.type,
    rate,
    positions: of.map(({ position }) => position),
    productId: of.length === 1 ? (of[0]?.productId ?? null) : null,
    baseCents: sumOf(of.map((line) => line.amountCents)),
    amountCents: formula.amountCents,
    formula,
    limits: tier ? [{ by: 'tier', beforeCents: 0, afterCents: 0, totalCents: 0, parts: 1 }] : [],
    budgetStart: null,
  });
  if (terms.basis === 'commission') return [draft(lines, percentageFormula('commission', sumLevel1(lines, cart, below), rate))];
  if (terms.type === 'percentage') return lines.map((line) => draft([line], percentageFormula('order', line.amountCents, rate)));
  if (terms.per === 'unit')
    return lines.map((line) =>
      draft([line], { kind: 'flat', per: 'unit', times: line.quantity, amountCents: multiplyCents(rate, line.quantity) }),
    );
  return [draft(lines, { kind: 'flat', per: 'order', times: earlier ? 0 : 1, amountCents: earlier ? 0 : rate })];
}

function percentageFormula(of: 'order' | 'commission', ofCents: number, rate: number): Formula {
  return { kind: 'percentage', of, ofCents, amountCents: shareOf(ofCents, toPpm(rate)) };
}

/** The level 1 commission of these lines. A commission of several lines is split once, so that no two rules share a cent. */
function sumLevel1(lines: readonly Line[], cart: readonly Line[], below: readonly Draft[]): number {
  const parts = below.flatMap(({ positions, amountCents }) => {
    const weights = positions.map((position) => cart.find((line) => line.position === position)?.amountCents ?? 0);
    const split = allocate(amountCents, weights);
    return split.filter((_, index) => lines.some(({ position }) => position === positions[index]));
  });
  return sumOf(parts);
}

/**
 * Applies the rule's minimum, maximum and budget to all of its drafts in this order. Added lines receive the difference
 * between the limited totals after and before the increase.
 */
function applyLimits(drafts: Draft[], source: Source, level: Level): Draft[] {
  const { terms, rule } = source;
  const { running, at } = level;
  let limitedDrafts = drafts;
  const total = () => sumOf(limitedDrafts.map(({ amountCents }) => amountCents));
  const earlier = earlierOf(source, level);
  const hadCents = sumOf(earlier.map(({ formula }) => formula.amountCents));
  const baseOf = (some: readonly Draft[]) => sumOf(some.map(({ baseCents }) => baseCents));
  const target = limitTotal(terms, hadCents + total(), baseOf([...earlier, ...drafts]) > 0);
  const addedCents = Math.max(0, target - limitTotal(terms, hadCents, baseOf(earlier) > 0));
  const by = addedCents < total() && target === terms.maxPerOrderCents ? 'maximum_per_order' : 'minimum_per_order';
  if (addedCents !== total()) limitedDrafts = distribute(limitedDrafts, addedCents, by);
  if (rule && terms.budgetCents !== null && terms.budgetPeriod !== null) {
    const left = Math.max(0, terms.budgetCents - (running.spent.get(budgetKey(rule.id, terms.budgetPeriod, at, running.timezone)) ?? 0));
    if (total() > left) limitedDrafts = distribute(limitedDrafts, left, 'budget');
  }
  return limitedDrafts;
}

/** The sum of all commissions under a rule in one order, after its minimum and maximum. */
function limitTotal({ minPerOrderCents, maxPerOrderCents }: Terms, cents: number, hasBase: boolean): number {
  return Math.min(Math.max(cents, hasBase ? (minPerOrderCents ?? 0) : 0), maxPerOrderCents ?? Number.MAX_SAFE_INTEGER);
}

/** Distributes a new total over the drafts by their amounts or, if these are all 0, by their base. */
function distribute(drafts: Draft[], totalCents: number, by: Limit['by']): Draft[] {
  const amounts = drafts.map(({ amountCents }) => amountCents);
  const parts = allocate(totalCents, sumOf(amounts) > 0 ? amounts : drafts.map(({ baseCents }) => baseCents));
  return drafts.map((draft, index) => {
    const afterCents = parts[index] ?? 0;
    const limit: Limit = { by, beforeCents: draft.amountCents, afterCents, totalCents, parts: drafts.length };
    return { ...draft, amountCents: afterCents, limits: [...draft.limits, limit] };
  });
}

/** Applies the program's cap to both levels: level 1 comes first, the upline receives the rest. */
function applyCap(drafts: Draft[], capCents: number | null): Draft[] {
  if (capCents === null) return drafts;
  let left = capCents;
  return ([1, 2] as const).flatMap((level) => {
    const levelDrafts = drafts.filter((draft) => draft.level === level);
    const total = sumOf(levelDrafts.map(({ amountCents }) => amountCents));
    const capped = total > left && levelDrafts.length > 0 ? distribute(levelDrafts, left, 'program_cap') : levelDrafts;
    left -= Math.min(total, left);
    return capped;
  });
}

/** Spends the drafts from the budgets in `running`, and stores the period that each was spent from. */
function spendBudgets(drafts: readonly Draft[], rules: readonly Rule[], { at, running }: { at: Date; running: RunningTotals }): Draft[] {
  return drafts.map((draft) => {
    const rule = rules.find(({ id }) => id === draft.ruleId);
    if (!rule?.terms.budgetPeriod) return draft;
    const key = budgetKey(rule.id, rule.terms.budgetPeriod, at, running.timezone);
    running.spent.set(key, (running.spent.get(key) ?? 0) + draft.amountCents);
    return { ...draft, budgetStart: key.split(' ')[1] ?? null };
  });
}

/**
 * The totals so far, for tiers and budgets, in periods of the program's time zone: `totals` by metricKey,
 * `spent` by budgetKey, and only for keys that a rule needs. Orders that are calculated together update it in turn.
 */
export type RunningTotals = { timezone: string; totals: Map<string, number>; spent: Map<string, number> };

export function createRunningTotals(timezone = 'UTC'): RunningTotals {
  return { timezone, totals: new Map(), spent: new Map() };
}

/** The first local day of the calendar period that contains `at`; 'total' has a single period. */
export function periodStart(at: Date, period: Period, timezone: string): string {
  const [year = 0, number = 1] = localDate(at, timezone).split('-').map(Number);
  const month = number - 1;
  const day = (monthIndex: number) => `${year}-${String(monthIndex + 1).padStart(2, '0')}-01`;
  switch (period) {
    case 'month':
      return day(month);
    case 'quarter':
      return day(month - (month % 3));
    case 'year':
      return day(0);
    case 'total':
      return '2000-01-01';
    default:
      return period satisfies never;
  }
}

type Counted = { metric: Metric; period: Period };

export function metricKey(affiliateId: string, { metric, period }: Counted, at: Date, timezone: string): string {
  return `${affiliateId} ${metric} ${period} ${periodStart(at, period, timezone)}`;
}

export function budgetKey(ruleId: string, period: Period, at: Date, timezone: string): string {
  return `${ruleId} ${periodStart(at, period, timezone)}`;
}

/** The highest tier that the affiliate has reached before this order, or null. */
export function findReachedTier(tiers: readonly Tier[], affiliateId: string, at: Date, running: RunningTotals): Tier | null {
  const [first] = tiers;
  if (!first) return null;
  const reached = running.totals.get(metricKey(affiliateId, first, at, running.timezone)) ?? 0;
  return tiers
    .filter(({ from }) => from <= reached)
    .reduce<Tier | null>((best, tier) => (best && best.from > tier.from ? best : tier), null);
}

/** Adds an order to the totals that its affiliate's tiers depend on. */
export function countOrder(
  running: RunningTotals,
  order: { affiliateId: string; at: Date; amountCents: number; commissionCents: number },
): void {
  const added: Record<Metric, number> = { conversions: 1, amountCents: order.amountCents, commissionCents: order.commissionCents };
  for (const metric of ['conversions', 'amountCents', 'commissionCents'] as const) {
    for (const period of ['month', 'quarter', 'year', 'total'] as const) {
      const key = metricKey(order.affiliateId, { metric, period }, order.at, running.timezone);
      const total = running.totals.get(key);
      if (total !== undefined) running.totals.set(key, total + added[metric]);
    }
  }
}
