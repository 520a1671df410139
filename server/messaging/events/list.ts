// The event log over HTTP: an integration reads it from any point and continues after the last event it has seen.
import { z } from 'zod';
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
import { isBeyond, type LogPosition, selectEvents, toCursor } from './read.ts';

const objectNames = Object.keys(eventObjects) as [EventObject, ...EventObject[]];
const type = line(100);

/** A cursor is the position and the id of an event. */
function parseCursor(text: string): LogPosition | null {
  const [position = '', id = '', ...rest] = text.split('.');
  return /^\d{1,15}$/.test(position) && canonicalUuid(id) !== null && rest.length === 0 ? { position: Number(position), id } : null;
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
  async handle(ctx, { actor, query }) {
    const { type: types, objectType, objectId, affiliateId, createdFrom, createdTo, limit, cursor, sort } = query;
    let events = selectEvents(ctx, actor.programId).where(withinRange('createdAt', createdFrom, createdTo));
    if (types) events = events.where('type', 'in', types);
    if (objectType) events = events.where('objectType', 'in', objectType);
    if (objectId) events = events.where('objectId', '=', objectId);
    if (affiliateId) events = events.where('affiliateId', '=', affiliateId);
    if (cursor) events = events.where(isBeyond(cursor, sort.direction));
    const ordered = events.selectAll().orderBy('position', sort.direction).orderBy('id', sort.direction);
    const found = await ordered.limit(limit + 1).execute();
    const rows = found.slice(0, limit);
    const last = rows.at(-1) ?? cursor;
    const isComplete = sort.direction === 'desc' && found.length <= limit;
    return { events: rows.map(toEvent), limit, nextCursor: last && !isComplete ? toCursor(last) : null };
  },
});

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
