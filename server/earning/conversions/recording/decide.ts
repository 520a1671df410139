// What becomes of each reported order: credited, a duplicate, unattributed or rejected. Pure: `look-up.ts` reads
// everything before, `record.ts` writes everything after. The orders of a batch are decided in turn, and each sees
// the customers, coupons, tiers and budgets as the ones before it left them.
import type { Actor } from '../../../platform/lib/actor.ts';
import { isCurrency } from '../../../platform/lib/currency.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { AmountTooLarge } from '../../../platform/lib/money.ts';
import { toCodeKey } from '../../../promotion/coupons/code.ts';
import { type CouponTerms, couponAt, findCouponRejection } from '../../../promotion/coupons/redeem.ts';
import { type Calculation, calculate, type RunningTotals } from '../../commission-rules/calculate.ts';
import { type RuleHistory, rulesAt } from '../../commission-rules/choose-rule.ts';
import { type AffiliateAtOrder, findAffiliateAt } from '../../commission-rules/earners/affiliate-at-order.ts';
import type { Earner, Line, OrderFacts } from '../../commission-rules/order-facts.ts';
import type { Buyer } from '../../customers/buyer.ts';
import { type Binding, countOrder, findCustomerId, findHistory, type KnownKey } from '../../customers/buyer.ts';
import { toRateKey, type WantedRate } from '../../exchange-rates/find-rates.ts';
import { findOrderFraud } from '../../fraud/detect.ts';
import type { DetectedFraud } from '../../fraud/fraud-event.ts';
import { findSharedDevice } from '../../fraud/shared-device.ts';
import { buildLines, type ReportedOrder } from '../order.ts';
import { type Attribution, addSignalFacts, attribute, type Credit, type SignalOutcome } from './attribution.ts';
import { type ConvertedOrder, convertOrder } from './convert-order.ts';
import { type DuplicateOrder, toDuplicate } from './duplicate.ts';
import { findWantedRate, type Lookup, toBuyer } from './look-up.ts';

/**
 * A reported order. `id` is the id that its conversion gets, `customerId` that of its customer, if they are not known yet;
 * `buyer` is set where the order was reported before.
 */
export type Report = { id: string; customerId: string; order: ReportedOrder; actor: Actor; buyer?: Buyer | undefined };

type OrderOfBuyer = { order: ReportedOrder; at: Date; buyer: Buyer };

/** An order whose affiliate is known; what it earns is not calculated yet. */
export type AttributedOrder = OrderOfBuyer & {
  kind: 'attributed';
  id: string;
  actor: Actor;
  /** Null if the order names no customer. */
  customerId: string | null;
  attribution: Attribution;
  credit: Credit;
  affiliate: AffiliateAtOrder;
  facts: OrderFacts;
};
export type CreditedOrder = Omit<AttributedOrder, 'kind'> & {
  kind: 'credited';
  calculation: Calculation;
  alerts: readonly DetectedFraud[];
};
/** `order` is as it was reported; `amountCents` is in the currency of the program. */
export type UnattributedOrder = OrderOfBuyer & {
  kind: 'unattributed';
  amountCents: number;
  reason: string;
  signals: readonly SignalOutcome[];
};
type InvalidReason = 'currency_mismatch' | 'currency_unknown' | 'occurred_in_future' | 'affiliate_not_found';
/** `currency` is that of the program, `missing` the exchange rate. */
export type RejectedOrder = { kind: 'rejected'; order: ReportedOrder; currency: string } & (
  | { reason: InvalidReason | 'amount_too_large' | 'commission_too_large' }
  | { reason: 'exchange_rate_missing'; missing: WantedRate }
);

/** What becomes of a reported order. */
export type Decision = CreditedOrder | DuplicateOrder | UnattributedOrder | RejectedOrder;

/** `repeat`: an earlier order of the same batch has the same order id. */
export type Attempt = AttributedOrder | { kind: 'repeat'; order: ReportedOrder } | Exclude<Decision, CreditedOrder>;

/** How far the clock of a store may be ahead. */
const clockToleranceMs = 3_600_000;

/** The first half of the decision: which affiliate each order is attributed to. */
export function attributeOrders(reports: readonly Report[], found: Lookup, now: Date): Attempt[] {
  let { customers } = found;
  const coupons = new Map(found.coupons);
  const attributed = new Set<string>();
  return reports.map((report): Attempt => {
    const { order } = report;
    const first = found.recorded.get(order.orderId);
    const reason = findRejection(order, found, now, first?.facts);
    if (reason) return { kind: 'rejected', order, reason, currency: found.settings.currency };
    if (first) return toDuplicate(order, first, found, now);
    if (attributed.has(order.orderId)) return { kind: 'repeat', order };
    const attempt = attributeOrder(report, { ...found, customers, coupons }, now);
    if (attempt.kind !== 'attributed') return attempt;
    attributed.add(order.orderId);
    customers = countOrder(customers, attempt);
    const couponKey = attempt.credit.couponId === null ? '' : toCodeKey(order.couponCode ?? '');
    const coupon = coupons.get(couponKey);
    if (coupon) coupons.set(couponKey, { ...coupon, redemptions: coupon.redemptions + 1 });
    return attempt;
  });
}

