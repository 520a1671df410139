// The form of a commission rule and the request it becomes. Pure.
import type { Result } from '../../../api/call.ts';
import { addDays, dayOf, startOfDay } from '../../../ui/figures/days.ts';
import type { RuleChange } from '../rule-change.ts';

export type Rule = Result<'commissionRules.get'>;
export type RuleVersion = Rule['versions'][number];
type Body = NonNullable<RuleChange['add']>[number];
type Condition = NonNullable<Body['conditions']>[number];
type Tier = NonNullable<Body['tiers']>[number];

export const kinds = ['percentage', 'flat', 'unit', 'lead'] as const;
export const earners = ['direct', 'upline'] as const;
export const scopes = ['everyone', 'group', 'affiliate'] as const;
export const items = ['any', 'product', 'category'] as const;
export const triggers = ['every', 'first', 'subsequent'] as const;
export const periods = ['month', 'quarter', 'year', 'total'] as const;
export const metrics = ['conversions', 'amountCents', 'commissionCents'] as const;

export type TierValues = { from: number | null; rate: number | null; amountCents: number | null };

export type RuleValues = {
  name: string;
  kind: (typeof kinds)[number];
  rate: number | null;
  amountCents: number | null;
  earner: (typeof earners)[number];
  basis: 'order' | 'commission';
  scope: (typeof scopes)[number];
  groupId: string | null;
  affiliateId: string | null;
  item: (typeof items)[number];
  productId: string | null;
  category: string;
  trigger: (typeof triggers)[number];
  durationMonths: number | null;
  maxOccurrences: number | null;
  minPerOrderCents: number | null;
  maxPerOrderCents: number | null;
  budgetCents: number | null;
  budgetPeriod: (typeof periods)[number];
  tierMetric: (typeof metrics)[number];
  tierPeriod: (typeof periods)[number];
  tiers: readonly TierValues[];
  countryRule: 'any' | 'in' | 'not_in';
  countries: readonly string[];
  customers: 'any' | 'new' | 'returning';
  coupons: 'any' | 'with' | 'without';
  orderFromCents: number | null;
  orderBelowCents: number | null;
  /** Days in the time zone of the program, both inclusive. */
  effectiveFrom: string | null;
  effectiveTo: string | null;
  /** What the form doesn't show in full, so that saving it changes nothing else. */
  kept: { conditions: readonly Condition[]; hasCouponCondition: boolean; from: string | null; to: string | null };
};

export const emptyRule: RuleValues = {
  name: '',
  kind: 'percentage',
  rate: null,
  amountCents: null,
  earner: 'direct',
  basis: 'order',
  scope: 'everyone',
  groupId: null,
  affiliateId: null,
  item: 'any',
  productId: null,
  category: '',
  trigger: 'every',
  durationMonths: null,
  maxOccurrences: null,
  minPerOrderCents: null,
  maxPerOrderCents: null,
  budgetCents: null,
  budgetPeriod: 'month',
  tierMetric: 'conversions',
  tierPeriod: 'month',
  tiers: [],
  countryRule: 'any',
  countries: [],
  customers: 'any',
  coupons: 'any',
  orderFromCents: null,
  orderBelowCents: null,
  effectiveFrom: null,
  effectiveTo: null,
  kept: { conditions: [], hasCouponCondition: false, from: null, to: null },
};

/** The form of a rule, or of one of its versions. */
export function toValues(rule: Omit<RuleVersion, 'validFrom' | 'createdAt' | 'actor'>, timezone: string): RuleValues {
  const { effectiveFrom: from, effectiveTo: to, tiers } = rule;
  const [first] = tiers;
  return {
    ...emptyRule,
    ...readConditions(rule),
    name: rule.name,
    kind: rule.event === 'lead' ? 'lead' : rule.type === 'percentage' ? 'percentage' : rule.per === 'unit' ? 'unit' : 'flat',
    rate: rule.rate,
    amountCents: rule.amountCents,
    earner: rule.level === 2 ? 'upline' : 'direct',
    basis: rule.basis,
    scope: rule.affiliateId !== null ? 'affiliate' : rule.groupId !== null ? 'group' : 'everyone',
    groupId: rule.groupId,
    affiliateId: rule.affiliateId,
    item: rule.productId !== null ? 'product' : rule.category !== null ? 'category' : 'any',
    productId: rule.productId,
    category: rule.category ?? '',
    trigger: rule.trigger,
    durationMonths: rule.durationMonths,
    maxOccurrences: rule.maxOccurrences,
    minPerOrderCents: rule.minPerOrderCents,
    maxPerOrderCents: rule.maxPerOrderCents,
    budgetCents: rule.budgetCents,
    budgetPeriod: rule.budgetPeriod ?? emptyRule.budgetPeriod,
    tierMetric: first?.metric ?? emptyRule.tierMetric,
    tierPeriod: first?.period ?? emptyRule.tierPeriod,
    tiers: tiers.map((tier) => ({ from: tier.from, rate: tier.rate ?? null, amountCents: tier.amountCents ?? null })),
    effectiveFrom: from === null ? null : dayOf(from, timezone),
    // The end is exclusive: the last day is the one before it.
    effectiveTo: to === null ? null : dayOf(Date.parse(to) - 1, timezone),
  };
}

