// What a provider told us and what became of it. Payloads stay sealed: they may hold buyers and accounts.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, page, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { providerSlot } from './provider.ts';

const EventStatus = z.enum(['received', 'waiting', 'done', 'ignored', 'failed']).meta({ id: 'ProviderEventStatus' });

const Shape = z
  .object({
    id: uuidOut,
    externalId: z.string().describe("The provider's id of the event."),
    topic: z.string(),
    status: EventStatus.describe('`waiting`: it came before what it speaks of, and is tried again.'),
    outcome: z.record(z.string(), z.unknown()).nullable(),
    error: z.string().nullable(),
    tries: countOut,
    nextTryAt: timestampOut.nullable(),
    occurredAt: timestampOut.nullable(),
    receivedAt: timestampOut,
    doneAt: timestampOut.nullable(),
  })
  .meta({ id: 'ProviderEvent' });

export const listProviderEvents = endpoint({
  id: 'providerEvents.list',
  route: 'GET /v1/programs/:programId/providers/:id/events',
  scope: 'read',
  tag: 'Providers',
  summary: 'List events of a provider',
  description: 'Newest first, without what they held.',
  path: { id: providerSlot },
  query: z.object({ status: EventStatus.optional(), ...page }),
  statuses: [200],
  result: z.object({ events: z.array(Shape), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'ProviderEventList' }),
  async handle(ctx, { actor, params, query: { status, limit, offset } }) {
    let events = ctx.db.selectFrom('providerEvents').where('programId', '=', actor.programId).where('providerId', '=', params.id);
    if (status) events = events.where('status', '=', status);
    const { total } = await events.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await events
      .select(['id', 'externalId', 'topic', 'status', 'outcome', 'error', 'tries', 'nextTryAt', 'occurredAt', 'receivedAt', 'doneAt'])
      .orderBy('receivedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return { events: rows.map(toEvent), total, limit, offset };

    function toEvent(row: (typeof rows)[number]): z.input<typeof Shape> {
      return {
        ...row,
        status: EventStatus.parse(row.status),
        outcome: row.outcome as Record<string, unknown> | null,
        nextTryAt: row.nextTryAt?.toISOString() ?? null,
        occurredAt: row.occurredAt?.toISOString() ?? null,
        receivedAt: row.receivedAt.toISOString(),
        doneAt: row.doneAt?.toISOString() ?? null,
      };
    }
  },
});
