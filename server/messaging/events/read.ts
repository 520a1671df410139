// Reading the event log in order. An event becomes readable when every transaction with a lower position has ended, so
// that a reader who continues after the last event it saw never misses one that was committed late.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';

/** Where an event is in the log. Events are ordered by position, then by id. */
export type LogPosition = { position: number; id: string };

/** The position before which the log is complete. */
export const logEnd = sql<number>`(select position_base from event_log) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** The events of a program that can be read. */
export function selectEvents(ctx: Pick<Context, 'db'>, programId: string) {
  return ctx.db.selectFrom('events').where('programId', '=', programId).where('position', '<', logEnd);
}

/** The condition that an event comes after another one in the log, or before it. */
export function isBeyond({ position, id }: LogPosition, direction: 'asc' | 'desc') {
  return sql<boolean>`(events.position, events.id) ${direction === 'asc' ? sql`>` : sql`<`} (${position}::bigint, ${id}::uuid)`;
}

/** The cursor that continues after an event. */
export function toCursor({ position, id }: LogPosition): string {
  return Buffer.from(`${position}.${id}`).toString('base64url');
}
