// Which orders and commissions an import records, and what state each commission is to reach. Pure.
import type { CommissionRecord, CommissionState, OrderRecord, PastRecord } from '../records.ts';
import { type Affiliates, missing } from './affiliates.ts';
import type { Known, KnownCommission, KnownOrder } from './known.ts';
import { describePlace, type Outcomes } from './rejections.ts';

export type PlannedCommission = {
  record: CommissionRecord;
  affiliate: string;
  /** As it is here, if it was imported before. */
  known: KnownCommission | null;
  order: PlannedOrder | null;
  /** When it was earned: the time of its order. */
  at: Date;
  state: CommissionState;
  maturesAt: Date;
  heldFor: string | null;
};

export type PlannedOrder = {
  record: OrderRecord;
  affiliate: string;
  /** As it is here, if it was imported before. */
  known: KnownOrder | null;
  /** What is recorded: an order that was refunded in part is recorded with what remained. */
  amountCents: number;
  /** A refund of the whole order is to be recorded. */
  isRefunded: boolean;
  commissions: PlannedCommission[];
};

export type Orders = { orders: PlannedOrder[]; commissions: PlannedCommission[] };

type Inputs = { known: Known; affiliates: Affiliates };

/** Plans the orders with their commissions, and the commissions without an order. */
export function planOrders(records: readonly PastRecord[], inputs: Inputs, outcomes: Outcomes): Orders {
  const earners = findEarners(records);
  const [orders, rejected] = [new Map<string, PlannedOrder>(), new Set<string>()];
  for (const record of records) {
    if (record.kind !== 'order' || (record.isImplied && rejected.has(record.id))) continue;
    const planned = planOrder(record, { orders, earners }, inputs, outcomes);
    if (planned) orders.set(record.id, planned);
    else if (!orders.has(record.id)) rejected.add(record.id);
  }
  const commissions = new Map<string, PlannedCommission>();
  for (const record of records) {
    if (record.kind !== 'commission') continue;
    const planned = planCommission(record, { commissions, orders, rejected }, inputs, outcomes);
    if (!planned) continue;
    commissions.set(record.id, planned);
    planned.order?.commissions.push(planned);
  }
  for (const order of orders.values()) Object.assign(order, decideRefund(order));
  return { orders: [...orders.values()], commissions: [...commissions.values()] };
}

function planOrder(
  record: OrderRecord,
  { orders, earners }: { orders: ReadonlyMap<string, PlannedOrder>; earners: ReadonlyMap<string, string> },
  { known, affiliates }: Inputs,
  outcomes: Outcomes,
): PlannedOrder | null {
  const same = orders.get(record.id);
  if (same) return record.isImplied ? null : outcomes.reject(record, 'order', `is the same as in ${describePlace(same.record)}`);
  const before = known.orders.get(known.imported.order.get(record.id) ?? '') ?? null;
  const name = record.affiliate ?? earners.get(record.id);
  if (name === undefined) return outcomes.reject(record, 'affiliate', 'is not known: no commission of these files names the order');
  const affiliate = affiliates.find(name);
  if (affiliate === null) return outcomes.reject(record, 'affiliate', missing(name));
  if (known.orderIds.has(record.id))
    return outcomes.reject(record, 'order', `${record.id} is already recorded in the program, by other means`);
  if (record.amountCents < 0) return outcomes.reject(record, 'amount', 'must not be below 0');
  const fault = findCurrencyFault(record, known) ?? findTimeFault(record.occurredAt, known);
  if (fault) return outcomes.reject(record, fault.column, fault.reason);
  outcomes.count('order', before === null ? 'taken' : 'existed');
  return { record, affiliate, known: before, amountCents: record.amountCents, isRefunded: false, commissions: [] };
}

/** The affiliate of the first commission of each order. */
function findEarners(records: readonly PastRecord[]): Map<string, string> {
  const earners = new Map<string, string>();
  for (const record of records)
    if (record.kind === 'commission' && record.order !== null && !earners.has(record.order)) earners.set(record.order, record.affiliate);
  return earners;
}

