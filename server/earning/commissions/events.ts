// The events of commissions. Each announces the commission as the API returns it, after the change.
import type { Tx } from '../../context.ts';
import { defineEvent, type NewEvent } from '../../messaging/events/define.ts';
import type { CommissionStatus } from '../orders/conversion-shape.ts';
import { CommissionShape, owedCents, type Row, selectCommissions, toCommission } from './commission.ts';

const object = 'commission';
const data = CommissionShape;

export const commissionCreated = defineEvent({
  type: 'commission.created',
  object,
  isCreation: true,
  data,
  summary: 'An affiliate earned a commission, or was granted a bonus or an adjustment.',
});
export const commissionMatured = defineEvent({
  type: 'commission.matured',
  object,
  data,
  summary: 'The hold period of a commission ended, or its last hold: it is `approved` and payable.',
  previous: { status: 'pending' },
});
export const commissionAdjusted = defineEvent({
  type: 'commission.adjusted',
  object,
  data,
  summary:
    'A commission changed in any other way: it was held or released, reversed or restored by a refund, rejected, corrected by an ' +
    'adjustment, or a payout of it failed or was returned.',
  previous: { reversedCents: 0, owedCents: 1250 },
});
export const commissionPaid = defineEvent({
  type: 'commission.paid',
  object,
  data,
  summary: 'A payout of the commission arrived.',
  previous: { status: 'approved' },
});

function eventOf(to: CommissionStatus, from: string) {
  if (to === 'paid') return commissionPaid;
  return to === 'approved' && (from === 'pending' || from === 'held') ? commissionMatured : commissionAdjusted;
}

/** The events of commissions whose status has changed. `before`: their rows before it. */
export function toStatusEvents(tx: Tx, programId: string, before: readonly Row[], to: CommissionStatus): Promise<NewEvent[]> {
  return toEvents(tx, programId, before, (row) => ({ event: eventOf(to, row.status), previous: { status: row.status } }));
}

/** The events of commissions whose reversed amount has changed. `before`: their rows before it. */
export function toAmountEvents(tx: Tx, programId: string, before: readonly Row[]): Promise<NewEvent[]> {
  return toEvents(tx, programId, before, (row) => ({
    event: commissionAdjusted,
    previous: { reversedCents: row.reversedCents, owedCents: owedCents(row) },
  }));
}

type Change = { event: typeof commissionAdjusted | typeof commissionMatured | typeof commissionPaid; previous: Record<string, unknown> };

async function toEvents(tx: Tx, programId: string, before: readonly Row[], describe: (row: Row) => Change): Promise<NewEvent[]> {
  if (before.length === 0 || tx.isHistory) return [];
  const ids = before.map(({ id }) => id);
  const rows = await selectCommissions(tx, programId).where('commission.id', 'in', ids).execute();
  const now = new Map(rows.map((row) => [row.id, row]));
  return before.flatMap((row) => {
    const after = now.get(row.id);
    if (!after) return [];
    const { event, previous } = describe(row);
    return [event.of({ objectId: row.id, affiliateId: row.affiliateId, data: toCommission(after), previous })];
  });
}