type Conditional = Pick<RuleVersion, 'conditions' | 'excludeCouponOrders' | 'effectiveFrom' | 'effectiveTo'>;

/** The conditions as fields. The second condition of a field has no place in the form, and is kept as it is. */
function readConditions({ conditions, excludeCouponOrders, effectiveFrom, effectiveTo }: Conditional): Partial<RuleValues> {
  const values: Partial<RuleValues> = {};
  const rest: Condition[] = [];
  for (const condition of conditions) if (!readCondition(values, condition)) rest.push(condition);
  const hasCouponCondition = values.coupons !== undefined;
  if (excludeCouponOrders) {
    if (hasCouponCondition) rest.push(...conditions.filter(({ field }) => field === 'couponUsed'));
    values.coupons = 'without';
  }
  const kept = {
    conditions: rest,
    hasCouponCondition: hasCouponCondition && !excludeCouponOrders,
    from: effectiveFrom,
    to: effectiveTo,
  };
  return { ...values, kept };
}

function readCondition(values: Partial<RuleValues>, condition: Condition): boolean {
  switch (condition.field) {
    case 'country':
      if (values.countryRule !== undefined) return false;
      Object.assign(values, { countryRule: condition.operator, countries: condition.value });
      return true;
    case 'newCustomer':
      if (values.customers !== undefined) return false;
      values.customers = condition.value ? 'new' : 'returning';
      return true;
    case 'couponUsed':
      if (values.coupons !== undefined) return false;
      values.coupons = condition.value ? 'with' : 'without';
      return true;
    default: {
      const name = condition.operator === 'at_least' ? 'orderFromCents' : 'orderBelowCents';
      if (values[name] !== undefined) return false;
      values[name] = condition.value;
      return true;
    }
  }
}

/** The whole rule that the form describes. Sent as a change, nothing of the former version remains. */
export function toRule(values: RuleValues, timezone: string): Required<Body> {
  const { kind, kept } = values;
  const isLead = kind === 'lead';
  const isPercentage = kind === 'percentage';
  const unlessLead = <Value>(value: Value) => (isLead ? null : value);
  return {
    name: values.name.trim(),
    level: values.earner === 'upline' ? 2 : 1,
    event: isLead ? 'lead' : 'sale',
    type: isPercentage ? 'percentage' : 'flat',
    rate: isPercentage ? values.rate : null,
    amountCents: isPercentage ? null : values.amountCents,
    per: kind === 'unit' ? 'unit' : 'order',
    basis: isPercentage && values.earner === 'upline' ? values.basis : 'order',
    groupId: values.scope === 'group' ? values.groupId : null,
    affiliateId: values.scope === 'affiliate' ? values.affiliateId : null,
    productId: !isLead && values.item === 'product' ? values.productId : null,
    category: !isLead && values.item === 'category' ? values.category.trim() : null,
    trigger: isLead ? 'every' : values.trigger,
    durationMonths: unlessLead(values.durationMonths),
    maxOccurrences: unlessLead(values.maxOccurrences),
    minPerOrderCents: unlessLead(values.minPerOrderCents),
    maxPerOrderCents: unlessLead(values.maxPerOrderCents),
    budgetCents: values.budgetCents,
    budgetPeriod: values.budgetCents === null ? null : values.budgetPeriod,
    tiers: isLead ? [] : values.tiers.map((tier) => toTier(values, tier)),
    conditions: [...toConditions(values), ...kept.conditions],
    excludeCouponOrders: values.coupons === 'without' && !kept.hasCouponCondition,
    effectiveFrom: toInstant(values.effectiveFrom, kept.from, (day) => startOfDay(day, timezone), timezone),
    effectiveTo: toEnd(values, timezone),
  };
}

