// Events of Paddle Billing. A completed transaction is an order, renewals of subscriptions included. Refunds, credits
// and chargebacks are adjustments of a transaction. Amounts are texts in the smallest unit of the currency.
import { z } from 'zod';
import { parseAs } from '../payload.ts';
import { findSignals, mergeSignals, type Signals } from '../signals.ts';
import { ignore, type OrderAction, type ParsedEvent, type StoreAction, type StoreItem } from '../store.ts';

export const PaddleEvent = z.object({
  event_id: z.string().min(1).max(255),
  event_type: z.string().min(1).max(100),
  occurred_at: z.string().nullish(),
  data: z.record(z.string(), z.unknown()),
});

/** The actions of an event. Throws UnreadableEvent. */
export function parsePaddleEvent(topic: string, payload: unknown): ParsedEvent {
  const { data } = parseAs(PaddleEvent, payload);
  if (topic === 'transaction.completed') return parseTransaction(parseAs(Transaction, data));
  if (topic === 'adjustment.created' || topic === 'adjustment.updated') return parseAdjustment(parseAs(Adjustment, data));
  return ignore(topic === 'transaction.paid' ? 'superseded_topic' : 'unsupported_topic');
}

const cents = z
  .union([z.string().regex(/^-?\d{1,15}$/, 'must be an integer'), z.int()])
  .transform(Number)
  .pipe(z.int());
const customData = z.record(z.string(), z.unknown()).nullish();

const LineItem = z.object({
  id: z.string(),
  quantity: z.number(),
  totals: z.object({ tax: cents, total: cents, discount: cents }),
  product: z.object({ id: z.string().nullish(), name: z.string().nullish() }).nullish(),
});
type LineItem = z.output<typeof LineItem>;

const Transaction = z.object({
  id: z.string(),
  status: z.string(),
  customer_id: z.string().nullish(),
  subscription_id: z.string().nullish(),
  discount_id: z.string().nullish(),
  currency_code: z.string(),
  custom_data: customData,
  billed_at: z.string().nullish(),
  created_at: z.string().nullish(),
  details: z.object({
    totals: z.object({ discount: cents, tax: cents, total: cents }),
    line_items: z.array(LineItem),
  }),
});
type Transaction = z.output<typeof Transaction>;

function parseTransaction(transaction: Transaction): ParsedEvent {
  const { id, status, subscription_id: subscriptionId, details } = transaction;
  if (status !== 'completed') return ignore('not_paid');
  if (details.totals.total <= 0) return ignore('nothing_charged');
  const signals = collectSignals(transaction);
  const actions: StoreAction[] = [buildOrderAction(transaction, signals)];
  // Renewals don't always repeat the custom data of the checkout, so it is stored for the subscription.
  if (subscriptionId && Object.keys(signals).length > 0) actions.push({ kind: 'signals', reference: subscriptionId, signals });
  return { subject: subscriptionId ?? id, actions };
}

function collectSignals({ custom_data: fields, discount_id: discountId }: Transaction): Signals {
  return mergeSignals(findSignals(Object.entries(fields ?? {})), discountId ? { couponIds: [discountId] } : {});
}

function buildOrderAction(transaction: Transaction, signals: Signals): OrderAction {
  const { id, subscription_id: subscriptionId, customer_id: customerId, details } = transaction;
  const amountCents = details.totals.total - details.totals.tax;
  const lines = matchLines(details.line_items, amountCents);
  return {
    kind: 'order',
    order: {
      orderId: id,
      amountCents,
      currency: transaction.currency_code.toUpperCase(),
      items: lines.map(buildItem),
      customer: { externalId: customerId ?? null, email: null },
      taxCents: details.totals.tax,
      discountCents: details.totals.discount,
      subscription: subscriptionId ? { externalId: subscriptionId } : undefined,
      occurredAt: transaction.billed_at ?? transaction.created_at ?? undefined,
    },
    signals,
    references: [id],
    signalReferences: subscriptionId ? [id, subscriptionId] : [id],
    // Adjustments have their amount without tax, so a refund is a part of the net amount.
    grossCents: null,
    lineIds: lines.map((line) => line.id),
  };
}

/** The lines of a transaction, if they add up to its amount: prorated ones can be negative. */
function matchLines(lines: readonly LineItem[], amountCents: number): readonly LineItem[] {
  const nets = lines.map(({ totals }) => totals.total - totals.tax);
  const isComplete = nets.every((net) => net >= 0) && nets.reduce((all, net) => all + net, 0) === amountCents;
  return isComplete ? lines : [];
}

function buildItem({ quantity, totals, product }: LineItem): StoreItem {
  return {
    externalProductId: product?.id ?? null,
    sku: null,
    name: product?.name?.trim().slice(0, 200) || null,
    quantity: Math.max(1, Math.floor(quantity)),
    amountCents: totals.total - totals.tax + totals.discount,
    discountCents: totals.discount,
  };
}

const AdjustmentTotals = z.object({ tax: cents, total: cents });
const Adjustment = z.object({
  id: z.string(),
  action: z.string(),
  status: z.string().nullish(),
  transaction_id: z.string(),
  items: z.array(z.object({ item_id: z.string(), totals: AdjustmentTotals.nullish() })).nullish(),
  totals: AdjustmentTotals,
});
type Adjustment = z.output<typeof Adjustment>;

/** Refunds wait for Paddle's approval. A credit lowers what the customer pays later, and is not deducted from later transactions. */
function parseAdjustment(adjustment: Adjustment): ParsedEvent {
  const { action, status, transaction_id: subject } = adjustment;
  switch (action) {
    case 'refund':
    case 'credit':
      return status === 'approved' ? parseRefund(adjustment) : ignore('nothing_refunded');
    case 'chargeback_warning':
      return { subject, actions: [buildDispute(adjustment, 'opened')] };
    case 'chargeback':
      return { subject, actions: [buildDispute(adjustment, status === 'reversed' ? 'won' : 'lost')] };
    case 'chargeback_reverse':
    case 'chargeback_warning_reverse':
      return { subject, actions: [buildDispute(adjustment, 'won')] };
    default:
      return ignore('unsupported_topic');
  }
}

const netOf = ({ total, tax }: z.output<typeof AdjustmentTotals>): number => total - tax;

function parseRefund({ id, transaction_id: transactionId, items, totals }: Adjustment): ParsedEvent {
  const amountCents = netOf(totals);
  // Only the tax was refunded; the sale is unaffected.
  if (amountCents <= 0) return ignore('nothing_refunded');
  const parts = (items ?? []).map((item) => ({ lineId: item.item_id, amountCents: item.totals ? netOf(item.totals) : null }));
  const lines = parts.flatMap(({ lineId, amountCents: net }) => (net === null ? [] : [{ lineId, amountCents: net }]));
  const isComplete = lines.reduce((all, line) => all + line.amountCents, 0) === amountCents;
  const action: StoreAction = {
    kind: 'refund',
    references: [transactionId],
    refundId: `paddle:${id}`,
    amountCents,
    units: isComplete ? lines : [],
    reason: 'refund',
  };
  return { subject: transactionId, actions: [action] };
}

/** Adjustments don't name the chargeback that they reverse, so a transaction has one dispute. */
function buildDispute({ transaction_id: transactionId, totals }: Adjustment, status: 'opened' | 'won' | 'lost'): StoreAction {
  const amountCents = Math.max(0, netOf(totals)) || null;
  return { kind: 'dispute', references: [transactionId], disputeId: `paddle:${transactionId}`, status, amountCents };
}
