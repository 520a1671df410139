// Notifies the affiliate, and the PayPal address that was paid before, of payout details that were added, changed or removed. That address is a
// payout account: it is encrypted in the job, and no row, log line or response contains it.
import type { Selectable } from 'kysely';
import type { Destination, Method } from '../../connections/rails/rail.ts';
import type { Tx } from '../../context.ts';
import { sendPayoutDetailsChanged } from '../../messaging/emails/kinds/payouts/details-changed.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Affiliates } from '../../platform/db/schema.gen.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { emailKey } from '../../platform/lib/email-address.ts';

/** The audit row by which details that are set later are recognised as a change. */
export const removedAction = 'payout_details.removed';

type Change = {
  affiliate: Selectable<Affiliates>;
  changeId: string;
  actor: Actor;
  /** Null if there were none before. */
  former: Destination | null;
  /** Null if the details are removed now. */
  method: Method | null;
  /** Null if the change doesn't wait: the first details, or a removal. */
  effectiveAt: Date | null;
};

/** Queues the emails about one change. */
export async function notifyChange(tx: Tx, { affiliate, changeId, actor, former, method, effectiveAt }: Change): Promise<void> {
  const { programId, id, email, firstName } = affiliate;
  const change = { formerMethod: former?.method ?? null, method, effectiveAt, changedAt: tx.clock.now() };
  await sendPayoutDetailsChanged(tx, { programId, changeId, affiliate: { id, firstName }, to: email, change });
  if (former?.method !== 'paypal' || emailKey(former.email) === emailKey(email)) return;
  // An audit row has at most one email of a kind, so the second email gets a separate audit row.
  const action = 'payout_details.former_notified';
  const formerChangeId = await recordChange(tx, { programId, actor, action, subjectId: id, after: { changeId } });
  const to = { secret: former.email };
  await sendPayoutDetailsChanged(tx, { programId, changeId: formerChangeId, affiliate: { id, firstName }, to, change });
}