function toTier({ kind, tierMetric, tierPeriod }: RuleValues, { from, rate, amountCents }: TierValues): Tier {
  const amount = kind === 'percentage' ? { rate } : { amountCents };
  return { metric: tierMetric, period: tierPeriod, from: from ?? 0, ...amount };
}

function toConditions(values: RuleValues): Condition[] {
  const { kind, countryRule, countries, customers, coupons, orderFromCents, orderBelowCents, kept } = values;
  const conditions: Condition[] = [];
  if (countryRule !== 'any') conditions.push({ field: 'country', operator: countryRule, value: [...countries] });
  if (coupons === 'with') conditions.push({ field: 'couponUsed', operator: 'is', value: true });
  if (coupons === 'without' && kept.hasCouponCondition) conditions.push({ field: 'couponUsed', operator: 'is', value: false });
  if (kind === 'lead') return conditions;
  if (customers !== 'any') conditions.push({ field: 'newCustomer', operator: 'is', value: customers === 'new' });
  if (orderFromCents !== null) conditions.push({ field: 'orderAmountCents', operator: 'at_least', value: orderFromCents });
  if (orderBelowCents !== null) conditions.push({ field: 'orderAmountCents', operator: 'below', value: orderBelowCents });
  return conditions;
}

/** The stored time if its day was not changed, which may be any time of the day. */
function toInstant(day: string | null, stored: string | null, toTime: (day: string) => string, timezone: string): string | null {
  if (day === null) return null;
  return stored !== null && dayOf(stored, timezone) === day ? stored : toTime(day);
}

function toEnd({ effectiveTo: day, kept: { to } }: RuleValues, timezone: string): string | null {
  if (day === null) return null;
  return to !== null && dayOf(Date.parse(to) - 1, timezone) === day ? to : startOfDay(addDays(day, 1), timezone);
}

/** The empty fields that the rule needs. For the server, a rule without a group or affiliate applies to everyone. */
export function findMissing(values: RuleValues): string[] {
  const { name, kind, rate, amountCents, scope, groupId, affiliateId, item, productId, category, tiers, countryRule, countries } = values;
  const isPercentage = kind === 'percentage';
  const isLead = kind === 'lead';
  const checks: [field: string, isEmpty: boolean][] = [
    ['name', name.trim() === ''],
    ['rate', isPercentage && rate === null],
    ['amountCents', !isPercentage && amountCents === null],
    ['groupId', scope === 'group' && groupId === null],
    ['affiliateId', scope === 'affiliate' && affiliateId === null],
    ['productId', !isLead && item === 'product' && productId === null],
    ['category', !isLead && item === 'category' && category.trim() === ''],
    ['tiers', !isLead && tiers.some((tier) => tier.from === null || (isPercentage ? tier.rate : tier.amountCents) === null)],
    ['countries', countryRule !== 'any' && countries.length === 0],
  ];
  return checks.flatMap(([field, isEmpty]) => (isEmpty ? [field] : []));
}

/** The optional parts of the form. */
export const parts = ['orders', 'limits', 'budget', 'tiers', 'conditions', 'dates'] as const;
export type Part = (typeof parts)[number];

const fieldsOf = {
  orders: ['trigger', 'durationMonths', 'maxOccurrences'],
  limits: ['minPerOrderCents', 'maxPerOrderCents'],
  budget: ['budgetCents'],
  tiers: ['tiers'],
  conditions: ['countryRule', 'customers', 'coupons', 'orderFromCents', 'orderBelowCents'],
  dates: ['effectiveFrom', 'effectiveTo'],
} as const satisfies Record<Part, readonly (keyof RuleValues)[]>;

/** Whether a part of the form says something. */
export function isUsed(values: RuleValues, part: Part): boolean {
  return fieldsOf[part].some((name) => JSON.stringify(values[name]) !== JSON.stringify(emptyRule[name]));
}

/** The form without a part. */
export function withoutPart(part: Part): Partial<RuleValues> {
  const cleared = Object.fromEntries(fieldsOf[part].map((name) => [name, emptyRule[name]]));
  return part === 'conditions' ? { ...cleared, countries: [] } : cleared;
}

/** Which optional parts a rule of this kind can have. */
export function partsOf({ kind }: RuleValues): Part[] {
  return kind === 'lead' ? ['budget', 'conditions', 'dates'] : [...parts];
}
