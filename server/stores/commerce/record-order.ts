// Recording an order that a store reported, through the same function as `POST /v1/conversions`.
import { z } from 'zod';
import { mergeSignals, type Signals } from '../../connections/stores/signals.ts';
import { type OrderAction, type StoreAction, type StoreItem, type StoreOrder, UnreadableEvent } from '../../connections/stores/store.ts';
import type { Tx } from '../../context.ts';
import { ReportedOrder } from '../../earning/conversions/order.ts';
import { toError } from '../../earning/conversions/outcome-error.ts';
import { recordOrders } from '../../earning/conversions/recording/record.ts';
import { toDetails } from '../../platform/http/validate.ts';
import type { ApiError } from '../../platform/lib/errors.ts';
import { toOneLine } from '../../platform/lib/text.ts';
import { findReportedId, findStoredSignals, type Store, saveOrder, saveReferences } from './references.ts';

export type OrderOutcome = { orderId: string; newReferences: string[] } & (
  | { status: 'credited' | 'duplicate'; conversionId: string }
  | { status: 'unattributed' | 'exchange_rate_missing'; reason: string }
);

/** Records an order with all signals known for it. Throws UnreadableEvent for an order that the API would reject. */
export async function recordStoreOrder(tx: Tx, store: Store, action: OrderAction): Promise<OrderOutcome> {
  const { couponIds = [], ...signals } = mergeSignals(action.signals, await findStoredSignals(tx, store, action.signalReferences));
  const couponCode = signals.couponCode ?? (await findCouponCode(tx, store.programId, couponIds));
  const reported = parseOrder(action.order, couponCode === null ? signals : { ...signals, couponCode });
  // An order that was reported under another id (a checkout and its invoice) is the same order, and is credited once.
  const order = { ...reported, orderId: await findReportedId(tx, store, reported.orderId, action.references) };
  const newReferences = await saveReferences(tx, store, order.orderId, action.references);
  const { orderId, amountCents, currency, occurredAt = tx.clock.now() } = order;
  const seen = { orderId, amountCents, currency, occurredAt, grossCents: action.grossCents, lineIds: selectLineIds(action) };
  await saveOrder(tx, store, seen);
  const outcome = await record(tx, store, order);
  switch (outcome.kind) {
    case 'credited':
      return { orderId, status: 'credited', conversionId: outcome.conversion.id, newReferences: [orderId, ...action.references] };
    case 'unattributed':
      return { orderId, status: 'unattributed', reason: outcome.reason, newReferences };
    case 'duplicate':
      return { orderId, status: 'duplicate', conversionId: outcome.conversionId, newReferences };
    case 'rejected': {
      const error = toError(outcome);
      if (outcome.reason === 'exchange_rate_missing') return { orderId, status: outcome.reason, reason: error.message, newReferences };
      throw new UnreadableEvent(`Order ${orderId} was rejected: ${describeError(error)}`);
    }
    default:
      return outcome satisfies never;
  }
}

/** An affiliate id that is not found does not cost the order its other signals. */
async function record(tx: Tx, store: Store, order: ReportedOrder) {
  const actor = { kind: 'provider' as const, id: store.id };
  const [outcome] = await recordOrders(tx, store.programId, [{ order, actor }]);
  if (outcome?.kind === 'rejected' && outcome.reason === 'affiliate_not_found') {
    const { affiliateId: _, ...rest } = order;
    const [retried] = await recordOrders(tx, store.programId, [{ order: rest, actor }]);
    if (retried) return retried;
  }
  if (!outcome) throw new Error('A reported order has no outcome.');
  return outcome;
}

const { orderId, amountCents, currency, occurredAt } = ReportedOrder.shape;
const RejectedOrder = z.object({ orderId, amountCents, currency });

/** Stores the valid orders of a failed event, so that coverage shows them as missing. */
export async function saveFailedOrders(tx: Tx, store: Store, actions: readonly StoreAction[]): Promise<void> {
  for (const action of actions) {
    if (action.kind !== 'order') continue;
    const order = RejectedOrder.safeParse(action.order);
    const now = tx.clock.now();
    const orderedAt = occurredAt.safeParse(action.order.occurredAt).data;
    if (!order.success) continue;
    await saveOrder(tx, store, {
      ...order.data,
      occurredAt: orderedAt && orderedAt < now ? orderedAt : now,
      grossCents: action.grossCents,
      lineIds: selectLineIds(action),
    });
  }
}

/** An email address that is invalid is dropped. */
function parseOrder(order: StoreOrder, signals: Signals): ReportedOrder {
  const { customer } = order;
  // NFKC, as addresses are delivered to: a full-width address must not hide the buyer.
  const address = typeof customer?.email === 'string' ? customer.email.normalize('NFKC') : null;
  const isValid = ReportedOrder.shape.customer.safeParse({ email: address }).success;
  const buyer = customer ? { ...customer, email: isValid ? address : null } : null;
  const parsed = ReportedOrder.safeParse({ ...order, ...signals, customer: buyer, items: selectItems(order) });
  if (parsed.success) return parsed.data;
  const [fault] = parsed.error.issues.flatMap(toDetails);
  throw new UnreadableEvent(`Invalid order: ${fault?.path.join('.')} ${fault?.message}.`);
}

/** More items than the API accepts are left out, because the amount decides. Invalid texts of items are shortened or dropped. */
function selectItems({ items = [] }: StoreOrder): StoreItem[] {
  if (!Array.isArray(items) || items.length > 200) return [];
  return items.map((item) => (item ? { ...item, name: shortenLine(item.name), sku: shortenLine(item.sku) } : item));
}

function shortenLine(text: unknown): string | null {
  return typeof text === 'string' ? toOneLine(toOneLine(text).slice(0, 200)) || null : null;
}

/** Empty unless each item is a separate line: otherwise positions of ids and lines differ. */
function selectLineIds({ lineIds, order }: OrderAction): readonly string[] {
  return selectItems(order).length === lineIds.length ? lineIds : [];
}

async function findCouponCode(tx: Tx, programId: string, couponIds: readonly string[]): Promise<string | null> {
  if (couponIds.length === 0) return null;
  const coupons = tx.db.selectFrom('coupons').select('code').where('programId', '=', programId);
  const coupon = await coupons
    .where('externalId', 'in', [...couponIds])
    .orderBy('status')
    .orderBy('id')
    .executeTakeFirst();
  return coupon?.code ?? null;
}

/** The first fault of an error, or its message. */
export function describeError({ message, details }: ApiError): string {
  const [fault] = details ?? [];
  return fault ? `${fault.path.join('.')} ${fault.message}.` : message;
}
