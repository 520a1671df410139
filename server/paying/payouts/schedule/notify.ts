// Emails those who approve payouts about a run of the schedule; that a batch awaits approval, as each of them chose.
import { listPermitted } from '../../../accounts/identity/members/list-permitted.ts';
import type { Tx } from '../../../context.ts';
import { renderScheduledPayouts, type ScheduledEvent } from '../../../messaging/emails/kinds/payouts/scheduled.ts';
import { findUserLocale } from '../../../messaging/emails/look/look.ts';
import { queueEmail } from '../../../messaging/emails/send.ts';
import { keepNotified } from '../../../messaging/notifications/choices.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import type { Payday } from './payday.ts';

type Program = { programId: string; changeId: string; name: string; currency: string };
type Notice = ScheduledEvent & { payday: Payday; batchId?: string };

/** Queues one email to each of them. `changeId` is the audit entry that the emails refer to. */
export async function notifyApprovers(tx: Tx, { programId, changeId, name, currency }: Program, notice: Notice): Promise<void> {
  const { payday, batchId, ...event } = notice;
  const path = batchId === undefined ? 'payouts' : `payouts/batches/${batchId}`;
  const url = `${getPublicUrl(tx.config)}/console/${programId}/${path}`;
  const approvers = await listPermitted(tx, programId, ['payouts.approve']);
  const isChosen = event.event === 'awaiting_approval';
  for (const to of isChosen ? await keepNotified(tx, programId, 'payout_approval', approvers) : approvers) {
    const locale = await findUserLocale(tx, emailKey(to) ?? to);
    const content = renderScheduledPayouts({ locale }, { name, currency }, { event, payOn: payday.payOn, url });
    await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'payout_schedule', to, content });
  }
}
