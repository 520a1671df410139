// Taking in a payment that a rail made and our ledger doesn't contain: the database was restored to a time before it. It
// becomes a payout again, under its own id, of the commissions that are owed, the oldest first. What it exceeds them
// by is a debt that later payouts net: the orders behind it will be reported anew, or were lost.
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { addSettled, type Settled } from '../../../earning/commissions/add-settled.ts';
import { type LockedLedger, post } from '../../../earning/ledger/post.ts';
import { insertRows } from '../../../platform/db/insert-rows.ts';
import type { PayoutDifferences } from '../../../platform/db/schema.gen.ts';
import { changeItems } from '../change.ts';
import { lockItems } from '../payout.ts';

type Unknown = {
  itemId: string;
  affiliateId: string;
  providerId: string;
  rail: string;
  reference: string;
  amountCents: number;
  paidAt: Date;
};

/** What a difference says of the payment, when it can be taken in at all. */
type Told = Pick<Selectable<PayoutDifferences>, 'kind' | 'itemId' | 'amountCents' | 'currency' | 'providerId' | 'reference' | 'foundAt'>;

/** Why a payment can't be taken in: it isn't one of ours that got lost, or the affiliate never earned anything. */
export type Unadopted = 'not_lost' | 'never_earned';

/** Takes in the payment of a difference, for this affiliate; null when that was done. */
export async function adoptDifference(tx: Tx, ledger: LockedLedger, told: Told, affiliateId: string): Promise<Unadopted | null> {
  const { kind, itemId, amountCents, currency, providerId, reference, foundAt } = told;
  if (kind !== 'unknown_payment' || !itemId || amountCents === null || currency !== ledger.currency) return 'not_lost';
  const providers = tx.db.selectFrom('providers').select('type').where('programId', '=', ledger.programId);
  const { type: rail } = await providers.where('id', '=', providerId).executeTakeFirstOrThrow();
  const unknown = { itemId, affiliateId, amountCents, providerId, rail, reference, paidAt: foundAt };
  return (await adopt(tx, ledger, unknown, `reconcile:${providerId}`)) ? null : 'never_earned';
}

/** False for somebody without any commission. */
async function adopt(tx: Tx, ledger: LockedLedger, unknown: Unknown, source: string): Promise<boolean> {
  const shares = await shareOut(tx, ledger.programId, unknown);
  if (shares.length === 0) return false;
  const { programId, currency } = ledger;
  const { itemId, affiliateId, amountCents, providerId, rail, paidAt } = unknown;
  const [now, batchId] = [tx.clock.now(), tx.ids.uuid()];
  await tx.db
    .insertInto('payoutBatches')
    .values({
      ...{ programId, id: batchId, providerId, rail, currency, totalCents: amountCents, itemCount: 1, asOf: paidAt, createdAt: now },
      ...{ note: 'Found in the book of the rail', dispatchedBy: source, needsApproval: false },
    })
    .execute();
  const item = { programId, id: itemId, batchId, affiliateId, amountCents, currency, status: 'queued', changes: 1, tries: 1 };
  await insertRows(tx, 'payoutItems', [
    { ...item, periodStart: paidAt, periodEnd: paidAt, firstTriedAt: paidAt, createdAt: now, updatedAt: now },
  ]);
  const began = { programId, itemId, step: 1, fromStatus: null, toStatus: 'queued', source, reason: 'found in the book of the rail' };
  await insertRows(tx, 'payoutEvents', [{ ...began, createdAt: now }]);
  await insertRows(
    tx,
    'payoutLines',
    shares.map((share) => ({ programId, itemId, ...share, isLive: true })),
  );
  await addSettled(tx, programId, shares);
  await post(tx, ledger, [
    { kind: 'reserve', ref: itemId, affiliateId, commissionId: null, debit: 'available', credit: 'in_transit', cents: amountCents },
  ]);
  const changes = (await lockItems(tx, programId, [itemId])).map((row) => ({
    item: row,
    to: 'paid' as const,
    reference: unknown.reference,
  }));
  await changeItems(tx, ledger, changes, source);
  return true;
}

/** Over what is owed, the oldest first; the last share also takes what is left over. */
async function shareOut(tx: Tx, programId: string, { affiliateId, amountCents }: Unknown): Promise<Settled[]> {
  const { rows } = await sql<{ id: string; owed: number }>`
    select id, greatest(amount_cents - reversed_cents - settled_cents, 0) as owed from commissions as commission
    where program_id = ${programId} and affiliate_id = ${affiliateId} and status not in ('pending', 'held')
      and not exists (select 1 from payout_lines as line
        where line.program_id = ${programId} and line.commission_id = commission.id and line.is_live and line.cents > 0)
    order by amount_cents - reversed_cents - settled_cents > 0 desc, matures_at, id`.execute(tx.db);
  const shares: Settled[] = [];
  let left = amountCents;
  for (const { id, owed } of rows) {
    const cents = Math.min(owed, left);
    if (cents > 0) shares.push({ commissionId: id, cents });
    left -= cents;
  }
  const last = shares.at(-1);
  const [first] = rows;
  if (left > 0 && last) last.cents += left;
  else if (left > 0 && first) shares.push({ commissionId: first.id, cents: left });
  return shares;
}