type Found = {
  commissions: ReadonlyMap<string, PlannedCommission>;
  orders: ReadonlyMap<string, PlannedOrder>;
  rejected: ReadonlySet<string>;
};

function planCommission(
  record: CommissionRecord,
  found: Found,
  { known, affiliates }: Inputs,
  outcomes: Outcomes,
): PlannedCommission | null {
  const reject = (column: string, reason: string) => outcomes.reject(record, column, reason);
  const same = found.commissions.get(record.id);
  if (same) return reject('commission', `is the same as in ${describePlace(same.record)}`);
  const affiliate = affiliates.find(record.affiliate);
  if (affiliate === null) return reject('affiliate', missing(record.affiliate));
  const fault = findCurrencyFault(record, known) ?? findTimeFault(record.createdAt, known);
  if (fault) return reject(fault.column, fault.reason);
  if (record.amountCents < 0 && record.order !== null) return reject('amount', 'must not be below 0 for a commission of an order');
  const knownId = known.imported.commission.get(record.id);
  const before = (knownId && known.commissions.get(knownId)) || null;
  if (before && before.amountCents !== record.amountCents)
    return reject('amount', 'differs from the amount that was imported before; the amount of a commission never changes');
  const order = record.order === null ? null : (found.orders.get(record.order) ?? null);
  if (record.order !== null && !before) {
    if (found.rejected.has(record.order)) return reject('order', `belongs to the order ${record.order}, which is not taken`);
    if (knownId === undefined && !order) return reject('order', `${record.order} is not in these files`);
    if (knownId === undefined && order?.known) return reject('order', `${record.order} was imported before, without this commission`);
  }
  outcomes.count('commission', knownId === undefined ? 'taken' : 'existed');
  const at = order?.record.occurredAt ?? record.createdAt;
  return { record, affiliate, known: before, order, at, ...decideState(record, at, known) };
}

/**
 * A pending commission matures when the other system says, or after the hold period of the program. If that has passed, the
 * other system waits for a decision, and so does this one: it is held.
 */
function decideState(
  record: CommissionRecord,
  at: Date,
  { now, holdDays }: Known,
): Pick<PlannedCommission, 'state' | 'maturesAt' | 'heldFor'> {
  const maturesAt = record.maturesAt ?? (record.state === 'pending' ? new Date(at.getTime() + holdDays * 86_400_000) : at);
  const isOverdue = record.state === 'pending' && maturesAt <= now;
  if (record.state !== 'held' && !isOverdue) return { state: record.state, maturesAt, heldFor: null };
  if (record.amountCents <= 0) return { state: 'approved', maturesAt, heldFor: null };
  return { state: 'held', maturesAt, heldFor: record.note ?? 'Not approved in the previous system' };
}

/** A refund of the whole order is recorded as one, if no commission was kept. One that was imported before stays as it is. */
function decideRefund({ record, known, commissions }: PlannedOrder): Pick<PlannedOrder, 'amountCents' | 'isRefunded'> {
  const { amountCents, refundedCents } = record;
  if (refundedCents < amountCents) return { amountCents: amountCents - Math.max(0, refundedCents), isRefunded: false };
  const isWhole = amountCents > 0 && commissions.every((one) => one.state === 'rejected' && one.known?.status !== 'paid');
  return { amountCents, isRefunded: isWhole && (known?.refundedCents ?? 0) === 0 };
}

type Fault = { column: string; reason: string };

export function findCurrencyFault({ currency }: { currency: string | null }, known: Known): Fault | null {
  if (currency === null || currency === known.currency) return null;
  return { column: 'currency', reason: `is ${currency}, but the currency of the program is ${known.currency}` };
}

export function findTimeFault(at: Date, { now }: Known): Fault | null {
  return at > now ? { column: 'time', reason: `${at.toISOString()} is in the future` } : null;
}
