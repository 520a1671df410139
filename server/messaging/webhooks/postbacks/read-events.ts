// Turns events into deliveries of postbacks. One position per program reads for all of them and moves in the transaction
// that adds the deliveries, so an event is neither missed nor added twice. What happens while a postback is not active is
// not sent later.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { numberToEnd, readLogEnd } from '../../events/number.ts';
import { type ReaderState, toReadPosition } from '../../events/read.ts';
import { addDeliveries } from '../deliveries/delivery.ts';
import { mayReceiveIn, postbackEventOf } from './postback.ts';

const batch = 500;

const isActivePostback = sql`webhook.affiliate_id is not null and webhook.status = 'active' and webhook.deleted_at is null`;

/** Starts reading the events of a program at the current end of the log, unless it has active postbacks. Returns the end. */
export async function startReading(tx: Tx, programId: string): Promise<number> {
  const end = await numberToEnd(tx, programId);
  await sql`
    insert into postback_readers (program_id, read_position) values (${programId}, ${end})
    on conflict on constraint postback_readers_pkey do nothing`.execute(tx.db);
  await sql`
    update postback_readers set read_position = ${end} where program_id = ${programId} and not exists (
      select from webhooks as webhook where webhook.program_id = ${programId} and ${isActivePostback})`.execute(tx.db);
  return end;
}

/** Adds the deliveries of new events of a program. */
export async function addPostbackDeliveries(ctx: Context, programId: string): Promise<ReaderState> {
  const { rows } = await sql`
    select from postback_readers as reader join event_log_ends as log on log.program_id = ${programId}
    where reader.program_id = ${programId} and log.last_position > reader.read_position
      and exists (select from webhooks as webhook where webhook.program_id = ${programId} and ${isActivePostback})`.execute(ctx.db);
  return rows.length === 0 ? 'complete' : readProgram(ctx, programId);
}

type Found = { position: number; id: string; webhookId: string | null; eventType: string };

async function readProgram(ctx: Context, programId: string): Promise<ReaderState> {
  return transact(ctx, async (tx) => {
    const readers = tx.db.selectFrom('postbackReaders').selectAll().where('programId', '=', programId);
    const reader = await readers.forNoKeyUpdate().skipLocked().executeTakeFirst();
    if (!reader) return 'locked';
    const end = await readLogEnd(tx, programId);
    const found = await findOwnEvents(tx, reader);
    const count = new Set(found.map(({ id }) => id)).size;
    const wanted = found.flatMap(({ id: eventId, webhookId, eventType }) => (webhookId ? [{ webhookId, eventId, eventType }] : []));
    await addDeliveries(tx, programId, wanted, { again: false });
    const isComplete = count < batch;
    const readPosition = toReadPosition(found.at(-1), { end, isComplete });
    await tx.db.updateTable('postbackReaders').set({ readPosition }).where('programId', '=', programId).execute();
    return isComplete ? 'complete' : 'more';
  });
}

type Reader = { programId: string; readPosition: number };

/** The next events in their order, each with the postbacks of its affiliate that want it. */
async function findOwnEvents(tx: Tx, { programId, readPosition }: Reader): Promise<Found[]> {
  const { rows } = await sql<Found>`
    with postback as (
      select * from webhooks as webhook where webhook.program_id = ${programId} and ${isActivePostback} and ${mayReceiveIn(programId)}
    ), next as (
      select events.position, events.id, events.affiliate_id, ${postbackEventOf} as event_type from events
      where events.program_id = ${programId} and events.position > ${readPosition}
      order by events.position limit ${batch}
    )
    select next.position, next.id, postback.id as webhook_id, next.event_type
    from next left join postback on postback.affiliate_id = next.affiliate_id and next.event_type = any(postback.event_types)
      and next.position > postback.read_position
    order by next.position`.execute(tx.db);
  return rows;
}
