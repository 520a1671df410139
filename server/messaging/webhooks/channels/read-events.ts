// Turns events into messages to notification channels. Each channel reads the event log from its position, which moves in the
// transaction that adds its deliveries, one per event; so an event is neither missed nor posted by two processes.
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { readLogEnd } from '../../events/number.ts';
import type { ReaderState } from '../../events/read.ts';
import { findItems } from '../../notifications/find-items.ts';
import { requestDeliveries } from '../deliveries/delivery.ts';
import { findChannels } from './channel.ts';

/** Positions of the log that are read at a time. */
const batch = 2000;

/** Adds the deliveries of new events to a channel. */
export async function addChannelDeliveries(ctx: Context, { programId, id }: { programId: string; id: string }): Promise<ReaderState> {
  return transact(ctx, async (tx) => {
    const free = findChannels(tx, programId).where('id', '=', id).where('status', '=', 'active').forNoKeyUpdate().skipLocked();
    const channel = await free.executeTakeFirst();
    if (!channel) return 'locked';
    const end = await readLogEnd(tx, programId);
    if (channel.readPosition >= end) return 'complete';
    const upTo = Math.min(end, channel.readPosition + batch);
    const items = await findItems(tx, { programId, after: channel.readPosition, upTo });
    const wanted = items.filter(({ kind }) => channel.notificationKinds?.includes(kind));
    const events = wanted.map(({ eventId, type }) => ({ id: eventId, type }));
    await requestDeliveries(tx, { programId, webhookId: id, events }, { again: false });
    const channels = tx.db.updateTable('webhooks').set({ readPosition: upTo });
    await channels.where('programId', '=', programId).where('id', '=', id).execute();
    return upTo === end ? 'complete' : 'more';
  });
}
