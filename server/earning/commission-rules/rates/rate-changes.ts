// What a new version of a rule changes for an affiliate: the commission of an order of what the rule covers, by the rules before
// and after it. Pure. The order meets the conditions of this rule, but not those of others. Tiers and budgets are not considered.
import type { EmailedChange } from '../../../messaging/emails/kinds/earnings/rate-changed.ts';
import type { EmailedRate } from '../../../messaging/emails/kinds/earnings/rate-text.ts';
import { chooseRule, type Source } from '../choose-rule.ts';
import { type Earner, type Item, toItemFacts } from '../order-facts.ts';
import type { Rule } from '../terms.ts';

/** What a rule covers. */
export type CoveredItem = { item: EmailedChange['item']; order: Item };

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
export function findRateChanges(earner: Earner, { ruleIds, before, after, items, at }: RuleChange): RateChanges | null {
  const found = items.flatMap(({ item, order }) => {
    const find = (rules: readonly Rule[]) => findSource(earner, { rules: meetConditions(rules, ruleIds), order, at });
    const [was, is] = [find(before), find(after)];
    const change = { item, before: toRate(was, before), after: toRate(is, after) };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [{ change, endsAt: is?.rule?.effectiveTo ?? null }];
  });
  const [first] = found;
  if (!first) return null;
  const isSameEnd = found.every(({ endsAt }) => endsAt === first.endsAt);
  return { changes: found.map(({ change }) => change), endsAt: isSameEnd && first.endsAt !== null ? new Date(first.endsAt) : null };
}

type Wanted = { rules: readonly Rule[]; order: Item; at: Date };

/** The rate of an order without a special product; null if no rule applies. */
export function findPlainRate(earner: Earner, rules: readonly Rule[], at: Date): EmailedRate | null {
  return toRate(findSource(earner, { rules, order: { productId: null, category: null, amountCents: orderCents }, at }), []);
}

function findSource(earner: Earner, { rules, order, at }: Wanted): Source | null {
  const facts = toItemFacts(order, earner, at.toISOString());
  return facts.lines.flatMap((line) => chooseRule(line, earner, facts, rules, 1).source ?? [])[0] ?? null;
}

/** The rules, of which these have no conditions: what is left is how they apply to an order that meets them. */
function meetConditions(rules: readonly Rule[], ids: readonly string[]): Rule[] {
  const met = { conditions: [], trigger: 'every' as const, excludeCouponOrders: false };
  return rules.map((rule) => (ids.includes(rule.id) ? { ...rule, terms: { ...rule.terms, ...met } } : rule));
}

/** `rules`: with their conditions. */
function toRate(source: Source | null, rules: readonly Rule[]): EmailedRate | null {
  if (!source) return null;
  const { type, rate, amountCents, per, tiers } = source.terms;
  const { conditions, trigger, excludeCouponOrders } = rules.find(({ id }) => id === source.rule?.id)?.terms ?? source.terms;
  const isConditional = conditions.length > 0 || trigger !== 'every' || excludeCouponOrders;
  const shared = isConditional ? { hasTiers: tiers.length > 0, isConditional } : { hasTiers: tiers.length > 0 };
  if (type === 'percentage') return { type, rate: rate ?? 0, ...shared };
  return { type, amountCents: amountCents ?? 0, per, ...shared };
}

type Product = { id: string; name: string; category: string | null };

/** What the versions of a rule cover. Nothing of rules for uplines and leads. */
export function listCovered(versions: readonly Rule[], products: readonly Product[]): CoveredItem[] {
  const sales = versions.filter(({ level, terms }) => level === 1 && terms.event === 'sale');
  const keys = new Map(sales.map((rule) => [JSON.stringify([rule.productId, rule.category?.toLowerCase()]), rule]));
  return [...keys.values()].flatMap(({ productId, category }): CoveredItem[] => {
    if (productId === null) {
      const item = category === null ? { kind: 'any' as const } : { kind: 'category' as const, name: category };
      return [{ item, order: { productId, category, amountCents: orderCents } }];
    }
    const product = products.find(({ id }) => id === productId);
    if (!product) return [];
    const order = { productId, category: product.category, amountCents: orderCents };
    return [{ item: { kind: 'product', name: product.name }, order }];
  });
}
