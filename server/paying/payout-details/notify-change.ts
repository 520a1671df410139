// Who is told that money will go elsewhere: the affiliate, and the PayPal address that it went to before. That
// address is a payout account: it travels sealed, and stands in no row, no log and no answer.
import type { Selectable } from 'kysely';
import type { Destination, Method } from '../../connections/rails/rail.ts';
import type { Tx } from '../../context.ts';
import { sendPayoutDetailsChanged } from '../../messaging/emails/payout-details-changed.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Affiliates } from '../../platform/db/schema.gen.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { emailKey } from '../../platform/lib/email-address.ts';

/** By this row of the audit log a later first setting is known to be a change. */
export const removedAction = 'payout_details.removed';

type Change = {
  affiliate: Selectable<Affiliates>;
  changeId: string;
  actor: Actor;
  /** Null where it had been removed before. */
  former: Destination | null;
  /** Null where it is removed now. */
  method: Method | null;
  usableFrom: Date | null;
};

/** Queues the mails that follow from one change. */
export async function tellOfChange(tx: Tx, { affiliate, changeId, actor, former, method, usableFrom }: Change): Promise<void> {
  const { programId, id, email, firstName } = affiliate;
  const change = { formerMethod: former?.method ?? null, method, usableFrom, at: tx.clock.now() };
  await sendPayoutDetailsChanged(tx, { programId, changeId, affiliate: { id, firstName }, to: email, change });
  if (former?.method !== 'paypal' || emailKey(former.email) === emailKey(email)) return;
  // One change mails a person once, so the second mail has a row of its own to follow from.
  const told = await recordChange(tx, { programId, actor, action: 'payout_details.former_told', subjectId: id, after: { changeId } });
  const to = { secret: former.email };
  await sendPayoutDetailsChanged(tx, { programId, changeId: told, affiliate: { id, firstName }, to, change });
}
