// Records a payment that the provider made and the database doesn't contain, because the database was restored to an earlier
// time. It becomes a payout again, under its own id, of the commissions that are owed, the oldest first. An amount beyond them is
// a debt that later payouts net: the orders behind it will be reported again, or were lost. A payment in another currency is
// converted at the latest stored rate, because the rate that it was made at was lost, too.
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { addSettled, type Settled } from '../../../earning/commissions/add-settled.ts';
import { convertCents } from '../../../earning/exchange-rates/exchange.ts';
import { findRates, toRateKey } from '../../../earning/exchange-rates/find-rates.ts';
import { type LockedLedger, post } from '../../../earning/ledger/post.ts';
import { insertRows } from '../../../platform/db/inserts/insert-rows.ts';
import type { PayoutDiscrepancies } from '../../../platform/db/schema.gen.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';
import { changePayouts } from '../change-payouts.ts';
import { type PayoutExchange, toExchangeColumns } from '../exchange/payout-exchange.ts';
import { lockPayouts } from '../payout.ts';
import { insertFirstEvents } from '../reserve.ts';

type Discrepancy = Pick<
  Selectable<PayoutDiscrepancies>,
  'kind' | 'payoutId' | 'amountCents' | 'currency' | 'providerId' | 'reference' | 'createdAt'
>;

type Payment = {
  payoutId: string;
  affiliateId: string;
  providerId: string;
  reference: string;
  amountCents: number;
  exchange: PayoutExchange | null;
  paidAt: Date;
};

/** Why a payment can't be recorded: it is not a lost payout of this installation, the affiliate has no earnings, or no rate is stored. */
export type NotRecorded = 'not_lost' | 'never_earned' | 'rate_missing';

/** Records the payment of a discrepancy for this affiliate. Returns null on success. */
export async function recordUnknownPayment(
  tx: Tx,
  ledger: LockedLedger,
  { discrepancy, affiliateId }: { discrepancy: Discrepancy; affiliateId: string },
  actor: Actor,
): Promise<NotRecorded | null> {
  const { kind, payoutId, amountCents, currency, providerId, reference, createdAt } = discrepancy;
  if (kind !== 'unknown_payment' || !payoutId || amountCents === null || currency === null) return 'not_lost';
  const converted = await convertPayment(tx, ledger, { amountCents, currency });
  if (!converted) return 'rate_missing';
  const payment = { payoutId, affiliateId, providerId, reference, ...converted, paidAt: createdAt };
  const shares = await divideAmount(tx, ledger.programId, payment);
  if (shares.length === 0) return 'never_earned';
  await insertPayout(tx, ledger, { payment, shares }, actor);
  const changes = (await lockPayouts(tx, ledger.programId, [payoutId])).map((payout) => ({ payout, to: 'paid' as const, reference }));
  await changePayouts(tx, ledger, changes, actor);
  return null;
}

/** What a payment in any currency is worth in that of the ledger. Null without a rate, or if it is worth nothing. */
async function convertPayment(
  tx: Tx,
  { programId, currency: to, timezone }: LockedLedger,
  paid: { amountCents: number; currency: string },
): Promise<Pick<Payment, 'amountCents' | 'exchange'> | null> {
  const { amountCents, currency } = paid;
  if (currency === to) return { amountCents, exchange: null };
  const wanted = { currency, day: localDate(tx.clock.now(), timezone) };
  const rate = (await findRates(tx, programId, [wanted])).get(toRateKey(wanted));
  const cents = rate ? convertCents(amountCents, { rate: rate.rate, from: currency, to }) : 0;
  return rate && cents > 0 ? { amountCents: cents, exchange: { ...paid, ...rate } } : null;
}

type NewPayout = { payment: Payment; shares: readonly Settled[] };

async function insertPayout(tx: Tx, ledger: LockedLedger, { payment, shares }: NewPayout, actor: Actor): Promise<void> {
  const { programId, currency } = ledger;
  const { payoutId, affiliateId, providerId, amountCents, exchange, paidAt } = payment;
  const [now, batchId] = [tx.clock.now(), tx.ids.uuid()];
  const providers = tx.db.selectFrom('providers').select('type').where('programId', '=', programId);
  const { type: providerType } = await providers.where('id', '=', providerId).executeTakeFirstOrThrow();
  await tx.db
    .insertInto('payoutBatches')
    .values({
      programId,
      id: batchId,
      providerId,
      providerType,
      currency,
      totalCents: amountCents,
      payoutCount: 1,
      cutoffAt: paidAt,
      note: "Found in the provider's records",
      dispatchedByKind: actor.kind,
      dispatchedById: actor.id,
      needsApproval: false,
      createdAt: now,
    })
    .execute();
  const payout = {
    programId,
    id: payoutId,
    batchId,
    affiliateId,
    amountCents,
    currency,
    ...toExchangeColumns(exchange),
    status: 'queued',
    changes: 1,
    attempts: 1,
    periodStartAt: paidAt,
    periodEndAt: paidAt,
    firstAttemptAt: paidAt,
    createdAt: now,
    updatedAt: now,
  };
  await insertRows(tx, 'payouts', [payout]);
  await insertFirstEvents(tx, programId, { payoutIds: [payoutId], reason: "found in the provider's records" }, actor);
  const lines = shares.map(({ commissionId, cents }) => ({ programId, payoutId, commissionId, cents, isLive: true }));
  await insertRows(tx, 'payoutLines', lines);
  await addSettled(tx, programId, shares);
  await post(tx, ledger, [
    { kind: 'reserve', ref: payoutId, affiliateId, commissionId: null, debit: 'available', credit: 'in_transit', cents: amountCents },
  ]);
}

/** Divides the amount among what is owed, the oldest first. The last share also includes the remainder. */
async function divideAmount(tx: Tx, programId: string, { affiliateId, amountCents }: Payment): Promise<Settled[]> {
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
  if (left === 0) return shares;
  const last = shares.at(-1);
  const [first] = rows;
  if (last) return [...shares.slice(0, -1), { commissionId: last.commissionId, cents: last.cents + left }];
  return first ? [{ commissionId: first.id, cents: left }] : [];
}
