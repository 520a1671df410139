// Emails affiliates whose payouts were paid. The change of a payout stores the job and the audit entry of the email in its own
// transaction; the job writes the emails afterwards, so that marking thousands of payouts as paid doesn't render their emails.
import type { Tx } from '../../context.ts';
import { sendPayoutPaid } from '../../messaging/emails/kinds/payouts/paid.ts';
import { recordChanges } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { job, jobName } from '../../platform/queue/job.ts';
import { lockPayouts, type Payout } from './payout.ts';

/** The change from which the email of a payout follows. */
type PaidPayout = { payoutId: string; changeId: string };
type PaidPayouts = { programId: string; payouts: PaidPayout[] };

const emailPaidJob = jobName<PaidPayouts>('payouts.email_paid');

/** Emails of one transaction of the job. */
const chunkSize = 100;

type Paid = { payout: Payout; reference?: string | undefined; isMarkedPaid?: boolean };

/** Records in the audit log that payouts were paid, and enqueues their emails. A payout becomes paid at most once. */
export async function recordPaid(tx: Tx, programId: string, paid: readonly Paid[], actor: Actor): Promise<void> {
  if (paid.length === 0) return;
  const ids = await recordChanges(tx, { programId, actor }, paid.map(toEntry));
  const payouts = paid.map(({ payout }, index) => ({ payoutId: payout.id, changeId: ids[index] ?? '' }));
  for (let start = 0; start < payouts.length; start += chunkSize) {
    await tx.jobs.enqueue(tx, emailPaidJob, { programId, payouts: payouts.slice(start, start + chunkSize) });
  }
}

function toEntry({ payout, reference, isMarkedPaid = false }: Paid) {
  const { id, status, amountCents, currency } = payout;
  return {
    action: isMarkedPaid ? ('payout.marked_paid' as const) : ('payout.paid' as const),
    subjectId: id,
    before: { status },
    after: { status: 'paid', amountCents, currency, reference: reference ?? null },
  };
}

export const emailPaidPayouts = job<PaidPayouts>({
  ...emailPaidJob,
  retries: 10,
  run: (ctx, data) => transact(ctx, (tx) => writeEmails(tx, data)),
});

/** Writes the emails that a previous run has not written. A payout that was returned in the meantime gets none. */
async function writeEmails(tx: Tx, { programId, payouts }: PaidPayouts): Promise<void> {
  const changeIds = new Map(payouts.map(({ payoutId, changeId }) => [payoutId, changeId]));
  const rows = await lockPayouts(tx, programId, [...changeIds.keys()]);
  const emails = tx.db.selectFrom('emails').select('auditId').where('programId', '=', programId);
  const written = new Set((await emails.where('auditId', 'in', [...changeIds.values()]).execute()).map(({ auditId }) => auditId));
  for (const { id, status, affiliateId, amountCents, currency } of rows) {
    const changeId = changeIds.get(id);
    if (!changeId || written.has(changeId) || status !== 'paid') continue;
    await sendPayoutPaid(tx, { programId, changeId, affiliateId, amountCents, currency });
  }
}
