// Records events in the transaction of the change that they announce, any number of them together. The database
// numbers the events of each object: simultaneous writers wait for each other on its row in `event_sequences`. Positions in the
// log of the program are given after the commit (number.ts).
import { CompiledQuery } from 'kysely';
import type { Tx } from '../../context.ts';
import { insertOfProgram } from '../../platform/db/inserts/insert-of-program.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { eventObjects, type NewEvent } from './define.ts';

export type EventOrigin = { programId: string; actor: Actor };

const objectsWithCreation = Object.entries(eventObjects).flatMap(([object, hasCreation]) => (hasCreation ? [object] : []));

/** Records an event. It exists if and only if the transaction commits. */
export async function recordEvent(tx: Tx, origin: EventOrigin, event: NewEvent): Promise<void> {
  await recordEvents(tx, origin, [event]);
}

/** Records events in the given order, in one round trip. */
export async function recordEvents(tx: Tx, origin: EventOrigin, events: readonly NewEvent[]): Promise<void> {
  await recordEventsOf(
    tx,
    origin.programId,
    events.map((event) => ({ event, actor: origin.actor })),
  );
}

type Entry = { event: NewEvent; actor: Actor };

/** Like `recordEvents`, for events of several actors, such as orders that are recorded together. */
export async function recordEventsOf(tx: Tx, programId: string, entries: readonly Entry[]): Promise<void> {
  if (tx.isHistory) return;
  const numbered = numberEvents(entries);
  const counted = numbered.filter(({ isCounted }) => isCounted);
  const created = numbered.filter(({ isCounted }) => !isCounted);
  // Sent together, in this order: the numbers of events are read from the rows that count them.
  await Promise.all([
    counted.length > 0 ? countEvents(tx, programId, counted) : null,
    counted.length > 0 ? insertCounted(tx, programId, counted) : null,
    created.length > 0 ? insertCreated(tx, programId, created) : null,
  ]);
}

type NumberedEvent = Entry & {
  /** Whether the object needs a row in `event_sequences`. A creation does not. */
  isCounted: boolean;
  /** The events of the object that were not counted when it had no row in `event_sequences`. */
  start: number;
  /** Behind the last event that was counted, 0 or less; for events that are not counted, the number itself. */
  number: number;
};

const toKey = ({ event: { object, objectId } }: Entry): string => `${object} ${objectId}`;

/** Numbers the events of each object (pure). */
function numberEvents(entries: readonly Entry[]): NumberedEvent[] {
  const groups = Map.groupBy(entries, toKey);
  const reached = new Map<string, number>();
  return entries.map((entry) => {
    const key = toKey(entry);
    const group = groups.get(key) ?? [entry];
    const offset = (reached.get(key) ?? 0) + 1;
    reached.set(key, offset);
    const isNew = group[0]?.event.isCreation ?? false;
    const isCounted = !isNew || group.length > 1;
    const start = eventObjects[entry.event.object] && !isNew ? 1 : 0;
    return { ...entry, isCounted, start, number: isCounted ? offset - group.length : start + offset };
  });
}

/** The objects are part of the text: a cluster rejects parameters in ON CONFLICT of INSERT … SELECT. */
const countStatement = `
    insert into event_sequences as present (program_id, object_type, object_id, last_sequence)
    select $1::uuid, object_type, object_id, min(start) + count(*)
    from unnest($2::text[], $3::uuid[], $4::integer[]) as event (object_type, object_id, start)
    group by object_type, object_id order by object_type, object_id
    on conflict (program_id, object_type, object_id) do update set last_sequence = present.last_sequence + excluded.last_sequence
      - (excluded.object_type in (${objectsWithCreation.map((object) => `'${object}'`).join(', ')}))::integer`;

/** Adds the events of each object to its row in `event_sequences`. */
function countEvents({ db }: Tx, programId: string, counted: readonly NumberedEvent[]): Promise<unknown> {
  const objects = counted.map(({ event }) => event.object);
  const values = [programId, objects, counted.map(({ event }) => event.objectId), counted.map(({ start }) => start)];
  return db.executeQuery(CompiledQuery.raw(countStatement, values));
}

function insertCounted({ db, ids, clock }: Tx, programId: string, counted: readonly NumberedEvent[]): Promise<unknown> {
  const column = <Value>(pick: (event: NumberedEvent) => Value) => counted.map(pick);
  return plainSql`
    insert into events (program_id, id, type, object_type, object_id, object_sequence, affiliate_id, data, previous,
      actor_kind, actor_id, created_at, recorded_values)
    select counted.program_id, event.id, event.type, counted.object_type, counted.object_id, counted.last_sequence + event.number,
      event.affiliate_id, event.data, event.previous, event.actor_kind, event.actor_id, ${clock.now()},
      jsonb_build_object('data', left(encode(sha256(convert_to(event.data::text, 'UTF8')), 'hex'), 32))
    from unnest(
      ${column(() => ids.uuid())}::uuid[], ${column(({ event }) => event.type)}::text[],
      ${column(({ event }) => event.object)}::text[], ${column(({ event }) => event.objectId)}::uuid[],
      ${column(({ number }) => number)}::integer[], ${column(({ event }) => event.affiliateId)}::uuid[],
      ${column(({ event }) => toJson(event.data))}::jsonb[], ${column(({ event }) => toJson(event.previous))}::jsonb[],
      ${column(({ actor }) => actor.kind)}::text[], ${column(({ actor }) => actor.id)}::text[]
    ) as event (id, type, object_type, object_id, number, affiliate_id, data, previous, actor_kind, actor_id)
    join event_sequences as counted on counted.program_id = ${programId} and counted.object_type = event.object_type
      and counted.object_id = event.object_id`.execute(db);
}

function insertCreated(tx: Tx, programId: string, created: readonly NumberedEvent[]): Promise<void> {
  const rows = created.map(({ event, actor, number }) => ({
    id: tx.ids.uuid(),
    type: event.type,
    object_type: event.object,
    object_id: event.objectId,
    object_sequence: number,
    affiliate_id: event.affiliateId,
    data: toJson(event.data),
    previous: toJson(event.previous),
    actor_kind: actor.kind,
    actor_id: actor.id,
    created_at: tx.clock.now(),
  }));
  return insertEvents(tx, programId, rows);
}

const insertEvents = insertOfProgram({
  into: 'events',
  columns: {
    id: 'uuid',
    type: 'text',
    object_type: 'text',
    object_id: 'uuid',
    object_sequence: 'integer',
    affiliate_id: 'uuid',
    data: 'jsonb',
    previous: 'jsonb',
    actor_kind: 'text',
    actor_id: 'text',
    created_at: 'timestamptz',
  },
  calculated: {
    recorded_values: (of) => `jsonb_build_object('data', left(encode(sha256(convert_to((${of('data')})::text, 'UTF8')), 'hex'), 32))`,
  },
});

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
