// Random programs of the oracle: rules of every kind, affiliates with groups, overrides and uplines, products, coupons.

import type { Chance } from './random.ts';
import type { ModelAffiliate, ModelCoupon, ModelItem, ModelOrder, ModelRule } from './types.ts';

const dayMs = 86_400_000;
const periods = ['month', 'quarter', 'year', 'total'] as const;

type Without = Omit<ModelRule, 'id'>;
type Ids = { products: string[]; categories: string[]; groupId: string; affiliateIds: string[] };

/** A percentage with up to 4 decimals. */
const percent = (chance: Chance, most: number): number => chance.whole(1, most * 10 ** 4) / 10 ** 4;

function payOf(chance: Chance): Pick<Without, 'type' | 'rate' | 'amountCents' | 'per'> {
  if (chance.is(0.65)) return { type: 'percentage', rate: chance.is(0.5) ? chance.whole(1, 40) : percent(chance, 40) };
  return { type: 'flat', amountCents: chance.whole(1, 2500), per: chance.is(0.4) ? 'unit' : 'order' };
}

/** Terms that limit a rule, or say to which orders it applies. */
function termsOf(chance: Chance, { type }: Pick<Without, 'type'>): Partial<Without> {
  const terms: Partial<Without> = {};
  if (chance.is(0.2)) terms.minPerOrderCents = chance.whole(1, 800);
  if (chance.is(0.25)) terms.maxPerOrderCents = chance.whole(800, 4000);
  if (chance.is(0.2)) Object.assign(terms, { budgetCents: chance.whole(500, 20_000), budgetPeriod: chance.one(periods) });
  if (chance.is(0.25)) terms.tiers = tiersOf(chance, type);
  if (chance.is(0.15)) terms.trigger = chance.one(['first', 'subsequent'] as const);
  if (chance.is(0.15)) terms.durationMonths = chance.whole(1, 4);
  if (chance.is(0.15)) terms.maxOccurrences = chance.whole(1, 4);
  if (chance.is(0.15)) terms.excludeCouponOrders = true;
  return terms;
}

function tiersOf(chance: Chance, type: ModelRule['type']): NonNullable<ModelRule['tiers']> {
  const [metric, period] = [chance.one(['conversions', 'amountCents', 'commissionCents'] as const), chance.one(periods)];
  const scale = { conversions: 3, amountCents: 30_000, commissionCents: 3000 }[metric];
  const first = chance.is(0.5) ? 0 : chance.whole(1, scale);
  const second = first + chance.whole(1, scale);
  return [first, second, second + chance.whole(1, scale)].map((from) => {
    const pay = type === 'percentage' ? { rate: percent(chance, 45) } : { amountCents: chance.whole(1, 3000) };
    return { metric, period, from, ...pay };
  });
}

function conditionsOf(chance: Chance): NonNullable<ModelRule['conditions']> {
  const all: NonNullable<ModelRule['conditions']> = [
    { field: 'country', operator: chance.one(['in', 'not_in'] as const), value: ['DE', 'FR'] },
    { field: 'newCustomer', operator: 'is', value: chance.is(0.5) },
    { field: 'couponUsed', operator: 'is', value: chance.is(0.5) },
    { field: 'orderAmountCents', operator: chance.one(['at_least', 'below'] as const), value: chance.whole(3000, 30_000) },
  ];
  return all.filter(() => chance.is(0.4)).slice(0, 2);
}

/** The rules of a program: some for each step of the precedence, with a default rule and, mostly, uplines. */
export function generateRules(chance: Chance, { products, categories, groupId, affiliateIds }: Ids): Without[] {
  const [productId, category] = [chance.one(products), chance.one(categories)];
  const affiliateId = chance.one(affiliateIds);
  const scopes: Partial<Without>[] = [
    {},
    {},
    { groupId },
    { affiliateId },
    { productId },
    { category },
    { groupId, productId },
    { affiliateId, productId: chance.one(products) },
    { groupId, category },
    { affiliateId, category },
  ];
  const first = scopes.filter((_, index) => index === 0 || chance.is(0.35)).map((scope) => ({ level: 1 as const, ...scope }));
  const second = chance.is(0.75)
    ? scopes.filter((_, index) => index === 0 || chance.is(0.1)).map((scope) => ({ level: 2 as const, ...scope }))
    : [];
  return [...first, ...second].map((scope, index) => {
    const pay = payOf(chance);
    const isOfCommission = scope.level === 2 && pay.type === 'percentage' && chance.is(0.4);
    const basis = isOfCommission ? { basis: 'commission' as const } : {};
    // The first rule has no terms, so that most lines earn something.
    const terms = index === 0 ? {} : termsOf(chance, pay);
    const conditions = index > 0 && chance.is(0.3) ? { conditions: conditionsOf(chance) } : {};
    return { ...scope, ...pay, ...basis, ...terms, ...conditions };
  });
}

export const generateOverride = (chance: Chance): ModelAffiliate['override'] =>
  chance.is(0.5) ? { type: 'percentage', rate: percent(chance, 50) } : { type: 'flat', rate: chance.whole(0, 2500) };

export const generateCoupon = (chance: Chance, affiliateId: string, products: readonly string[]): ModelCoupon => ({
  affiliateId,
  pay: chance.is(0.6)
    ? { type: 'percentage', rate: percent(chance, 30) }
    : chance.is(0.5)
      ? { type: 'flat', rate: chance.whole(1, 2000) }
      : null,
  productIds: chance.is(0.3) ? [chance.one(products)] : [],
});

type Given = { chance: Chance; products: readonly string[]; affiliateIds: readonly string[]; coupon: ModelCoupon; now: Date };

/** An order of the last 130 days, so that calendar periods and durations end between orders. */
export function generateOrder({ chance, products, affiliateIds, coupon, now }: Given, orderId: string): ModelOrder {
  const items: ModelItem[] = Array.from({ length: chance.is(0.25) ? 0 : chance.whole(1, 4) }, () => {
    const amountCents = chance.whole(1000, 30_000);
    const discountCents = chance.is(0.3) ? chance.whole(0, 400) : 0;
    return { productId: chance.is(0.8) ? chance.one(products) : null, quantity: chance.whole(1, 5), amountCents, discountCents };
  });
  const net = items.reduce((sum, item) => sum + item.amountCents - item.discountCents, 0);
  const amountCents = items.length === 0 ? chance.whole(1000, 60_000) : net - (chance.is(0.3) ? chance.whole(0, 499) : 0);
  const customer = chance.is(0.7) ? `c-${chance.whole(1, 4)}` : null;
  return {
    orderId,
    amountCents,
    affiliateId: chance.one(affiliateIds),
    occurredAt: new Date(now.getTime() - chance.whole(1, 130 * dayMs)),
    items,
    customer,
    country: chance.is(0.6) ? chance.one(['DE', 'FR', 'US']) : null,
    isNew: chance.is(0.3) ? chance.is(0.5) : null,
    coupon: chance.is(0.3) ? coupon : null,
  };
}
