// Records payouts that another system paid, with the commissions they paid. Nothing is sent: each is recorded as paid
// manually, in one transaction, at the time of `tx.clock`.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { addSettled } from '../../earning/commissions/add-settled.ts';
import { type LockedLedger, post } from '../../earning/ledger/post.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { stopClock } from '../../platform/lib/clock.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { changePayouts } from './change-payouts.ts';
import { lockPayouts } from './payout.ts';
import { insertFirstEvents } from './reserve.ts';

/** `lines` add up to more than 0; below 0, a line nets a debt. The commissions must be approved. */
export type PastPayout = {
  affiliateId: string;
  reference: string | null;
  lines: readonly { commissionId: string; cents: number }[];
};

/**
 * Records past payouts as one batch, one payout per affiliate at most, and returns their ids in the same order. The ledger
 * must be locked.
 */
export async function recordPastPayouts(
  tickingTx: Tx,
  ledger: LockedLedger,
  { payouts, note }: { payouts: readonly PastPayout[]; note: string },
  actor: Actor,
): Promise<string[]> {
  if (payouts.length === 0) return [];
  const { programId } = ledger;
  const tx = stopClock(tickingTx);
  const batchId = tx.ids.uuid();
  const rows = payouts.map((payout) => toRow(tx, ledger, { payout, batchId }));
  const ids = rows.map(({ id }) => id);
  await insertBatch(tx, ledger, { batchId, totals: rows.map(({ amountCents }) => amountCents), note }, actor);
  await insertRows(tx, 'payouts', rows);
  await insertFirstEvents(tx, programId, { payoutIds: ids, reason: note }, actor);
  const lines = payouts.flatMap((payout, index) => payout.lines.map((line) => ({ payoutId: ids[index] ?? '', ...line })));
  await insertRows(
    tx,
    'payoutLines',
    lines.map((line) => ({ programId, ...line, isLive: true })),
  );
  await addSettled(tx, programId, lines);
  await post(tx, ledger, rows.map(toReservation));
  const references = new Map(payouts.map(({ reference }, index) => [ids[index], reference ?? undefined]));
  const changes = (await lockPayouts(tx, programId, ids)).map((payout) => ({
    payout,
    to: 'paid' as const,
    reference: references.get(payout.id),
  }));
  await changePayouts(tx, ledger, changes, actor);
  return ids;
}

type Placed = { payout: PastPayout; batchId: string };

function toRow(tx: Pick<Tx, 'ids' | 'clock'>, { programId, currency }: LockedLedger, { payout, batchId }: Placed) {
  const now = tx.clock.now();
  return {
    programId,
    id: tx.ids.uuid(),
    batchId,
    affiliateId: payout.affiliateId,
    amountCents: sumOf(payout.lines.map(({ cents }) => cents)),
    currency,
    status: 'queued',
    changes: 1,
    attempts: 0,
    periodStartAt: now,
    periodEndAt: now,
    createdAt: now,
    updatedAt: now,
  };
}

type NewBatch = { batchId: string; totals: readonly number[]; note: string };

async function insertBatch(tx: Tx, { programId, currency }: LockedLedger, { batchId, totals, note }: NewBatch, actor: Actor) {
  const now = tx.clock.now();
  const batch = {
    programId,
    id: batchId,
    providerId: null,
    providerType: 'manual',
    currency,
    totalCents: sumOf(totals),
    payoutCount: totals.length,
    cutoffAt: now,
    note,
    dispatchedByKind: actor.kind,
    dispatchedById: actor.id,
    needsApproval: false,
    createdAt: now,
  };
  await tx.db.insertInto('payoutBatches').values(batch).execute();
}

function toReservation({ id: ref, affiliateId, amountCents: cents }: ReturnType<typeof toRow>) {
  return {
    kind: 'reserve' as const,
    ref,
    affiliateId,
    commissionId: null,
    debit: 'available' as const,
    credit: 'in_transit' as const,
    cents,
  };
}

/** The systems whose history is being imported. Until that has finished, what they paid can still seem to be owed. */
export async function findUnfinishedImports({ db }: Pick<Context, 'db'>, programId: string): Promise<string[]> {
  const { rows } = await sql<{ source: string }>`
    select source from imports where program_id = ${programId} and finished_at is null order by source`.execute(db);
  return rows.map(({ source }) => source);
}
