// Records amounts of another system that belong to no order, such as bonuses and corrections, which can be negative.
import type { Tx } from '../../../context.ts';
import { addToTotals } from '../../../partners/affiliates/totals/add-to-totals.ts';
import { insertRows } from '../../../platform/db/inserts/insert-rows.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { stopClock } from '../../../platform/lib/clock.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';
import { type LockedLedger, move, post } from '../../ledger/post.ts';
import { insertHolds } from '../accrue.ts';
import { toAccount } from '../commission.ts';
import { addToCounts } from '../counts.ts';

/** `amountCents` is not 0. `status` is `held` only for a positive amount. */
export type PastBonus = {
  affiliateId: string;
  amountCents: number;
  status: 'pending' | 'held' | 'approved';
  maturesAt: Date;
  note: string;
};

/** Records past bonuses at the time of `tx.clock`, and returns their ids in the same order. The ledger must be locked. */
export async function recordPastBonuses(
  tickingTx: Tx,
  ledger: LockedLedger,
  bonuses: readonly PastBonus[],
  actor: Actor,
): Promise<string[]> {
  if (bonuses.length === 0) return [];
  const { programId, timezone } = ledger;
  const tx = stopClock(tickingTx);
  const now = tx.clock.now();
  const rows = bonuses.map((bonus) => toRow(tx, ledger, bonus));
  await insertRows(tx, 'commissions', rows);
  await addToCounts(
    tx,
    programId,
    rows.map((row) => ({ before: null, after: row })),
  );
  const held = rows.filter(({ status }) => status === 'held');
  await insertHolds(
    tx,
    programId,
    held.map(({ id, note }) => ({ commissionId: id, cause: 'manual', causeId: id, reason: null, note })),
  );
  const events = rows.map(({ id, status, note }) => ({
    programId,
    id: tx.ids.uuid(),
    commissionId: id,
    step: 1,
    fromStatus: null,
    toStatus: status,
    reason: null,
    note,
    actorKind: actor.kind,
    actorId: actor.id,
    createdAt: now,
  }));
  await insertRows(tx, 'commissionEvents', events);
  const day = localDate(now, timezone);
  await addToTotals(
    tx,
    ledger,
    rows.map(({ affiliateId, amountCents }) => ({ affiliateId, day, commissionsCents: amountCents })),
  );
  await post(tx, ledger, rows.flatMap(toTransfer));
  return rows.map(({ id }) => id);
}

function toRow(tx: Pick<Tx, 'ids' | 'clock'>, { programId, currency }: LockedLedger, bonus: PastBonus) {
  const now = tx.clock.now();
  return {
    programId,
    id: tx.ids.uuid(),
    ...bonus,
    currency,
    kind: 'bonus' as const,
    conversionId: null,
    level: 1,
    positions: [],
    baseCents: 0,
    flatRefunds: 'pro_rata',
    refundedCents: 0,
    reversedCents: 0,
    settledCents: 0,
    changes: 1,
    createdAt: now,
    updatedAt: now,
  };
}

function toTransfer({ id, affiliateId, status, amountCents }: ReturnType<typeof toRow>) {
  const transfer = { kind: 'adjust', ref: id, affiliateId, commissionId: id, from: 'commissions', to: toAccount(status) } as const;
  return move({ ...transfer, cents: amountCents });
}
