// Storing where an affiliate is paid, for the API and the portal. The first destination is used immediately; every later
// one waits three days. Each is announced by email, so that the takeover of an account can be stopped in time.
import { sql } from 'kysely';
import type { Destination } from '../../connections/rails/rail.ts';
import type { Tx } from '../../context.ts';
import { createFraudEvents } from '../../earning/fraud/detect.ts';
import { lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import { setPayoutDetailsFigure } from '../../partners/affiliates/totals/figures.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { identifyAccount, identifyDestination } from './destination.ts';
import { notifyChange, removedAction } from './notify-change.ts';
import { decryptDestination, encryptDestination, findPayoutDetails, type PayoutDetailsRow } from './payout-details.ts';

/** How long a change of the destination waits. */
export const waitHours = 72;

type Origin = { programId: string; actor: Actor };
type Stored = { row: PayoutDetailsRow; isNew: boolean };

/** Stores the destination of an affiliate. The same destination again has no effect. */
export async function storeDestination(tx: Tx, origin: Origin & { affiliateId: string }, destination: Destination): Promise<Stored> {
  const { programId, actor, affiliateId: id } = origin;
  const affiliate = await lockAffiliate(tx, programId, id);
  const row = await findPayoutDetails(tx, programId, id);
  const former = row ? decryptDestination(tx.vault, row.encryptedDestination, id) : null;
  if (row && former && identifyDestination(former) === identifyDestination(destination)) return { row, isNew: false };
  const isChange = former !== null || (await wasRemoved(tx, programId, id));
  const now = tx.clock.now();
  const effectiveAt = isChange ? new Date(now.getTime() + waitHours * 3_600_000) : now;
  const payoutCurrency = keepCurrency(row?.payoutCurrency ?? null, destination);
  const written = await writeDestination(tx, { programId, affiliateId: id, effectiveAt, payoutCurrency }, destination);
  await setPayoutDetailsFigure(tx, { programId, affiliateId: id }, true);
  const changeId = await recordChange(tx, {
    programId,
    actor,
    action: isChange ? 'payout_details.changed' : 'payout_details.set',
    subjectId: id,
    before: former ? { method: former.method } : null,
    after: { method: destination.method, effectiveAt },
  });
  const waitsUntil = isChange ? effectiveAt : null;
  await notifyChange(tx, { affiliate, changeId, actor, former, method: destination.method, effectiveAt: waitsUntil });
  await flagSharedAccount(tx, { programId, actor }, written);
  return { row: written, isNew: row === undefined };
}

/** Removes the destination of an affiliate, who is not paid until a new one is set. Does nothing if none is set. */
export async function removeDestination(tx: Tx, { programId, actor, affiliateId: id }: Origin & { affiliateId: string }): Promise<void> {
  const affiliate = await lockAffiliate(tx, programId, id);
  const former = await findPayoutDetails(tx, programId, id);
  if (!former) return;
  await tx.db.deleteFrom('payoutDetails').where('programId', '=', programId).where('affiliateId', '=', id).execute();
  await setPayoutDetailsFigure(tx, { programId, affiliateId: id }, false);
  const before = { method: former.method };
  const changeId = await recordChange(tx, { programId, actor, action: removedAction, subjectId: id, before });
  const formerDestination = decryptDestination(tx.vault, former.encryptedDestination, id);
  await notifyChange(tx, { affiliate, changeId, actor, former: formerDestination, method: null, effectiveAt: null });
}

/** Whether details were removed before. Removing and setting them again must not avoid the wait. */
async function wasRemoved(tx: Tx, programId: string, affiliateId: string): Promise<boolean> {
  const changes = tx.db.selectFrom('auditLog').select('id').where('programId', '=', programId).where('subjectId', '=', affiliateId);
  return (await changes.where('action', '=', removedAction).limit(1).executeTakeFirst()) !== undefined;
}

/** A bank account that has another currency is paid in that of the program until a currency is chosen again. */
function keepCurrency(chosen: string | null, destination: Destination): string | null {
  return destination.method === 'bank' && destination.currency !== chosen ? null : chosen;
}

type Target = { programId: string; affiliateId: string; effectiveAt: Date; payoutCurrency: string | null };

async function writeDestination(tx: Tx, { programId, affiliateId, effectiveAt, payoutCurrency }: Target, destination: Destination) {
  const now = tx.clock.now();
  const values = {
    method: destination.method,
    encryptedDestination: encryptDestination(tx.vault, destination, affiliateId),
    fingerprint: tx.vault.fingerprint(identifyAccount(destination)),
    usableFrom: effectiveAt,
    payoutCurrency,
    updatedAt: now,
  };
  return tx.db
    .insertInto('payoutDetails')
    .values({ programId, affiliateId, ...values, createdAt: now })
    .onConflict((conflict) => conflict.columns(['programId', 'affiliateId']).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
}

type Written = { affiliateId: string; fingerprint: string };

/** Opens a fraud alert for affiliates with the same payout account, who are often one person. Payouts continue. */
async function flagSharedAccount(tx: Tx, { programId, actor }: Origin, { affiliateId, fingerprint }: Written): Promise<void> {
  // Of two transactions that set the same account, the later waits here and then sees the earlier. It is the last lock
  // of the transaction, so no deadlock is possible.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${programId}:${fingerprint}`}, 0))`.execute(tx.db);
  const { rows } = await sql<{ affiliateId: string }>`
    select detail.affiliate_id from payout_details as detail
    where detail.program_id = ${programId} and detail.fingerprint = ${fingerprint} and detail.affiliate_id <> ${affiliateId}
      and not exists (
        select 1 from fraud_events as event
        where event.program_id = ${programId} and event.kind = 'shared_payout_account' and event.status = 'open'
          and (event.affiliate_id, event.evidence ->> 'sharedWith') in
            ((detail.affiliate_id, ${affiliateId}::text), (${affiliateId}::uuid, detail.affiliate_id::text)))
    order by detail.created_at limit 20`.execute(tx.db);
  const alerts = rows.map((other) => ({
    kind: 'shared_payout_account' as const,
    action: 'flag' as const,
    evidence: { sharedWith: other.affiliateId },
  }));
  await createFraudEvents(tx, programId, [{ affiliateId, conversionId: null, alerts, actor }]);
}
