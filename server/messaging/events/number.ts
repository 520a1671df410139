// Assigns events their positions in the log of their program (1, 2, 3 …) after the commit. Events are numbered under a
// lock on the program's row in `event_log_ends`, so that positions become visible in their order: a reader who has seen a
// position never misses a lower one. Positions are plain numbers, which mean the same on every server.
import { type Selectable, sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import type { Events } from '../../platform/db/schema.gen.ts';
import { readTogether } from '../../platform/db/statements/pipeline.ts';
import { transact } from '../../platform/db/transact.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { tryEachProgram } from '../../platform/queue/each-program.ts';
import { markWork } from '../../platform/queue/program-work.ts';

/** The most events that are numbered together. More wait only after all processes were stopped. */
const eventsPerStep = 1000;

/** Numbers the new events of all programs. Programs whose events are being numbered by another process are skipped. */
export async function numberAllEvents(ctx: Context): Promise<void> {
  await tryEachProgram(ctx, {
    find: (scope) => sql`select distinct program_id from events where position is null and ${scope}`,
    run: (programId) => repeatWhileFull(() => transact(ctx, (tx) => numberStep(tx, programId, { skipsLocked: true }))),
  });
}

/** Numbers the new events of a program. */
export function numberEvents(ctx: Context, programId: string): Promise<void> {
  return repeatWhileFull(() => transact(ctx, (tx) => numberStep(tx, programId, { skipsLocked: false })));
}

/** Reads the log of a program. A reader sees what it has just caused: if there are new events, it reads again after they are numbered. */
export async function readLog<T>(ctx: Context, programId: string, read: (db: Context['db']) => Promise<T>): Promise<T> {
  const [hasNew, found] = await readTogether(ctx.db, (db) => Promise.all([hasNewEvents(db, programId), read(db)]));
  if (!hasNew) return found;
  await numberEvents(ctx, programId);
  return read(ctx.db);
}

async function hasNewEvents(db: Context['db'], programId: string): Promise<boolean> {
  const unnumbered = db.selectFrom('events').select('id').where('programId', '=', programId).where('position', 'is', null);
  return (await unnumbered.limit(1).executeTakeFirst()) !== undefined;
}

/** Numbers the new events of a program and returns the last position. Readers that start after it get what happens from now on. */
export async function numberToEnd(tx: Tx, programId: string): Promise<number> {
  await repeatWhileFull(() => numberStep(tx, programId, { skipsLocked: false }));
  return readLogEnd(tx, programId);
}

async function repeatWhileFull(step: () => Promise<number>): Promise<void> {
  let done: number;
  do done = await step();
  while (done >= eventsPerStep);
}

/** The last position that was given. Events up to it are visible to every later statement. */
export async function readLogEnd({ db }: Pick<Context, 'db'>, programId: string): Promise<number> {
  const ends = db.selectFrom('eventLogEnds').select('lastPosition').where('programId', '=', programId);
  return (await ends.executeTakeFirst())?.lastPosition ?? 0;
}

/** Returns how many events were numbered. */
async function numberStep(tx: Tx, programId: string, { skipsLocked }: { skipsLocked: boolean }): Promise<number> {
  const locked = await lockEnd(tx, programId, skipsLocked);
  if (locked === null) return 0;
  const { end, hasReaders } = locked;
  const ids = sortForLog(await chooseEvents(tx, programId)).map(({ id }) => id);
  if (ids.length === 0) return 0;
  const positions = ids.map((_, index) => end + index + 1);
  await Promise.all([
    sql`
      update events set position = given.position from unnest(${ids}::uuid[], ${positions}::bigint[]) as given (id, position)
      where events.program_id = ${programId} and events.id = any(${ids}::uuid[]) and events.id = given.id`.execute(tx.db),
    sql`update event_log_ends set last_position = ${end + ids.length} where program_id = ${programId}`.execute(tx.db),
    hasReaders ? markWork(tx, { programId, kind: 'events', dueAt: systemTime(tx) }) : null,
  ]);
  return ids.length;
}

/** The end of the log, and whether webhooks or postbacks read it. A reader that becomes active locks the end first. */
type LockedEnd = { end: number; hasReaders: boolean };

/** Locks the end of the log and returns it; null if another process has the lock and `skipsLocked`. */
async function lockEnd({ db }: Tx, programId: string, skipsLocked: boolean): Promise<LockedEnd | null> {
  const [, { rows }, { rows: readers }] = await Promise.all([
    sql`insert into event_log_ends (program_id, last_position) values (${programId}, 0) on conflict do nothing`.execute(db),
    sql<{ lastPosition: number }>`
      select last_position from event_log_ends where program_id = ${programId}
      for no key update ${skipsLocked ? sql`skip locked` : sql``}`.execute(db),
    sql`select from webhooks where program_id = ${programId} and status = 'active' and deleted_at is null limit 1`.execute(db),
  ]);
  return rows[0] ? { end: rows[0].lastPosition, hasReaders: readers.length > 0 } : null;
}

type Unnumbered = Pick<Selectable<Events>, 'id' | 'objectType' | 'objectId' | 'objectSequence'>;

/**
 * The oldest new events, as many as are complete: with every earlier new event of their objects. Ids follow the clocks of
 * several processes, so the oldest ids may lack an earlier event of an object; then more events are taken.
 */
async function chooseEvents(tx: Tx, programId: string): Promise<Unnumbered[]> {
  const events = tx.db.selectFrom('events').select(['id', 'objectType', 'objectId', 'objectSequence']);
  const unnumbered = events.where('programId', '=', programId).where('position', 'is', null).orderBy('id');
  for (let limit = eventsPerStep; ; limit *= 2) {
    const chosen = await unnumbered.limit(limit).execute();
    if (chosen.length < limit || !(await lackEarlier(tx, programId, chosen))) return chosen;
  }
}

/** Whether one of these events follows another new one of its object that is not among them. */
async function lackEarlier({ db }: Tx, programId: string, chosen: readonly Unnumbered[]): Promise<boolean> {
  const objects = groupByObject(chosen);
  if (objects.some((events) => (events.at(-1)?.objectSequence ?? 0) - (events[0]?.objectSequence ?? 0) >= events.length)) return true;
  const firsts = objects.flatMap((events) => events.slice(0, 1));
  const { rows } = await sql<{ isLacking: boolean }>`
    select exists (
      select from unnest(${firsts.map(({ objectType }) => objectType)}::text[], ${firsts.map(({ objectId }) => objectId)}::uuid[],
        ${firsts.map(({ objectSequence }) => objectSequence)}::bigint[]) as first (object_type, object_id, object_sequence)
      cross join lateral (
        select position from events where program_id = ${programId} and object_type = first.object_type
          and object_id = first.object_id and object_sequence = first.object_sequence - 1 limit 1) as earlier
      where earlier.position is null
    ) as is_lacking`.execute(db);
  return rows[0]?.isLacking ?? false;
}

/** In the order of their ids, which is chronological, except that an event is never before an earlier one of its object. */
function sortForLog(events: readonly Unnumbered[]): Unnumbered[] {
  const placed = groupByObject(events).flatMap((ofObject) => {
    let place = '';
    return ofObject.map((event) => {
      place = event.id > place ? event.id : place;
      return { event, place };
    });
  });
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  placed.sort((a, b) => compare(a.place, b.place) || a.event.objectSequence - b.event.objectSequence);
  return placed.map(({ event }) => event);
}

/** The events of each object in their order. */
function groupByObject(events: readonly Unnumbered[]): Unnumbered[][] {
  const objects = Map.groupBy(events, ({ objectType, objectId }) => `${objectType} ${objectId}`);
  return [...objects.values()].map((ofObject) => ofObject.toSorted((a, b) => a.objectSequence - b.objectSequence));
}
