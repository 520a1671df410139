// The event log over HTTP: an integration reads it from any point and continues after the last event it has seen.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, line, page, uuid } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { cursorField } from '../../platform/http/declaration/list-cursor.ts';
import { oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import { canonicalUuid } from '../../platform/lib/ids.ts';
import { type EventObject, eventObjects } from './define.ts';
import { eventRetentionDays } from './delete-old.ts';
import { EventShape, toEvent } from './event.ts';
import { readLog } from './number.ts';
import { isBeyond, selectEvents, toCursor } from './read.ts';

const objectNames = Object.keys(eventObjects) as [EventObject, ...EventObject[]];
const type = line(100);

/** A position, or the event that a cursor of an earlier version ends with: its position had another meaning. */
type Cursor = { position: number } | { eventId: string };

function parseCursor(text: string): Cursor | null {
  const [position = '', eventId, ...rest] = text.split('.');
  if (!/^\d{1,15}$/.test(position) || rest.length > 0) return null;
  if (eventId === undefined) return { position: Number(position) };
  return canonicalUuid(eventId) === null ? null : { eventId };
}

/** Everything that is left comes after an event that was deleted: the oldest are deleted first. */
async function toPosition(ctx: Pick<Context, 'db'>, programId: string, cursor: Cursor): Promise<number> {
  if ('position' in cursor) return cursor.position;
  const found = await selectEvents(ctx, programId).select('position').where('id', '=', cursor.eventId).executeTakeFirst();
  return found?.position ?? 0;
}

const Query = z.object({
  type: z
    .union([type.transform((one) => [one]), z.array(type).max(100, 'must not have more than 100 values')])
    .optional()
    .describe('Only events of these types, such as `affiliate.approved`.')
    .meta({ json: { type: 'array', maxItems: 100, items: { type: 'string' } } }),
  objectType: oneOf(z.enum(objectNames)),
  objectId: uuid.optional().describe('Only events of this object, such as an order.'),
  affiliateId: uuid.optional().describe('Only events that are about this affiliate.'),
  ...timeRange('created'),
  limit: page.limit,
  cursor: cursorField({ parse: parseCursor }).describe('The `nextCursor` of an earlier response.'),
  sort: sortBy('createdAt'),
});

const EventList = z
  .object({
    events: z.array(EventShape),
    limit: countOut,
    nextCursor: z
      .string()
      .nullable()
      .describe(
        'Pass it as `cursor` to continue. Null on the last page. With `sort=createdAt` the log has no last page: keep the cursor, and ' +
          'pass it again later to get the events since then.',
      ),
  })
  .meta({ id: 'EventList', example: { events: [exampleOf(EventShape)], limit: 50, nextCursor: null } });

export const listEvents = endpoint({
  id: 'events.list',
  route: 'GET /v1/programs/:programId/events',
  scope: 'read',
  tag: 'Events',
  summary: 'List events',
  description:
    'What happened in the program, newest first. To follow the log, send `sort=createdAt` and continue with `nextCursor`: every event is ' +
    'returned exactly once, whatever is being recorded in the meantime. ' +
    `Events are deleted after ${eventRetentionDays} days.`,
  heavy: 'list',
  query: Query,
  statuses: [200],
  result: EventList,
  async handle(ctx, { actor: { programId }, query }) {
    const { limit, cursor, sort } = query;
    const after = cursor && (await toPosition(ctx, programId, cursor));
    const found = await readLog(ctx, programId, (db) => findEvents({ db }, programId, query, after));
    const rows = found.slice(0, limit);
    const last = rows.at(-1)?.position ?? after;
    const isComplete = sort.direction === 'desc' && found.length <= limit;
    return { events: rows.map(toEvent), limit, nextCursor: last !== undefined && !isComplete ? toCursor(last) : null };
  },
});

/** One more than the page, if there are more. */
function findEvents(ctx: Pick<Context, 'db'>, programId: string, query: z.output<typeof Query>, after: number | undefined) {
  const { type: types, objectType, objectId, affiliateId, createdFrom, createdTo, limit, sort } = query;
  let events = selectEvents(ctx, programId).where(withinRange('createdAt', createdFrom, createdTo));
  if (types) events = events.where('type', 'in', types);
  if (objectType) events = events.where('objectType', 'in', objectType);
  if (objectId) events = events.where('objectId', '=', objectId);
  if (affiliateId) events = events.where('affiliateId', '=', affiliateId);
  if (after !== undefined) events = events.where(isBeyond(after, sort.direction));
  const ordered = events.selectAll().orderBy('position', sort.direction);
  return ordered.limit(limit + 1).execute();
}

export const getEvent = endpoint({
  id: 'events.get',
  route: 'GET /v1/programs/:programId/events/:id',
  scope: 'read',
  tag: 'Events',
  summary: 'Get an event',
  path: { id: idSlot('events', 'The id of the event.') },
  statuses: [200],
  result: EventShape,
  async handle(ctx, { actor, params }) {
    const events = ctx.db.selectFrom('events').selectAll().where('programId', '=', actor.programId);
    return toEvent(await events.where('id', '=', params.id).executeTakeFirstOrThrow());
  },
});
