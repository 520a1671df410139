// Writes a step of the history, by the functions that the API uses: orders with their commissions, bonuses, refunds, approvals,
// rejections or payouts.
import type { Tx } from '../../../context.ts';
import { changeStatus } from '../../../earning/commissions/change.ts';
import { lockCommissions } from '../../../earning/commissions/commission.ts';
import { closeHolds } from '../../../earning/commissions/holds.ts';
import { recordPastBonuses } from '../../../earning/commissions/past/record-past-bonuses.ts';
import { rejectCommissions } from '../../../earning/commissions/reject.ts';
import { type PastOrder, recordPastOrders } from '../../../earning/conversions/recording/record-past.ts';
import { type LockedLedger, post } from '../../../earning/ledger/post.ts';
import { applyRefunds, findOrders } from '../../../earning/refunds/apply.ts';
import { refundLines } from '../../../earning/refunds/lines.ts';
import { addToTotals } from '../../../partners/affiliates/totals/add-to-totals.ts';
import { recordPastPayouts } from '../../../paying/payouts/record-past-payouts.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';
import type { PlannedCommission, PlannedOrder } from '../plan/orders.ts';
import type { PlannedPayout } from '../plan/payouts.ts';
import { isNew, type Step } from '../plan/steps.ts';
import { inThePast } from './history.ts';
import { recordImported } from './imported-records.ts';
import type { Writing } from './write-affiliates.ts';

type Recording = Writing & { ledger: LockedLedger; title: string };

/** Writes the step at its time, so that a ledger's entries are in the order of their times. */
export async function writeStep(tx: Tx, recording: Recording, step: Step): Promise<void> {
  const past = inThePast(tx, step.at);
  if (step.kind === 'orders') await writeOrders(past, recording, step.items);
  else if (step.kind === 'bonuses') await writeBonuses(past, recording, step.items);
  else if (step.kind === 'refunds') await writeRefunds(past, recording, step.items);
  else if (step.kind === 'approvals') await approve(past, recording, step.items);
  else if (step.kind === 'rejections') await reject(past, recording, step.items);
  else await writePayouts(past, recording, step.items);
}

async function writeOrders(tx: Tx, recording: Recording, orders: readonly PlannedOrder[]): Promise<void> {
  const past = orders.map((order) => toPastOrder(order, recording));
  const recorded = await recordPastOrders(tx, recording.ledger, past, recording.actor);
  const records = orders.flatMap(({ record, commissions }, index) => {
    const { conversionId = '', commissionIds = [] } = recorded[index] ?? {};
    const ids = commissionIds.values();
    const toRecord = (commission: PlannedCommission) => ({
      kind: 'commission' as const,
      externalId: commission.record.id,
      recordId: isNew(commission) ? (ids.next().value ?? '') : conversionId,
    });
    const earned = commissions.filter(({ known }) => known === null).map(toRecord);
    return [{ kind: 'order' as const, externalId: record.id, recordId: conversionId }, ...earned];
  });
  await recordImported(tx, recording, recording.imported, records);
}

/** A commission of another affiliate than the credited one is that of an upline. */
function toPastOrder({ record, affiliate, amountCents, commissions }: PlannedOrder, { idOf, source }: Recording): PastOrder {
  const { id: orderId, occurredAt, customer, refundedCents } = record;
  const partial = { amountCents: record.amountCents, refundedCents };
  const metadata = amountCents === record.amountCents ? { importedFrom: source } : { importedFrom: source, ...partial };
  return {
    order: { orderId, amountCents, occurredAt, affiliateId: idOf(affiliate), customer: customer ?? undefined, items: [], metadata },
    commissions: commissions.filter(isNew).map((one) => ({
      affiliateId: idOf(one.affiliate),
      level: one.affiliate === affiliate ? 1 : 2,
      amountCents: one.record.amountCents,
      maturesAt: one.maturesAt,
      heldFor: one.heldFor,
    })),
  };
}