type Rules = { history: RuleHistory; running: RunningTotals };

/** The second half: what each attributed order earns. `running` is what tiers and budgets have counted afterwards. */
export function decideOrders(
  attempts: readonly Attempt[],
  found: Lookup,
  rules: Rules,
  now: Date,
): { decisions: Decision[]; running: RunningTotals } {
  const running = { ...rules.running, totals: new Map(rules.running.totals), spent: new Map(rules.running.spent) };
  const firsts = new Map<string, CreditedOrder | RejectedOrder>();
  const decisions = attempts.map((attempt): Decision => {
    const { order } = attempt;
    if (attempt.kind === 'attributed') {
      const decision = creditOrder(attempt, found, { history: rules.history, running });
      firsts.set(order.orderId, decision);
      return decision;
    }
    if (attempt.kind !== 'repeat') return attempt;
    const first = firsts.get(order.orderId);
    if (!first) throw new Error('A repeated order follows the first one.');
    if (first.kind === 'rejected') return { ...first, order };
    return toDuplicate(order, { conversionId: first.id, facts: first.facts }, found, now);
  });
  return { decisions, running };
}

/** `recorded`: the facts of the order, if it is recorded. */
export function findRejection(
  order: ReportedOrder,
  { settings, affiliates }: Lookup,
  now: Date,
  recorded?: OrderFacts,
): InvalidReason | null {
  const { currency = settings.currency } = order;
  if (currency !== settings.currency && currency !== recorded?.exchange?.currency) {
    if (settings.exchangeRateSource === 'off') return 'currency_mismatch';
    if (!isCurrency(currency)) return 'currency_unknown';
  }
  if (order.occurredAt && order.occurredAt.getTime() > now.getTime() + clockToleranceMs) return 'occurred_in_future';
  return order.affiliateId && !affiliates.has(order.affiliateId) ? 'affiliate_not_found' : null;
}

/** The order and its lines in the currency of the program, or why they can't be converted. Most orders stay as they are. */
function toProgramCurrency(order: ReportedOrder, { settings, rates, products }: Lookup, now: Date): ConvertedOrder | RejectedOrder {
  const lines = buildLines(order, products);
  const wanted = findWantedRate(order, settings, now);
  if (wanted === null) return { order, lines };
  const rate = rates.get(toRateKey(wanted));
  const rejected = { kind: 'rejected' as const, order, currency: settings.currency };
  if (!rate) return { ...rejected, reason: 'exchange_rate_missing', missing: wanted };
  try {
    return convertOrder({ ...order, currency: wanted.currency }, lines, { rate, to: settings.currency });
  } catch (error) {
    if (error instanceof AmountTooLarge) return { ...rejected, reason: 'amount_too_large' };
    throw error;
  }
}

/** The affiliate of one order, whether or not it is recorded. */
export function attributeOrder(report: Report, found: Lookup, now: Date): AttributedOrder | UnattributedOrder | RejectedOrder {
  const { id, actor } = report;
  const { settings, affiliates } = found;
  const converted = toProgramCurrency(report.order, found, now);
  if ('kind' in converted) return converted;
  const { order, lines, ...exchange } = converted;
  const at = order.occurredAt ?? now;
  const buyer = toBuyer(report, settings);
  const customerId = buyer.customerKeys.length === 0 ? null : (findCustomerId(found.customers, buyer.customerKeys) ?? report.customerId);
  const binding = (settings.remembersCustomers && found.customers.bindings.get(customerId ?? '')) || null;
  const coupon = findCoupon(order, found, at);
  const evidence = { at, binding, coupon, lines };
  const time = { at, cartStartedAt: order.cartStartedAt ?? null };
  // The status of today decides, so that a suspended affiliate is not paid for old orders either.
  const isActive = (affiliateId: string) => affiliates.get(affiliateId)?.status === 'active';
  const sent = collectSignals(order, found, evidence);
  const attribution = attribute(sent, time, settings.policy, isActive);
  const statusOf = (affiliateId: string) => affiliates.get(affiliateId)?.status;
  const signals = addSignalFacts(attribution.signals, { at, policy: settings.policy, signals: sent, coupon, binding, statusOf });
  const { credit } = attribution;
  const affiliate = credit && findAffiliateAt(affiliates, credit.affiliateId, at);
  if (!credit || !affiliate) {
    const reason = signals[0]?.outcome ?? 'no_signal';
    return { kind: 'unattributed', order: report.order, amountCents: order.amountCents, at, buyer, reason, signals };
  }
  const history = customerId === null ? null : (findHistory(found.customers, buyer.customerKeys) ?? noOrders);
  const facts = buildFacts(order, { at, affiliate, coupon, credit, lines, history, capPercent: settings.capPercent });
  return {
    kind: 'attributed',
    id,
    actor,
    order,
    at,
    buyer,
    customerId,
    attribution: { ...attribution, signals },
    credit,
    affiliate,
    facts: { ...facts, ...exchange },
  };
}

