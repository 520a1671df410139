// Disables a webhook whose address answered 410, or where nothing succeeded for three days. The program receives one email;
// for a postback, the affiliate does. The same applies to notification channels.
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { sendChannelDisabled, sendPostbackDisabled, sendWebhookDisabled } from '../../emails/kinds/webhook-disabled.ts';
import { hostOf } from '../postbacks/macros.ts';
import type { Webhook } from '../webhook.ts';
import type { Recorded } from './attempt.ts';

export const failingDays = 3;
/** A single delivery that fails for days is no proof. */
const minFailures = 5;

const dispatcher: Actor = { kind: 'schedule', id: 'webhooks.dispatch' };

/** Disables those of these webhooks that must be. */
export async function disableFailing(tx: Tx, recorded: readonly Recorded[], now: Date): Promise<void> {
  const failed = recorded.filter(({ attempted }) => !['succeeded', 'interrupted'].includes(attempted.outcome));
  const gone = new Set(failed.flatMap(({ attempted, claimed }) => (attempted.isGone ? [claimed.delivery.webhookId] : [])));
  const keys = new Map(failed.map(({ claimed: { delivery } }) => [delivery.webhookId, delivery.programId]));
  const limit = new Date(now.getTime() - failingDays * 86_400_000);
  for (const [id, programId] of [...keys].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const disabled = await disable(tx, { programId, id, isGone: gone.has(id), limit, now });
    if (disabled) await announce(tx, disabled);
  }
}

type Judged = { programId: string; id: string; isGone: boolean; limit: Date; now: Date };

/** The webhook, if it was disabled now. One statement decides, so one process announces it. */
async function disable(tx: Tx, { programId, id, isGone, limit, now }: Judged): Promise<Webhook | undefined> {
  const reason = isGone ? 'gone' : 'failing';
  let webhooks = tx.db.updateTable('webhooks').set({ status: 'disabled', disabledReason: reason, updatedAt: now });
  webhooks = webhooks.where('programId', '=', programId).where('id', '=', id).where('status', '=', 'active').where('deletedAt', 'is', null);
  if (!isGone) webhooks = webhooks.where('failingSince', '<=', limit).where('failures', '>=', minFailures);
  return webhooks.returningAll().executeTakeFirst();
}

async function announce(tx: Tx, webhook: Webhook): Promise<void> {
  const { programId, id, affiliateId, url, disabledReason } = webhook;
  const isChannel = webhook.notificationKinds !== null;
  const after = { status: 'disabled', disabledReason };
  const reason = disabledReason === 'gone' ? 'gone' : 'failing';
  const changeId = await recordChange(tx, {
    programId,
    actor: dispatcher,
    action: isChannel ? 'notification_channel.disabled' : affiliateId === null ? 'webhook.disabled' : 'postback.disabled',
    subjectId: id,
    before: { status: 'active' },
    after,
  });
  if (isChannel) await sendChannelDisabled(tx, { programId, changeId, channel: webhook.description ?? '', url, reason });
  else if (affiliateId === null) await sendWebhookDisabled(tx, { programId, changeId, url, reason });
  else await sendPostbackDisabled(tx, { programId, affiliateId, changeId, host: hostOf(url), reason });
}
