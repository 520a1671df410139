// A change was requested that loosens the safety of payouts. The program's contact can cancel it before it takes effect.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import { notifySettingChangeJob } from '../../accounts/programs/setting-changes/notify-job.ts';
import { waitHours } from '../../accounts/programs/setting-changes/setting-change.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { formatCents } from '../../platform/lib/currency.ts';
import { job } from '../../platform/queue/job.ts';
import { formatTime, type RenderedEmail, renderEmail } from './layout.ts';
import { queueEmail } from './send.ts';

const Change = z.object({ payoutApprovalCents: z.int().nullable(), taxForms: z.string(), contactEmail: z.string().nullable() }).partial();
type Change = z.infer<typeof Change>;

/** Runs after the request has committed; the address is the one before the change. */
export const sendSettingChange = job({
  ...notifySettingChangeJob,
  retries: 10,
  run: (ctx, { programId, changeId }) => queueNotice(ctx, programId, changeId),
});

async function queueNotice(ctx: Context, programId: string, changeId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const program = await getProgram(tx, programId, { lock: true });
    const changes = tx.db.selectFrom('auditLog').selectAll().where('programId', '=', programId).where('id', '=', changeId);
    const { before, after, createdAt } = await changes.executeTakeFirstOrThrow();
    const to = Change.parse(before).contactEmail ?? program.contactEmail;
    const sent = tx.db.selectFrom('emails').select('id').where('programId', '=', programId).where('auditId', '=', changeId);
    if (!to || (await sent.executeTakeFirst())) return;
    const content = renderSettingChange(program, { before: Change.parse(before), after: Change.parse(after), at: createdAt });
    await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'setting_change', to, content });
  });
}

type Requested = { before: Change; after: Change; at: Date };

function renderSettingChange({ name, currency }: { name: string; currency: string }, { before, after, at }: Requested): RenderedEmail {
  const effectiveAt = new Date(at.getTime() + waitHours * 3_600_000);
  return renderEmail({
    programName: name,
    subject: `${name}: a payout safety setting is about to change`,
    heading: 'A payout safety setting is about to change',
    paragraphs: [
      `${describeChange(before, after, currency)} The change was requested with an API key on ${formatTime(at)}.`,
      `The change takes effect on ${formatTime(effectiveAt)}, or earlier if a second API key approves it.`,
      'If you did not expect this change, cancel it before then (POST …/setting-changes/:id/cancel) and revoke the API key.',
    ],
    footer: `You received this email because you are the contact for the affiliate program of ${name}.`,
  });
}

function describeChange(before: Change, after: Change, currency: string): string {
  if (after.payoutApprovalCents !== undefined) {
    const amount = (cents: number | null | undefined) => (cents === null || cents === undefined ? 'none' : formatCents(cents, currency));
    return `The amount above which payouts need a second approval changes from ${amount(before.payoutApprovalCents)} to ${amount(after.payoutApprovalCents)}.`;
  }
  if (after.taxForms !== undefined) return 'Affiliates will be paid without a tax form.';
  return after.contactEmail
    ? `Notices will be sent to ${after.contactEmail} instead of this address.`
    : 'Notices will no longer be sent to this address, and no other contact is set.';
}
