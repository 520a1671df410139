// Reserves the money of a batch in the transaction that found it due: the batch, a payout per affiliate with its amount and
// destination, its commissions, and the ledger entries. Nothing is sent yet.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { addSettled, type Settled } from '../../earning/commissions/add-settled.ts';
import { isOwed } from '../../earning/commissions/counts.ts';
import { type LockedLedger, post } from '../../earning/ledger/post.ts';
import { recordEvents } from '../../messaging/events/record.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { sumOf } from '../../platform/lib/money.ts';
import type { ChosenProvider } from './choose-provider.ts';
import { isDueBy, type PlannedPayout } from './due/find-due.ts';
import { toCreatedEvents } from './events.ts';
import { toExchangeColumns } from './exchange/payout-exchange.ts';
import { lockPayouts } from './payout.ts';

export type NewBatch = { provider: ChosenProvider; cutoffAt: Date; note: string | null; dispatchedBy: Actor; needsApproval: boolean };

/** Returns the id of the batch. `due` must have been read while the ledger was locked. */
export async function reserveBatch(tx: Tx, ledger: LockedLedger, due: readonly PlannedPayout[], batch: NewBatch): Promise<string> {
  const { programId, currency } = ledger;
  const { provider, cutoffAt, note, dispatchedBy, needsApproval } = batch;
  const batchId = tx.ids.uuid();
  const now = tx.clock.now();
  await tx.db
    .insertInto('payoutBatches')
    .values({
      programId,
      id: batchId,
      providerId: provider.providerId,
      providerType: provider.type,
      currency,
      totalCents: sumOf(due.map(({ amountCents }) => amountCents)),
      payoutCount: due.length,
      cutoffAt,
      note,
      dispatchedByKind: dispatchedBy.kind,
      dispatchedById: dispatchedBy.id,
      needsApproval,
      createdAt: now,
    })
    .execute();
  const payouts = due.map(({ affiliateId, amountCents, exchange, periodStartAt, method, destination, fingerprint }) => ({
    programId,
    id: tx.ids.uuid(),
    batchId,
    affiliateId,
    amountCents,
    currency,
    ...toExchangeColumns(exchange),
    status: 'queued',
    method,
    destination,
    destinationFingerprint: fingerprint,
    periodStartAt,
    periodEndAt: cutoffAt,
    attempts: 0,
    changes: 1,
    createdAt: now,
    updatedAt: now,
  }));
  await insertRows(tx, 'payouts', payouts);
  await insertFirstEvents(tx, programId, { payoutIds: payouts.map(({ id }) => id), reason: null }, dispatchedBy);
  await insertLines(tx, programId, { batchId, cutoffAt });
  const transfers = payouts.map(({ id: ref, affiliateId, amountCents }) => ({
    kind: 'reserve' as const,
    ref,
    affiliateId,
    commissionId: null,
    cents: amountCents,
    debit: 'available' as const,
    credit: 'in_transit' as const,
  }));
  await post(tx, ledger, transfers);
  return batchId;
}

/** The first entry in the history of new payouts, and the events that announce them. */
export async function insertFirstEvents(
  tx: Tx,
  programId: string,
  { payoutIds, reason }: { payoutIds: readonly string[]; reason: string | null },
  actor: Actor,
): Promise<void> {
  const createdAt = tx.clock.now();
  const events = payoutIds.map((payoutId) => ({
    programId,
    payoutId,
    step: 1,
    fromStatus: null,
    toStatus: 'queued',
    actorKind: actor.kind,
    actorId: actor.id,
    reason,
    createdAt,
  }));
  await insertRows(tx, 'payoutEvents', events);
  await recordEvents(tx, { programId, actor }, toCreatedEvents(await lockPayouts(tx, programId, payoutIds)));
}

/** The unique index payout_lines_live ensures that a commission is part of one open payout at most. */
async function insertLines(tx: Tx, programId: string, { batchId, cutoffAt }: { batchId: string; cutoffAt: Date }): Promise<void> {
  const payouts = sql`(select program_id, id, affiliate_id, amount_cents from payouts where program_id = ${programId} and batch_id = ${batchId})`;
  const { rows: lines } = await sql<Settled>`
    insert into payout_lines (program_id, payout_id, commission_id, cents, is_live)
    select program_id, payout.id, commission.id, commission.amount_cents - reversed_cents - settled_cents, true
    from ${payouts} as payout
    join (select * from commissions where program_id = ${programId} and ${isOwed} and ${isDueBy(programId, cutoffAt)}) as commission
      using (program_id, affiliate_id)
    returning commission_id, cents`.execute(tx.db);
  await addSettled(tx, programId, lines);
  const { rows } = await sql`
    select payout.id from ${payouts} as payout join payout_lines as line on line.program_id = ${programId} and line.payout_id = payout.id
    group by payout.id, payout.amount_cents having sum(line.cents) <> payout.amount_cents`.execute(tx.db);
  if (rows.length > 0) throw new Error('A payout is not the sum of its commissions.');
}
