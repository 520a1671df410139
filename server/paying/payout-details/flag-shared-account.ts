import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { createFraudEvents } from '../../earning/fraud/detect.ts';
import type { Actor } from '../../platform/lib/actor.ts';

type Written = { affiliateId: string; fingerprint: string };
type Origin = { programId: string; actor: Actor };

/** Opens a fraud alert for affiliates with the same payout account, who are often one person. Payouts continue. */
export async function flagSharedAccount(tx: Tx, { programId, actor }: Origin, { affiliateId, fingerprint }: Written): Promise<void> {
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
