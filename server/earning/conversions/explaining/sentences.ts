// The explanation of an order in plain English, for callers of the API.
import { formatCents } from '../../../platform/lib/currency.ts';
import { explainCalculation } from '../../commission-rules/explain.ts';
import { inOrderCurrency, type OrderFacts } from '../../commission-rules/order-facts.ts';
import type { Exchange } from '../../exchange-rates/exchange.ts';
import type { DetectedFraud } from '../../fraud/fraud-event.ts';
import { type SignalFacts, toExchange } from '../../orders/conversion-shape.ts';
import type { Method, SignalResult } from '../recording/attribution.ts';
import type { StoredDecision } from '../stored-decision.ts';
import type { ChangeOfOrder, NamedAffiliate, StoredOrder } from './read-order.ts';
import type { Explanation } from './shape.ts';

type StoredSignal = StoredDecision['signals'][number];

/** The conversion of an order in another currency, and one sentence for each signal, commission, uncovered line, limit and fraud alert. */
export function writeSentences(
  { facts, decision, currency }: Pick<StoredOrder, 'facts' | 'decision' | 'currency'>,
  affiliates: readonly NamedAffiliate[],
): string[] {
  const names = new Map(affiliates.map(({ id, name }) => [id, name]));
  return [
    ...explainExchange(facts, currency),
    ...decision.signals.map((signal) => explainSignal(signal, names.get(signal.affiliateId ?? ''))),
    ...explainCalculation(facts, decision, currency),
    ...explainCap(decision, currency),
    ...decision.alerts.map(explainAlert),
  ];
}

const signalNames: Record<Method, string> = {
  affiliate: 'the affiliate named in the report',
  coupon: 'the coupon',
  click: 'the click',
  referral_code: 'the referral code',
  customer: "the customer's first affiliate",
};

const rejectionReasons: Record<Exclude<SignalResult, 'credited'>, string> = {
  outranked: 'another signal takes precedence',
  unknown: 'it was not found in this program',
  affiliate_not_active: 'the affiliate is not active',
  outside_the_window: 'it is outside the attribution window',
  after_the_order: 'it came after the order',
  click_has_priority: "the coupon's policy gives precedence to a click",
  checkout_hijack: 'the click came during checkout, and another affiliate had an earlier signal',
  archived: 'the coupon is archived',
  not_started: 'the coupon was not valid yet',
  ended: 'the coupon had expired',
  used_up: 'the coupon had reached its redemption limit',
  below_minimum: "the order is below the coupon's minimum",
  other_products: 'the coupon is for other products',
};

function explainSignal({ signal, value, outcome, facts }: StoredSignal, affiliateName: string | undefined): string {
  if (signal === 'customer' && outcome === 'credited' && facts?.boundAt)
    return `${affiliateName ?? 'The affiliate'} is credited: ${explainBinding(value, facts)}.`;
  const source = value && signal !== 'affiliate' ? `${signalNames[signal]} ${value}` : signalNames[signal];
  if (outcome === 'credited') return `${affiliateName ?? 'The affiliate'} is credited, by ${source}.`;
  const subject = `${source.charAt(0).toUpperCase()}${source.slice(1)}${affiliateName ? ` (${affiliateName})` : ''}`;
  return `${subject} was not credited: ${rejectionReasons[outcome]}.`;
}

const boundThrough: Record<Method, string> = {
  affiliate: 'naming the affiliate',
  coupon: "the affiliate's coupon",
  click: "the affiliate's link",
  referral_code: "the affiliate's referral code",
  customer: 'an earlier binding',
};

/** "customer c-77 signed up through the affiliate's link on 2026-11-02". */
function explainBinding(externalId: string, { boundBy, boundMethod, boundAt }: SignalFacts): string {
  const customer = externalId === '' ? 'the customer' : `customer ${externalId}`;
  const day = boundAt?.slice(0, 10);
  if (boundBy === 'member' || !boundMethod) return `${customer} was assigned to the affiliate on ${day}`;
  return `${customer} ${boundBy === 'lead' ? 'signed up' : 'first ordered'} through ${boundThrough[boundMethod]} on ${day}`;
}

const rateSourceNames: Record<Exchange['rateSource'], string> = { uploaded: 'uploaded rate', ecb: 'ECB rate' };

/** "€100.00 at 1.0842 (uploaded rate of 2026-11-26) = $108.42." Amounts that were added later were converted at the same rate. */
export function explainExchange(facts: OrderFacts, currency: string): string[] {
  const exchange = toExplainedExchange(facts);
  if (!exchange) return [];
  const original = formatCents(exchange.reportedCents, exchange.currency);
  const converted = formatCents(exchange.convertedCents, currency);
  const increased = facts.initial ? ' What was added later is converted at the same rate.' : '';
  return [`${original} at ${exchange.rate} (${rateSourceNames[exchange.rateSource]} of ${exchange.quotedOn}) = ${converted}.${increased}`];
}

/** How the order was converted, with both amounts as it was recorded: an increase is converted separately. */
export function toExplainedExchange(facts: OrderFacts): Explanation['exchange'] {
  const exchange = toExchange(facts.exchange);
  if (!exchange) return null;
  const reported = inOrderCurrency(facts);
  return {
    ...exchange,
    reportedCents: (reported.initial ?? reported).amountCents,
    convertedCents: (facts.initial ?? facts).amountCents,
  };
}

function explainCap({ capCents, drafts }: StoredDecision, currency: string): string[] {
  const isCapped = drafts.some(({ limits }) => limits.some(({ by }) => by === 'program_cap'));
  return isCapped && capCents !== null ? [`All levels together earn at most ${formatCents(capCents, currency)} for this order.`] : [];
}

function explainAlert({ kind, action }: DetectedFraud): string {
  const consequence = action === 'hold' ? 'the commission is held until the fraud alert is resolved' : 'the order is flagged';
  return `Fraud alert (${kind.replaceAll('_', ' ')}): ${consequence}.`;
}

/** One sentence for each move, increase and cancellation, with who did it, when and why. */
export function explainChanges(
  changes: readonly ChangeOfOrder[],
  { currency }: Pick<StoredOrder, 'currency'>,
  affiliates: readonly NamedAffiliate[],
): string[] {
  const names = new Map(affiliates.map(({ id, name }) => [id, name]));
  const nameOf = (id: string | null) => names.get(id ?? '') ?? 'an affiliate';
  return changes.map(({ kind, fromAffiliateId, toAffiliateId, amountCents, createdAt, actor, note }) => {
    const action = {
      moved: `Moved from ${nameOf(fromAffiliateId)} to ${nameOf(toAffiliateId)}`,
      increased: `Increased by ${formatCents(amountCents, currency)}`,
      cancelled: `Cancelled, with ${formatCents(amountCents, currency)} that were not refunded yet`,
    }[kind];
    const by = actor.name ?? actor.kind.replaceAll('_', ' ');
    return `${action} on ${createdAt.toISOString().slice(0, 10)} by ${by}${note === null ? '.' : `: ${note}`}`;
  });
}
