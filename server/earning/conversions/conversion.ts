// The response to a report that was just credited, and what to check in the reported order.
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { formatCents } from '../../platform/lib/currency.ts';
import { sumForDisplay } from '../../platform/lib/money.ts';
import type { Calculation } from '../commission-rules/calculate.ts';
import type { AffiliateAtOrder, TermsNote } from '../commission-rules/earners/affiliate-at-order.ts';
import type { Earned, Hold } from '../commissions/accrue.ts';
import { type Conversion, toExchange, toStatus, type Warning } from '../orders/conversion-shape.ts';
import type { KnownProduct, ReportedOrder } from './order.ts';
import type { CreditedOrder } from './recording/decide.ts';

export const conversionSlot = idSlot('conversions', 'The id of the conversion.');

type Recorded = {
  earned: readonly Earned[];
  holds: readonly Hold[];
  warnings: readonly Warning[];
  currency: string;
  createdAt: Date;
};

/** The response to a report that was just credited. */
export function toConversion(credited: CreditedOrder, { earned, holds, warnings, currency, createdAt }: Recorded): Conversion {
  const { id, order, credit, attribution } = credited;
  const commissions = earned.map((each) => ({ ...each, reversedCents: 0, maturesAt: each.maturesAt.toISOString() }));
  return {
    id,
    orderId: order.orderId,
    status: toStatus(commissions),
    holdReasons: commissions.length > 0 ? toHoldReasons(holds) : [],
    affiliateId: credited.affiliate.id,
    amountCents: order.amountCents,
    refundedCents: 0,
    currency,
    exchange: toExchange(credited.facts.exchange),
    commissionCents: sumForDisplay(commissions.map(({ amountCents }) => amountCents)),
    reversedCents: 0,
    attribution: {
      method: credit.method,
      clickId: credit.visit?.id ?? null,
      couponId: credit.couponId,
      clickedAt: credit.visit?.at.toISOString() ?? null,
      conflict: attribution.conflict.length > 0 ? attribution.conflict : null,
    },
    commissions,
    subId: toSubIds(credited)[0] || null,
    warnings: [...warnings],
    occurredAt: credited.at.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}

function toHoldReasons(holds: readonly Hold[]): string[] {
  return [...new Set(holds.map(({ cause, reason }) => (cause === 'fraud_event' ? (reason ?? cause) : cause)))].sort();
}

/** The sub IDs of the credited click. The store can report the first one itself. */
export function toSubIds({ order, credit }: Pick<CreditedOrder, 'order' | 'credit'>): string[] {
  const [first = '', ...others] = credit.visit?.subIds ?? [];
  const subIds = [order.subId ?? first, ...others];
  return subIds.some((subId) => subId !== '') ? subIds : [];
}

type Checked = {
  order: ReportedOrder;
  products: readonly KnownProduct[];
  affiliate: AffiliateAtOrder;
  calculation: Calculation;
  currency: string;
};

/** What an integrator should check in an order that was recorded. */
export function findWarnings({ order, products, affiliate, calculation, currency }: Checked): Warning[] {
  return [
    ...warnUnknownProducts(order, products),
    ...warnOtherTerms(affiliate),
    ...warnExhaustedBudgets(calculation, currency),
    ...warnSkippedRules(calculation),
  ];
}

/** An order that was reported late can pay by other terms than the affiliate has now. */
export function warnOtherTerms({ termsNote }: AffiliateAtOrder): Warning[] {
  if (termsNote === null) return [];
  return [{ code: 'affiliate_terms_changed', path: ['occurredAt'], message: describeTerms(termsNote) }];
}

function describeTerms(note: TermsNote): string {
  if (note.kind === 'changed')
    return `is before the override, group or upline of the affiliate changed (${note.changedAt}), so those of the time of the order apply`;
  const asOf = note.firstOrderAt === null ? 'as they are now' : `as of their first reported order (${note.firstOrderAt})`;
  const reason = 'until the first reported order of an affiliate, their terms are being set up';
  return `is before the affiliate was invited, so their override, group and upline apply ${asOf}: ${reason}`;
}

/** Store ids and SKUs may be missing from the catalogue; an unknown id of Tributary is a mistake. */
function warnUnknownProducts({ items }: ReportedOrder, products: readonly KnownProduct[]): Warning[] {
  return items.flatMap(({ productId }, index) => {
    if (!productId || products.some(({ id }) => id === productId)) return [];
    const message = 'was not found in this program; the order is recorded, but rules for this product do not apply';
    return [{ code: 'unknown_product', path: ['items', String(index), 'productId'], message }];
  });
}

function warnExhaustedBudgets({ drafts, unpaid, lines }: Calculation, currency: string): Warning[] {
  const remaining = new Map<string, number>();
  for (const { ruleId, limits } of [...drafts, ...unpaid]) {
    const limit = limits.find(({ by }) => by === 'budget');
    if (ruleId && limit) remaining.set(ruleId, limit.totalCents);
  }
  const names = new Map(lines.flatMap(({ candidates }) => candidates).map(({ ruleId, name }) => [ruleId, name]));
  return [...remaining].map(([ruleId, cents]) => ({
    code: 'budget_exhausted',
    path: [],
    message: `The budget of the rule “${names.get(ruleId) ?? ''}” is exhausted; ${formatCents(cents, currency)} remained for this order.`,
  }));
}

function warnSkippedRules({ lines }: Calculation): Warning[] {
  const skipped = lines.flatMap(({ candidates }) => candidates.filter(({ outcome }) => outcome === 'customer_unknown'));
  return [...new Map(skipped.map(({ ruleId, name }) => [ruleId, name])).values()].map((name) => ({
    code: 'customer_unknown',
    path: ['customer'],
    message:
      `is required to distinguish first from subsequent orders, so the rule “${name}” was skipped: ` +
      'send `externalId`, `email`, `isNew` or `subscription.sequence`',
  }));
}
