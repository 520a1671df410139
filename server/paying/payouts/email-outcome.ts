// Emails affiliates whose payouts were paid, failed or were returned, and about the invoices of these payouts. The change of a payout stores the job and the audit entry
// of the email in its own transaction; the job writes the emails afterwards, so that marking thousands of payouts as paid
// doesn't render their emails.
import type { Tx } from '../../context.ts';
import { findWritten } from '../../messaging/emails/find-written.ts';
import { sendPayoutFailed } from '../../messaging/emails/kinds/payouts/failed.ts';
import { sendInvoiceIssued } from '../../messaging/emails/kinds/payouts/invoice.ts';
import { sendPayoutPaid } from '../../messaging/emails/kinds/payouts/paid.ts';
import { recordChanges } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { job, jobName } from '../../platform/queue/job.ts';
import { findInvoices } from '../invoices/invoice.ts';
import { readExchange } from './exchange/payout-exchange.ts';
import { lockPayouts, type Payout, type StoredStatus } from './payout.ts';

const announced = ['paid', 'failed', 'returned'] as const;
type Announced = (typeof announced)[number];

/** The change that the email is about. Jobs of earlier versions have no status: they are about paid payouts. */
type ChangedPayout = { payoutId: string; changeId: string; status?: Announced };
type ChangedPayouts = { programId: string; payouts: ChangedPayout[] };

// Unchanged, because jobs with this name may be queued.
const emailOutcomesJob = jobName<ChangedPayouts>('payouts.email_paid');

/** Emails of one transaction of the job. */
const chunkSize = 100;

type Change = {
  payout: Payout;
  to: StoredStatus;
  reference?: string | undefined;
  code?: string | undefined;
  isMarkedPaid?: boolean;
};
type Outcome = Change & { to: Announced };

/** Records the outcomes of payouts in the audit log, and enqueues their emails. A payout has each outcome at most once. */
export async function recordOutcomes(tx: Tx, programId: string, changes: readonly Change[], actor: Actor): Promise<void> {
  const outcomes = changes.filter(isOutcome);
  // The audit log says who did what here; payments of another system are named by its import.
  if (outcomes.length === 0 || tx.isHistory) return;
  const ids = await recordChanges(tx, { programId, actor }, outcomes.map(toEntry));
  const payouts = outcomes.flatMap((outcome, index) => {
    const changed = { payoutId: outcome.payout.id, changeId: ids[index] ?? '', status: outcome.to };
    return concernsAffiliate(outcome) ? [changed] : [];
  });
  for (let start = 0; start < payouts.length; start += chunkSize) {
    await tx.jobs.enqueue(tx, emailOutcomesJob, { programId, payouts: payouts.slice(start, start + chunkSize) });
  }
}

const isOutcome = (change: Change): change is Outcome => announced.some((status) => status === change.to);

function toEntry({ payout, to, reference, code, isMarkedPaid = false }: Outcome) {
  const { id, status, amountCents, currency } = payout;
  const before = { status };
  const payment = { status: to, amountCents, currency, reference: reference ?? null };
  if (to !== 'paid') return { action: 'payout.failed' as const, subjectId: id, before, after: { ...payment, code: code ?? null } };
  const action = isMarkedPaid ? ('payout.marked_paid' as const) : ('payout.paid' as const);
  return { action, subjectId: id, before, after: payment };
}

/** Codes of failures that other payout details would not have prevented: the payer lacks money or permission, or cancelled. */
const payerFailures = /insufficient|balance|funding|unauthori[sz]ed|permission|forbidden|cancel|denied|amount_not_payable|other_currency/;

/** An affiliate is only asked to check their payout details where that can help. */
function concernsAffiliate({ to, code }: Outcome): boolean {
  return to !== 'failed' || !payerFailures.test(code ?? '');
}

export const emailPayoutOutcomes = job<ChangedPayouts>({
  ...emailOutcomesJob,
  retries: 10,
  run: (ctx, data) => transact(ctx, (tx) => writeEmails(tx, data)),
});

/**
 * Writes the emails that a previous run has not written. A payout whose status has changed again gets none, but the invoice that
 * was issued for it does.
 */
async function writeEmails(tx: Tx, { programId, payouts }: ChangedPayouts): Promise<void> {
  const ids = payouts.map(({ payoutId }) => payoutId);
  const rows = new Map((await lockPayouts(tx, programId, ids)).map((row) => [row.id, row]));
  const invoices = await findInvoices(tx, programId, ids);
  const changeIds = payouts.map(({ changeId }) => changeId);
  const written = await findWritten(tx, programId, changeIds);
  for (const { payoutId, changeId, status = 'paid' } of payouts) {
    const row = rows.get(payoutId);
    if (!row || written.has(changeId)) continue;
    const { affiliateId, amountCents, currency } = row;
    const change = { programId, changeId, affiliateId };
    const send = status === 'paid' ? sendPayoutPaid : sendPayoutFailed;
    if (row.status === status) await send(tx, { ...change, amountCents, currency, exchange: readExchange(row) });
    const kind = kindOfInvoice[status];
    const invoice = invoices.find((one) => one.payoutId === payoutId && one.kind === kind);
    if (invoice) await sendInvoiceIssued(tx, { ...change, ...invoice });
  }
}

/** The document that follows from an outcome. */
const kindOfInvoice = { paid: 'invoice', returned: 'cancellation', failed: null } as const satisfies Record<Announced, string | null>;
