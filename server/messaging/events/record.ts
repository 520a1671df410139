// Records events in the transaction of the change that they announce, any number of them in one statement. The database
// numbers the events of each object: simultaneous writers wait for each other on its row in `event_sequences`.

import type { Tx } from '../../context.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { eventObjects, type NewEvent } from './define.ts';

export type EventOrigin = { programId: string; actor: Actor };

const objectsWithCreation = Object.entries(eventObjects).flatMap(([object, hasCreation]) => (hasCreation ? [object] : []));

/** Records an event. It exists if and only if the transaction commits. */
export async function recordEvent(tx: Tx, origin: EventOrigin, event: NewEvent): Promise<void> {
  await recordEvents(tx, origin, [event]);
}

/** Records events in the given order, in one statement. */
export async function recordEvents(tx: Tx, origin: EventOrigin, events: readonly NewEvent[]): Promise<void> {
  await recordEventsOf(
    tx,
    origin.programId,
    events.map((event) => ({ event, actor: origin.actor })),
  );
}

/** Like `recordEvents`, for events of several actors, such as orders that are recorded together. */
export async function recordEventsOf(tx: Tx, programId: string, entries: readonly { event: NewEvent; actor: Actor }[]): Promise<void> {
  if (entries.length === 0) return;
  const numbered = numberEvents(entries.map(({ event }) => event));
  const column = <Value>(pick: (event: NewEvent) => Value) => entries.map(({ event }) => pick(event));
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  await plainSql`
    with event as (
      select * from unnest(
        ${entries.map(() => tx.ids.uuid())}::uuid[], ${column(({ type }) => type)}::text[], ${column(({ object }) => object)}::text[],
        ${column(({ objectId }) => objectId)}::uuid[], ${numbered.map(({ offset }) => offset)}::integer[],
        ${numbered.map(({ start }) => start)}::integer[], ${numbered.map(({ isCounted }) => isCounted)}::boolean[],
        ${column(({ affiliateId }) => affiliateId)}::uuid[], ${column(({ data }) => json(data))}::jsonb[],
        ${column(({ previous }) => json(previous))}::jsonb[], ${entries.map(({ actor }) => actor.kind)}::text[],
        ${entries.map(({ actor }) => actor.id)}::text[]
      ) as event (id, type, object_type, object_id, number, start, is_counted, affiliate_id, data, previous, actor_kind, actor_id)
    ), sequence as (
      insert into event_sequences as present (program_id, object_type, object_id, last_sequence)
      select ${programId}, object_type, object_id, min(start) + count(*) from event where is_counted
      group by object_type, object_id order by object_type, object_id
      on conflict (program_id, object_type, object_id) do update set last_sequence = present.last_sequence + excluded.last_sequence
        - (excluded.object_type = any(${objectsWithCreation}::text[]))::integer
      returning object_type, object_id, last_sequence
    )
    insert into events (program_id, id, position, type, object_type, object_id, object_sequence, affiliate_id, data, previous,
      actor_kind, actor_id, created_at)
    select ${programId}, id, (select position_base from event_log) + pg_current_xact_id()::text::bigint, type, object_type, object_id,
      coalesce(last_sequence - count(*) over (partition by object_type, object_id), start) + number,
      affiliate_id, data, previous, actor_kind, actor_id, ${tx.clock.now()}
    from event left join sequence using (object_type, object_id)`.execute(tx.db);
}

type Numbered = {
  /** From 1, among the events of the same object that are recorded together. */
  offset: number;
  /** The number before the first event of an object that has no row in `event_sequences`. */
  start: number;
  /** Whether the object needs a row in `event_sequences`. A creation alone does not. */
  isCounted: boolean;
};

/** Numbers the events of each object (pure). */
function numberEvents(events: readonly NewEvent[]): Numbered[] {
  const keyOf = ({ object, objectId }: NewEvent) => `${object} ${objectId}`;
  const groups = Map.groupBy(events, keyOf);
  const reached = new Map<string, number>();
  return events.map((event) => {
    const key = keyOf(event);
    const [first = event, ...others] = groups.get(key) ?? [];
    const offset = (reached.get(key) ?? 0) + 1;
    reached.set(key, offset);
    return {
      offset,
      start: eventObjects[event.object] && !first.isCreation ? 1 : 0,
      isCounted: !first.isCreation || others.length > 0,
    };
  });
}