const noOrders = { orders: 0, firstOrderAt: null };

/** The coupon that the order names, with its terms of that time. */
function findCoupon({ couponCode }: ReportedOrder, { coupons }: Lookup, at: Date): CouponTerms | null {
  const coupon = couponCode ? coupons.get(toCodeKey(couponCode)) : undefined;
  return coupon ? couponAt(coupon, at) : null;
}

type Evidence = { at: Date; binding: Binding | null; coupon: CouponTerms | null; lines: readonly Line[] };

function collectSignals(order: ReportedOrder, found: Lookup, { at, binding, coupon, lines }: Evidence): Parameters<typeof attribute>[0] {
  const { affiliateId, couponCode, clickId, referralCode, amountCents } = order;
  const productIds = lines.flatMap(({ productId }) => productId ?? []);
  const couponSignal = coupon && { ...coupon, rejection: findCouponRejection(coupon, { at, amountCents, productIds }) };
  return {
    affiliateId: affiliateId || undefined,
    couponCode: couponCode || undefined,
    coupon: couponCode ? couponSignal : undefined,
    clickId: clickId || undefined,
    visits: clickId ? (found.visits.get(canonicalUuid(clickId) ?? '') ?? []) : undefined,
    referralCode: referralCode || undefined,
    referrer: referralCode ? (found.links.get(referralCode.toLowerCase()) ?? null) : undefined,
    customerOf: binding?.affiliateId,
    customerName: order.customer?.externalId ?? undefined,
  };
}

type Inputs = Pick<AttributedOrder, 'at' | 'affiliate' | 'credit'> & {
  coupon: CouponTerms | null;
  lines: Line[];
  /** The customer's earlier orders; null when the order names no customer. */
  history: Pick<KnownKey, 'orders' | 'firstOrderAt'> | null;
  capPercent: number | null;
};

function buildFacts(order: ReportedOrder, { at, affiliate, coupon, credit, lines, history, capPercent }: Inputs): OrderFacts {
  const { commissionType: type = null, commissionRate: rate = null } = coupon ?? {};
  const pay = coupon?.id === credit.couponId && type !== null && rate !== null ? { type, rate } : null;
  const since = history && history.orders > 0 ? (history.firstOrderAt?.toISOString() ?? null) : null;
  return {
    at: at.toISOString(),
    amountCents: order.amountCents,
    lines,
    affiliate: toEarner(affiliate),
    upline: affiliate.upline?.status === 'active' ? toEarner(affiliate.upline) : null,
    coupon: coupon && { id: coupon.id, pay, productIds: coupon.productIds },
    sequence: order.subscription?.sequence ?? null,
    country: order.customer?.country ?? null,
    isNewCustomer: order.customer?.isNew ?? null,
    customer: history && { orders: Math.max(0, history.orders), since },
    capPercent,
  };
}

export function toEarner({ id, groupId, override }: Earner): Earner {
  return { id, groupId, override };
}

/** An order whose commission can't be counted exactly is rejected; the rest of the batch is recorded. */
function creditOrder(attributed: AttributedOrder, found: Lookup, { history, running }: Rules): CreditedOrder | RejectedOrder {
  const { order, facts } = attributed;
  try {
    const calculation = calculate(facts, rulesAt(history, facts.at), running);
    return { ...attributed, kind: 'credited', calculation, alerts: findAlerts(attributed, found) };
  } catch (error) {
    if (error instanceof AmountTooLarge)
      return { kind: 'rejected', order, reason: 'commission_too_large', currency: found.settings.currency };
    throw error;
  }
}

export function findAlerts(
  { order, at, attribution, credit, affiliate, buyer }: AttributedOrder,
  { settings, browsers }: Pick<Lookup, 'settings' | 'browsers'>,
): DetectedFraud[] {
  const hijacked = attribution.conflict.find(({ outcome }) => outcome === 'checkout_hijack');
  const check = {
    orderedAt: at,
    method: credit.method,
    visit: credit.visit,
    hasClickSignal: Boolean(order.clickId),
    hijackedBy: hijacked?.affiliateId ?? null,
    sharedDevice: browsers.size === 0 ? null : findSharedDevice(browsers, affiliate.id, credit.visit?.visitorId ?? null),
  };
  return findOrderFraud({ buyer, earner: affiliate, order: check }, settings);
}
