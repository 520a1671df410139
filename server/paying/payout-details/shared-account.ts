import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { createFraudEvents } from '../../earning/fraud/detect.ts';

type Written = { affiliateId: string; fingerprint: string };

/** Creates a fraud alert for affiliates that share a payout account: they are often one person. It stops no payment. */
export async function reportSharedAccount(tx: Tx, programId: string, { affiliateId, fingerprint }: Written): Promise<void> {
  // Of two that set one account at once, the later waits for the earlier and then sees it. Taken last, so nobody waits in a ring.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${programId}:${fingerprint}`}, 0))`.execute(tx.db);
  const { rows } = await sql<{ affiliateId: string }>`
    select detail.affiliate_id from payout_details as detail
    where detail.program_id = ${programId} and detail.fingerprint = ${fingerprint} and detail.affiliate_id <> ${affiliateId}
      and not exists (
        select 1 from fraud_events as event
        where event.program_id = detail.program_id and event.kind = 'shared_payout_account' and event.status = 'open'
          and (event.affiliate_id, event.evidence ->> 'sharedWith') in
            ((detail.affiliate_id, ${affiliateId}::text), (${affiliateId}::uuid, detail.affiliate_id::text)))
    order by detail.created_at limit 20`.execute(tx.db);
  const alerts = rows.map((other) => ({
    kind: 'shared_payout_account' as const,
    action: 'flag' as const,
    evidence: { sharedWith: other.affiliateId },
  }));
  await createFraudEvents(tx, programId, [{ affiliateId, conversionId: null, alerts }]);
}
