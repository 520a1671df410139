// Reads the event log of a program from its end on, over the API, so that it works with any installation.
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from '../connection/connection.ts';
import { getProgram } from '../connection/program.ts';
import { get } from '../connection/send.ts';

export type Event = {
  id: string;
  type: string;
  createdAt: string;
  previous: Record<string, unknown> | null;
  [field: string]: unknown;
};

type Page = { events: Event[]; limit: number; nextCursor: string | null };

const pollMs = 1000;

/** A cursor behind the newest event; null if there are no events yet. */
export async function findEnd(connection: Connection): Promise<string | null> {
  const newest = await readEvents(connection, { limit: '1' });
  if (newest.nextCursor !== null || newest.events.length === 0) return newest.nextCursor;
  return (await readEvents(connection, { limit: '1', sort: 'createdAt' })).nextCursor;
}

export async function getEvent(connection: Connection, id: string): Promise<Event> {
  return (await read(connection, `/events/${encodeURIComponent(id)}`)) as Event;
}

type Following = { types: readonly string[]; cursor: string | null; signal?: AbortSignal | undefined };

/** Passes on each event after the cursor, in order, until the signal is aborted. */
export async function followEvents(
  connection: Connection,
  { types, cursor, signal }: Following,
  receive: (event: Event) => Promise<unknown>,
) {
  let position = cursor;
  while (!signal?.aborted) {
    const page = await readEvents(connection, { sort: 'createdAt', limit: '100' }, types, position);
    for (const event of page.events) await receive(event);
    position = page.nextCursor ?? position;
    if (page.events.length < page.limit) await wait(pollMs, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}

async function readEvents(
  connection: Connection,
  query: Record<string, string>,
  types: readonly string[] = [],
  cursor: string | null = null,
): Promise<Page> {
  const parameters = new URLSearchParams(query);
  for (const type of types) parameters.append('type', type);
  if (cursor !== null) parameters.set('cursor', cursor);
  return (await read(connection, `/events?${parameters}`)) as Page;
}

async function read(connection: Connection, path: string): Promise<unknown> {
  const { id } = await getProgram(connection);
  return get(connection, `/v1/programs/${id}${path}`);
}
