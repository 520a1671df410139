// Sets money aside for a batch, in the transaction that found it due: the batch, an item for each affiliate with its
// amount and destination frozen, the commissions it is made of, and the entries. Nothing has been sent yet.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { addSettled, type Settled } from '../../earning/commissions/add-settled.ts';
import { type LockedLedger, post } from '../../earning/ledger/post.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { countsBy, type Debtor, isOwing } from './due.ts';
import type { PayBy } from './pay-by.ts';

type NewBatch = { by: PayBy; asOf: Date; note: string | null; dispatchedBy: string; needsApproval: boolean };

/** Returns the id of the batch. `due` must have been read since the ledger was opened. */
export async function reserve(tx: Tx, ledger: LockedLedger, due: readonly Debtor[], { by, asOf, ...rest }: NewBatch): Promise<string> {
  const { programId, currency } = ledger;
  const id = tx.ids.uuid();
  const now = tx.clock.now();
  const totalCents = sumOf(due.map(({ amountCents }) => amountCents));
  const batch = { programId, id, providerId: by.providerId, rail: by.rail, currency, totalCents, itemCount: due.length, asOf, ...rest };
  await tx.db
    .insertInto('payoutBatches')
    .values({ ...batch, createdAt: now })
    .execute();
  const items = due.map(({ affiliateId, amountCents, periodStart, method, destination, fingerprint }) => ({
    ...{ programId, id: tx.ids.uuid(), batchId: id, affiliateId, amountCents, currency, status: 'queued', method, destination },
    ...{ destinationFingerprint: fingerprint, periodStart, periodEnd: asOf, tries: 0, changes: 1, createdAt: now, updatedAt: now },
  }));
  await insertRows(tx, 'payoutItems', items);
  await insertRows(
    tx,
    'payoutEvents',
    items.map(({ id: itemId }) => ({
      ...{ programId, itemId, step: 1, fromStatus: null, toStatus: 'queued', source: `api_key:${rest.dispatchedBy}`, reason: null },
      createdAt: now,
    })),
  );
  await writeLines(tx, programId, { batchId: id, asOf });
  const transfers = items.map(({ id: ref, affiliateId, amountCents }) => ({
    ...{ kind: 'reserve' as const, ref, affiliateId, commissionId: null, cents: amountCents },
    ...{ debit: 'available' as const, credit: 'in_transit' as const },
  }));
  await post(tx, ledger, transfers);
  return id;
}

/** The unique index payout_lines_live is the last wall: a commission is in one live item at most. */
async function writeLines(tx: Tx, programId: string, { batchId, asOf }: { batchId: string; asOf: Date }): Promise<void> {
  const items = sql`(select id, affiliate_id, amount_cents from payout_items where program_id = ${programId} and batch_id = ${batchId})`;
  const { rows: lines } = await sql<Settled>`
    insert into payout_lines (program_id, item_id, commission_id, cents, is_live)
    select ${programId}, item.id, commission.id, commission.amount_cents - reversed_cents - settled_cents, true
    from ${items} as item
    join (select * from commissions where program_id = ${programId} and ${isOwing} and ${countsBy(asOf)}) as commission using (affiliate_id)
    returning commission_id, cents`.execute(tx.db);
  await addSettled(tx, programId, lines);
  const { rows } = await sql`
    select item.id from ${items} as item join payout_lines as line on line.program_id = ${programId} and line.item_id = item.id
    group by item.id, item.amount_cents having sum(line.cents) <> item.amount_cents`.execute(tx.db);
  if (rows.length > 0) throw new Error('A payout is not the sum of its commissions.');
}
