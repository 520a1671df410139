// Turns events into deliveries. Each webhook reads the event log from its own position, which moves in the transaction
// that adds its deliveries; so an event is neither missed nor added twice, whatever process does it and whenever it is killed.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { findWork, finishWork, type Work } from '../../../platform/queue/program-work.ts';
import { toProgramContext } from '../../../platform/test-clocks/program-clock.ts';
import { numberAllEvents, numberEvents, readLogEnd } from '../../events/number.ts';
import { isBeyond, type ReaderState, selectEvents, toReadPosition } from '../../events/read.ts';
import { addChannelDeliveries } from '../channels/read-events.ts';
import { requestDeliveries } from '../deliveries/delivery.ts';
import { addPostbackDeliveries } from '../postbacks/read-events.ts';
import { findWebhooks } from '../webhook.ts';
import { findGroups, selectWanted } from './select-wanted.ts';

const batch = 500;

/**
 * Numbers new events and adds their deliveries, to webhooks, postbacks and notification channels, in all programs or only in one.
 * Returns how many readers may have more.
 */
export async function fanOut(ctx: Context, only: string | null = null): Promise<number> {
  if (only === null) await numberAllEvents(ctx);
  else await numberEvents(ctx, only);
  let unfinished = 0;
  for (const work of await findWork(ctx, 'events')) {
    const { programId } = work;
    if (only !== null && programId !== only) continue;
    unfinished += await fanOutProgram(await toProgramContext(ctx, programId), work).catch((error: unknown) => {
      ctx.log.error({ err: error, programId }, 'failed to add webhook deliveries');
      return 0;
    });
  }
  return unfinished;
}

async function fanOutProgram(ctx: Context, work: Work): Promise<number> {
  const states: ReaderState[] = [];
  for (const { isChannel, ...reader } of await findBehind(ctx, work.programId))
    states.push(await (isChannel ? addChannelDeliveries(ctx, reader) : fanOutWebhook(ctx, reader)));
  states.push(await addPostbackDeliveries(ctx, work.programId));
  // A reader that another process has locked may not be finished: that process can end.
  if (states.every((state) => state === 'complete')) await finishWork(ctx, 'events', work);
  return states.filter((state) => state === 'more').length;
}

type Reader = { programId: string; id: string; isChannel: boolean };

/** The active webhooks and notification channels of a program that have not read its log to the end. */
async function findBehind(ctx: Context, programId: string): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select webhook.program_id, webhook.id, webhook.notification_kinds is not null as is_channel
    from webhooks as webhook join event_log_ends as log on log.program_id = ${programId}
    where webhook.program_id = ${programId} and webhook.status = 'active' and webhook.deleted_at is null and webhook.affiliate_id is null
      and log.last_position > webhook.read_position`.execute(ctx.db);
  return rows;
}

async function fanOutWebhook(ctx: Context, { programId, id }: { programId: string; id: string }): Promise<ReaderState> {
  return transact(ctx, async (tx) => {
    const free = findWebhooks(tx, programId).where('id', '=', id).where('status', '=', 'active').forNoKeyUpdate().skipLocked();
    const webhook = await free.executeTakeFirst();
    if (!webhook) return 'locked';
    const end = await readLogEnd(tx, programId);
    const events = await selectEvents(tx, programId)
      .where(isBeyond(webhook.readPosition, 'asc'))
      .select(['events.position', 'events.id', 'events.type', 'events.objectId', 'events.affiliateId'])
      .orderBy('events.position')
      .limit(batch)
      .execute();
    const wanted = selectWanted(webhook, events, await findGroups(tx, webhook, events));
    await requestDeliveries(tx, { programId, webhookId: id, events: wanted }, { again: false });
    const isComplete = events.length < batch;
    const readPosition = toReadPosition(events.at(-1), { end, isComplete });
    const webhooks = tx.db.updateTable('webhooks').set({ readPosition });
    await webhooks.where('programId', '=', programId).where('id', '=', id).execute();
    return isComplete ? 'complete' : 'more';
  });
}
