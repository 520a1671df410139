// What happened on each day, in the order in which it is recorded: so the ledger, its statements and its history read as if
// the program had always been here. Days are those of the program's time zone, which statements and totals use. Pure.
import { localDate } from '../../../platform/lib/zoned-time.ts';
import type { PlannedCommission, PlannedOrder } from './orders.ts';
import type { PlannedPayout } from './payouts.ts';

export type Timed<Item> = { item: Item; at: Date };

export type Day = {
  day: string;
  orders: Timed<PlannedOrder>[];
  bonuses: Timed<PlannedCommission>[];
  refunds: Timed<PlannedOrder>[];
  approvals: Timed<PlannedCommission>[];
  rejections: Timed<PlannedCommission>[];
  payouts: Timed<PlannedPayout>[];
};

type Steps = Exclude<keyof Day, 'day'>;
type Planned = { orders: readonly PlannedOrder[]; commissions: readonly PlannedCommission[]; payouts: readonly PlannedPayout[] };

/** The days with something to record, the earliest first. */
export function planDays({ orders, commissions, payouts }: Planned, { timezone, now }: { timezone: string; now: Date }): Day[] {
  const days = new Map<string, Day>();
  const add = <Step extends Steps>(step: Step, item: Day[Step][number]['item'], at: Date): void => {
    const day = localDate(at, timezone);
    const found = days.get(day) ?? { day, orders: [], bonuses: [], refunds: [], approvals: [], rejections: [], payouts: [] };
    days.set(day, found);
    (found[step] as Timed<unknown>[]).push({ item, at });
  };
  const paidAt = new Map(payouts.toReversed().flatMap(({ lines, at }) => lines.map(({ commission }) => [commission, at] as const)));
  for (const commission of commissions) {
    const latest = paidAt.get(commission) ?? now;
    if (isNew(commission) && commission.record.order === null) add('bonuses', commission, commission.at);
    if (needsApproval(commission)) add('approvals', commission, clamp(commission.maturesAt, commission.at, latest));
    if (needsRejection(commission)) add('rejections', commission, clamp(commission.record.rejectedAt ?? commission.at, commission.at, now));
  }
  for (const order of orders) {
    add('orders', order, order.record.occurredAt);
    const refundedAt = order.commissions[0]?.record.rejectedAt ?? order.record.occurredAt;
    if (order.isRefunded) add('refunds', order, clamp(refundedAt, order.record.occurredAt, now));
  }
  for (const payout of payouts) add('payouts', payout, payout.at);
  return [...days.values()].toSorted((one, other) => (one.day < other.day ? -1 : 1));
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
