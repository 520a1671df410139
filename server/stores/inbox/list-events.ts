// Events of a provider, with their outcomes. Payloads are not returned: they may contain personal data.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { findProviderReferences, ProviderReference } from '../../connections/providers/reference.ts';
import type { ProviderEvents } from '../../platform/db/schema.gen.ts';
import { eventListOf, eventPage, findEventPage } from '../../platform/http/declaration/cursor.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { countOut, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { expandable, oneOf, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { EventErrorCode, EventOutcome, EventStatus } from './event-status.ts';

const Event = z
  .object({
    id: uuidOut,
    providerId: uuidOut,
    provider: ProviderReference.optional().describe('Included with `?expand=provider`.'),
    externalId: z.string().describe("The provider's id for the event."),
    topic: z.string(),
    status: EventStatus.describe(
      '`waiting`: the order of the event has not arrived yet, or has no exchange rate; the event is processed again when it does.',
    ),
    outcome: EventOutcome.nullable(),
    errorCode: EventErrorCode.nullable(),
    error: z.string().nullable(),
    attempts: countOut,
    nextAttemptAt: timestampOut.nullable(),
    occurredAt: timestampOut.nullable(),
    createdAt: timestampOut.describe('When the event was received.'),
    processedAt: timestampOut.nullable(),
  })
  .meta({
    id: 'ProviderEvent',
    example: {
      id: '01980a51-91d2-7a40-b3c7-4f0e8d5a6c21',
      providerId: '01980a51-3c1d-7b52-8f0e-6a1d2c9e4b70',
      externalId: 'evt_1PqR8tLkdIwHu7ix',
      topic: 'checkout.session.completed',
      status: 'processed',
      outcome: {
        action: 'order',
        status: 'credited',
        orderId: 'FF-10023',
        conversionId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
      },
      errorCode: null,
      error: null,
      attempts: 1,
      nextAttemptAt: null,
      occurredAt: '2026-11-20T16:04:11.000Z',
      createdAt: '2026-11-20T16:04:12.000Z',
      processedAt: '2026-11-20T16:04:12.000Z',
    },
  });

export const listProviderEvents = endpoint({
  id: 'providerEvents.list',
  route: 'GET /v1/programs/:programId/provider-events',
  scope: 'read',
  tag: 'Providers',
  summary: 'List provider events',
  description: 'The payloads of the events are not returned.',
  query: z.object({
    providerId: uuid.optional(),
    status: oneOf(EventStatus),
    topic: externalIdentifier(100).optional(),
    externalId: externalIdentifier(255).optional(),
    ...timeRange('created'),
    ...eventPage,
    expand: expandable('provider'),
  }),
  statuses: [200],
  result: eventListOf('providerEvents', Event, 'ProviderEventList'),
  async handle(ctx, { actor, query }) {
    const { providerId, status, topic, externalId, createdFrom, createdTo } = query;
    let events = ctx.db.selectFrom('providerEvents').where('programId', '=', actor.programId);
    if (providerId) events = events.where('providerId', '=', providerId);
    if (status) events = events.where('status', 'in', status);
    if (topic) events = events.where('topic', '=', topic);
    if (externalId) events = events.where('externalId', '=', externalId);
    events = events.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, ...list } = await findEventPage(events, query, (found) => found.select(columns));
    const ids = query.expand.has('provider') ? rows.map((row) => row.providerId) : [];
    const providers = await findProviderReferences(ctx, actor.programId, ids);
    return { providerEvents: rows.map((row) => ({ ...toEvent(row), provider: providers.get(row.providerId) })), ...list };
  },
});

export const getProviderEvent = endpoint({
  id: 'providerEvents.get',
  route: 'GET /v1/programs/:programId/provider-events/:id',
  scope: 'read',
  tag: 'Providers',
  summary: 'Get a provider event',
  path: { id: idSlot('providerEvents', 'The id of the event.') },
  statuses: [200],
  result: Event,
  async handle(ctx, { actor, params }) {
    const events = ctx.db.selectFrom('providerEvents').select(columns).where('programId', '=', actor.programId);
    return toEvent(await events.where('id', '=', params.id).executeTakeFirstOrThrow());
  },
});

const columns = [
  'id',
  'providerId',
  'externalId',
  'topic',
  'status',
  'outcome',
  'errorCode',
  'error',
  'attempts',
  'nextAttemptAt',
  'occurredAt',
  'createdAt',
  'processedAt',
] as const;

function toEvent(row: Pick<Selectable<ProviderEvents>, (typeof columns)[number]>): z.input<typeof Event> {
  return {
    ...row,
    status: EventStatus.parse(row.status),
    outcome: EventOutcome.nullable().parse(row.outcome),
    errorCode: EventErrorCode.nullable().parse(row.errorCode),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    occurredAt: row.occurredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    processedAt: row.processedAt?.toISOString() ?? null,
  };
}
