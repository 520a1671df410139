// Reading the event log of a program in the order of its positions.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';

/** The events of a program that have a position. */
export function selectEvents({ db }: Pick<Context, 'db'>, programId: string) {
  return db.selectFrom('events').where('programId', '=', programId).where('position', 'is not', null);
}

/** The condition that an event comes after a position in the log, or before it. */
export function isBeyond(position: number, direction: 'asc' | 'desc') {
  return sql<boolean>`events.position ${direction === 'asc' ? sql`>` : sql`<`} ${position}::bigint`;
}

/** The cursor that continues after a position. */
export function toCursor(position: number): string {
  return Buffer.from(String(position)).toString('base64url');
}

/**
 * Where a reader of the log is after a batch. `end` was read before the batch, so a complete one has everything up to it; a
 * restore moves the end beyond the last event.
 */
export function toReadPosition(
  last: { position: number | null } | undefined,
  { end, isComplete }: { end: number; isComplete: boolean },
): number {
  const reached = last?.position ?? 0;
  return isComplete ? Math.max(reached, end) : reached;
}

/** Whether a reader has read the log to its end, or may have more to read. `locked`: another process is reading for it. */
export type ReaderState = 'complete' | 'more' | 'locked';