async function writeBonuses(tx: Tx, recording: Recording, bonuses: readonly PlannedCommission[]): Promise<void> {
  const { idOf, title } = recording;
  const past = bonuses.map(({ affiliate, record, state, maturesAt, heldFor }) => ({
    affiliateId: idOf(affiliate),
    amountCents: record.amountCents,
    status: state === 'held' || state === 'pending' ? state : ('approved' as const),
    maturesAt,
    note: heldFor ?? record.note ?? `From ${title}`,
  }));
  const ids = await recordPastBonuses(tx, recording.ledger, past, recording.actor);
  const records = bonuses.map(({ record }, index) => ({ kind: 'commission' as const, externalId: record.id, recordId: ids[index] ?? '' }));
  await recordImported(tx, recording, recording.imported, records);
}

async function writeRefunds(tx: Tx, { ledger, actor, source, title }: Recording, orders: readonly PlannedOrder[]): Promise<void> {
  const found = await findOrders(
    tx,
    ledger,
    orders.map(({ record }) => record.id),
  );
  const refunds = found.map((order) => {
    const fresh = { externalId: `${source}:${order.orderId}`, reason: 'refund', note: `From ${title}`, occurredAt: tx.clock.now() };
    return { order, lines: refundLines(order.facts.lines, new Map(), {}), fresh };
  });
  await applyRefunds(tx, ledger, refunds, actor);
}

const idsOf = ({ imported }: Recording, commissions: readonly PlannedCommission[]) =>
  commissions.map(({ record }) => imported.commission.get(record.id) ?? '');

/** What the other system made payable, whether or not it was held here. */
async function approve(tx: Tx, recording: Recording, commissions: readonly PlannedCommission[]): Promise<void> {
  const { ledger, actor } = recording;
  const rows = await lockCommissions(tx, ledger.programId, idsOf(recording, commissions));
  const pending = rows.filter(({ status }) => status === 'pending');
  const changedBy = { actor, reason: null };
  await post(tx, ledger, await changeStatus(tx, ledger, { rows: pending, to: 'approved', kind: 'mature' }, changedBy));
  const causeIds = rows.filter(({ status }) => status === 'held').map(({ id }) => id);
  const { transfers } = await closeHolds(tx, ledger, { cause: 'manual', causeIds }, changedBy);
  await post(tx, ledger, transfers);
}

async function reject(tx: Tx, recording: Recording, commissions: readonly PlannedCommission[]): Promise<void> {
  const { ledger, actor } = recording;
  const ids = idsOf(recording, commissions);
  const days = new Map(commissions.map(({ at }, index) => [ids[index], localDate(at, ledger.timezone)]));
  const rows = await lockCommissions(tx, ledger.programId, ids);
  const { rows: rejected, transfers, reversals } = await rejectCommissions(tx, ledger, rows, { actor, reason: 'rejected' });
  const additions = reversals.map((reversal, index) => ({ ...reversal, day: days.get(rejected[index]?.id) ?? '' }));
  await addToTotals(tx, ledger, additions);
  await post(tx, ledger, transfers);
}

/** Several payouts of an affiliate on one day are in different batches. */
async function writePayouts(tx: Tx, recording: Recording, payouts: readonly PlannedPayout[]): Promise<void> {
  const { ledger, actor, imported, idOf, title } = recording;
  for (const batch of splitBatches(payouts)) {
    const past = batch.map(({ affiliate, reference, lines }) => ({
      affiliateId: idOf(affiliate),
      reference,
      lines: lines.map(({ commission, cents }) => ({ commissionId: imported.commission.get(commission.record.id) ?? '', cents })),
    }));
    const ids = await recordPastPayouts(tx, ledger, { payouts: past, note: `Paid by ${title}` }, actor);
    const records = batch.map(({ id }, index) => ({ kind: 'payout' as const, externalId: id, recordId: ids[index] ?? '' }));
    await recordImported(tx, recording, imported, records);
  }
}

function splitBatches(payouts: readonly PlannedPayout[]): PlannedPayout[][] {
  const batches: PlannedPayout[][] = [];
  const counts = new Map<string, number>();
  for (const payout of payouts) {
    const round = counts.get(payout.affiliate) ?? 0;
    counts.set(payout.affiliate, round + 1);
    batches[round] = [...(batches[round] ?? []), payout];
  }
  return batches;
}
