// What a new version of a rule changes for an affiliate: the commission of an order or lead that the rule covers, by the rules
// before and after it. Pure. It meets the conditions of this rule, but not those of others. Tiers and budgets are not considered.
import type { EmailedChange } from '../../../messaging/emails/kinds/earnings/rate-changed.ts';
import type { EmailedRate } from '../../../messaging/emails/kinds/earnings/rate-text.ts';
import { chooseRule, type Source } from '../choose-rule.ts';
import { type Earner, type Item, type OrderFacts, toItemFacts, toLeadFacts } from '../order-facts.ts';
import type { Rule } from '../terms.ts';

/** What a rule covers. `order`: null for a lead. */
export type CoveredItem = Pick<EmailedChange, 'item' | 'level'> & { order: Item | null };

/** `hasDownline`: whether they have recruited affiliates, so that rules for uplines concern them. */
export type Concerned = { earner: Earner; hasDownline: boolean };

/** `ruleIds`: the rules that change. */
export type RuleChange = {
  ruleIds: readonly string[];
  before: readonly Rule[];
  after: readonly Rule[];
  items: readonly CoveredItem[];
  at: Date;
};

export type RateChanges = { changes: readonly EmailedChange[]; endsAt: Date | null };

const orderCents = 10_000;

/** The commissions that change for an affiliate, and when the new ones end. Null if none changes. */
export function findRateChanges({ earner, hasDownline }: Concerned, { ruleIds, before, after, items, at }: RuleChange): RateChanges | null {
  const found = items.flatMap(({ item, level, order }) => {
    if (level === 2 && !hasDownline) return [];
    const find = (rules: readonly Rule[]) => findSource(earner, { rules: meetConditions(rules, ruleIds), level, order, at });
    const [was, is] = [find(before), find(after)];
    const change: EmailedChange = { item, level, before: toRate(was, before), after: toRate(is, after) };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [{ change, endsAt: is?.rule?.effectiveTo ?? null }];
  });
  const [first] = found;
  if (!first) return null;
  const isSameEnd = found.every(({ endsAt }) => endsAt === first.endsAt);
  return { changes: found.map(({ change }) => change), endsAt: isSameEnd && first.endsAt !== null ? new Date(first.endsAt) : null };
}

type Wanted = { rules: readonly Rule[]; level: 1 | 2; order: Item | null; at: Date };

/** The rate of an order without a special product; null if no rule applies. */
export function findPlainRate(earner: Earner, rules: readonly Rule[], at: Date): EmailedRate | null {
  return toRate(findSource(earner, { rules, level: 1, order: { productId: null, category: null, amountCents: orderCents }, at }), []);
}

function findSource(earner: Earner, { rules, level, order, at }: Wanted): Source | null {
  const time = at.toISOString();
  const facts: OrderFacts = order === null ? toLeadFacts(earner, time) : toItemFacts(order, earner, time);
  return facts.lines.flatMap((line) => chooseRule(line, earner, facts, rules, level).source ?? [])[0] ?? null;
}

/** The rules, of which these have no conditions: what is left is how they apply to an order that meets them. */
function meetConditions(rules: readonly Rule[], ids: readonly string[]): Rule[] {
  const met = { conditions: [], trigger: 'every' as const, excludeCouponOrders: false };
  return rules.map((rule) => (ids.includes(rule.id) ? { ...rule, terms: { ...rule.terms, ...met } } : rule));
}

/** `rules`: with their conditions. */
function toRate(source: Source | null, rules: readonly Rule[]): EmailedRate | null {
  if (!source) return null;
  const { type, rate, amountCents, tiers, event } = source.terms;
  const per = event === 'lead' ? 'lead' : source.terms.per;
  const { conditions, trigger, excludeCouponOrders } = rules.find(({ id }) => id === source.rule?.id)?.terms ?? source.terms;
  const isConditional = conditions.length > 0 || trigger !== 'every' || excludeCouponOrders;
  const shared = isConditional ? { hasTiers: tiers.length > 0, isConditional } : { hasTiers: tiers.length > 0 };
  const basis = source.rule?.level === 2 && source.terms.basis === 'commission' ? { basis: 'commission' as const } : {};
  if (type === 'percentage') return { type, rate: rate ?? 0, ...basis, ...shared };
  return { type, amountCents: amountCents ?? 0, per, ...shared };
}

type Product = { id: string; name: string; category: string | null };

/** What the versions of a rule cover. */
export function listCovered(versions: readonly Rule[], products: readonly Product[]): CoveredItem[] {
  const toKey = ({ level, terms, productId, category }: Rule) => JSON.stringify([level, terms.event, productId, category?.toLowerCase()]);
  const keys = new Map(versions.map((rule) => [toKey(rule), rule]));
  return [...keys.values()].flatMap(({ level, terms: { event }, productId, category }): CoveredItem[] => {
    if (event === 'lead') return [{ item: { kind: 'lead' }, level, order: null }];
    if (productId === null) {
      const item = category === null ? { kind: 'any' as const } : { kind: 'category' as const, name: category };
      return [{ item, level, order: { productId, category, amountCents: orderCents } }];
    }
    const product = products.find(({ id }) => id === productId);
    if (!product) return [];
    const order = { productId, category: product.category, amountCents: orderCents };
    return [{ item: { kind: 'product', name: product.name }, level, order }];
  });
}
