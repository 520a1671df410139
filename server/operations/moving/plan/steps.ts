// What happened, in the order in which it is recorded: day by day, so that the ledger, its statements and its history read as if the
// program had always been here. Days are those of the program's time zone, which statements and totals use. Pure.
import { localDate } from '../../../platform/lib/zoned-time.ts';
import type { PlannedCommission, PlannedOrder } from './orders.ts';
import type { PlannedPayout } from './payouts.ts';

type Items = {
  orders: PlannedOrder;
  bonuses: PlannedCommission;
  refunds: PlannedOrder;
  approvals: PlannedCommission;
  rejections: PlannedCommission;
  payouts: PlannedPayout;
};
type Kind = keyof Items;

/** In their order on a day. */
const kinds: readonly Kind[] = ['orders', 'bonuses', 'refunds', 'approvals', 'rejections', 'payouts'];

/** What is written together. `at` is the time of the last item, and not before the steps that precede it on the day. */
export type Step = { [Name in Kind]: { kind: Name; items: Items[Name][]; at: Date } }[Kind];

type Timed = { item: Items[Kind]; at: number };
type Day = { day: string } & { [Name in Kind]: Timed[] };
type Planned = { orders: readonly PlannedOrder[]; commissions: readonly PlannedCommission[]; payouts: readonly PlannedPayout[] };

/** Long days are written in parts of so many items. */
const maxItems = 500;
/** The date changes, and time zones differ, by quarters of an hour at least. */
const quarterHourMs = 15 * 60_000;

/** Plans the steps, the earliest first. */
export function planSteps(planned: Planned, { timezone, now }: { timezone: string; now: Date }): Step[] {
  const days = new Map<string, Day>();
  const known = new Map<number, Day>();
  const findDay = (at: number): Day => {
    const quarter = Math.floor(at / quarterHourMs);
    const found = known.get(quarter);
    if (found) return found;
    const day = localDate(new Date(at), timezone);
    const entry = days.get(day) ?? { day, orders: [], bonuses: [], refunds: [], approvals: [], rejections: [], payouts: [] };
    days.set(day, entry);
    known.set(quarter, entry);
    return entry;
  };
  const add = <Name extends Kind>(kind: Name, item: Items[Name], date: Date): void => {
    const at = date.getTime();
    findDay(at)[kind].push({ item, at });
  };
  addCommissions(planned, now, add);
  for (const order of planned.orders) {
    if (order.known === null) add('orders', order, order.record.occurredAt);
    const refundedAt = order.commissions[0]?.record.rejectedAt ?? order.record.occurredAt;
    if (order.isRefunded) add('refunds', order, clamp(refundedAt, order.record.occurredAt, now));
  }
  for (const payout of planned.payouts) add('payouts', payout, payout.at);
  return [...days.values()].toSorted((one, other) => (one.day < other.day ? -1 : 1)).flatMap(toSteps);
}

type Add = <Name extends Kind>(kind: Name, item: Items[Name], at: Date) => void;

function addCommissions({ commissions, payouts }: Planned, now: Date, add: Add): void {
  const paidAt = new Map<PlannedCommission, Date>();
  for (const { lines, at } of payouts) for (const { commission } of lines) if (!paidAt.has(commission)) paidAt.set(commission, at);
  for (const commission of commissions) {
    const latest = paidAt.get(commission) ?? now;
    if (isNew(commission) && commission.record.order === null) add('bonuses', commission, commission.at);
    if (needsApproval(commission)) add('approvals', commission, clamp(commission.maturesAt, commission.at, latest));
    if (needsRejection(commission)) add('rejections', commission, clamp(commission.record.rejectedAt ?? commission.at, commission.at, now));
  }
}

/** The steps of a day. */
function toSteps(day: Day): Step[] {
  const steps: Step[] = [];
  let latest = 0;
  for (const kind of kinds) {
    const timed = day[kind].toSorted((one, other) => one.at - other.at);
    for (let from = 0; from < timed.length; from += maxItems) {
      const part = timed.slice(from, from + maxItems);
      latest = Math.max(latest, part.at(-1)?.at ?? 0);
      steps.push({ kind, items: part.map(({ item }) => item), at: new Date(latest) } as Step);
    }
  }
  return steps;
}

/** Whether the commission is recorded by this import. One of 0 leaves nothing to record. */
export function isNew({ known, record }: PlannedCommission): boolean {
  return known === null && record.amountCents !== 0;
}

function needsApproval({ known, record, state }: PlannedCommission): boolean {
  if (state !== 'approved' && state !== 'paid') return false;
  if (known) return known.status === 'pending' || known.status === 'held';
  return record.order !== null && record.amountCents !== 0;
}

/** The commissions of an order that was refunded are reversed by the refund. */
function needsRejection({ known, record, state, order }: PlannedCommission): boolean {
  if (state !== 'rejected' || order?.isRefunded) return false;
  return known ? ['pending', 'held', 'approved'].includes(known.status) : record.amountCents !== 0;
}

function clamp(at: Date, from: Date, to: Date): Date {
  return at < from ? from : at > to ? (to < from ? from : to) : at;
}
