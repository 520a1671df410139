// Turns events into deliveries. Each webhook reads the event log from its own position, which moves in the transaction
// that adds its deliveries; so an event is neither missed nor added twice, whatever process does it and whenever it is killed.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { numberAllEvents, readLogEnd } from '../../events/number.ts';
import { isBeyond, selectEvents, toReadPosition } from '../../events/read.ts';
import { requestDeliveries } from '../deliveries/delivery.ts';
import { addPostbackDeliveries } from '../postbacks/read-events.ts';
import { findWebhooks } from '../webhook.ts';
import { findGroups, selectWanted } from './select-wanted.ts';

const batch = 500;

/** Numbers new events and adds their deliveries, to webhooks and postbacks. Returns how many readers may have more. */
export async function fanOut(ctx: Context): Promise<number> {
  await numberAllEvents(ctx);
  return (await fanOutWebhooks(ctx)) + (await addPostbackDeliveries(ctx));
}

async function fanOutWebhooks(ctx: Context): Promise<number> {
  const { rows } = await sql<{ programId: string; id: string }>`
    select webhook.program_id, webhook.id from webhooks as webhook join event_log_ends as log on log.program_id = webhook.program_id
    where webhook.status = 'active' and webhook.deleted_at is null and webhook.affiliate_id is null
      and log.last_position > webhook.read_position`.execute(ctx.db);
  let unfinished = 0;
  for (const webhook of rows) unfinished += (await fanOutWebhook(ctx, webhook)) === batch ? 1 : 0;
  return unfinished;
}

/** Returns how many events were read. */
async function fanOutWebhook(ctx: Context, { programId, id }: { programId: string; id: string }): Promise<number> {
  return transact(ctx, async (tx) => {
    const free = findWebhooks(tx, programId).where('id', '=', id).where('status', '=', 'active').forNoKeyUpdate().skipLocked();
    const webhook = await free.executeTakeFirst();
    if (!webhook) return 0;
    const end = await readLogEnd(tx, programId);
    const events = await selectEvents(tx, programId)
      .where(isBeyond(webhook.readPosition, 'asc'))
      .select(['events.position', 'events.id', 'events.type', 'events.objectId', 'events.affiliateId'])
      .orderBy('events.position')
      .limit(batch)
      .execute();
    const wanted = selectWanted(webhook, events, await findGroups(tx, webhook, events));
    await requestDeliveries(tx, { programId, webhookId: id, events: wanted }, { again: false });
    const readPosition = toReadPosition(events.at(-1), { end, isComplete: events.length < batch });
    const webhooks = tx.db.updateTable('webhooks').set({ readPosition });
    await webhooks.where('programId', '=', programId).where('id', '=', id).execute();
    return events.length;
  });
}
