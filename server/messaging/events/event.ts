// An event as integrations receive it: the body of a webhook, whose fields `GET …/events` also returns.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Events } from '../../platform/db/schema.gen.ts';
import { ActorShape, actorExample } from '../../platform/http/declaration/actor-shape.ts';
import { countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';

const changedFields = z.record(z.string(), z.unknown());

/** What every event has in common. `data` and `type` are narrowed by each event's own schema. */
const envelope = {
  id: uuidOut.describe('The same in every delivery, including in the header `webhook-id`: ignore an event whose id you have processed.'),
  type: z.string(),
  programId: uuidOut,
  objectType: z.string().describe('The kind of object that the event is about.'),
  objectId: uuidOut,
  sequence: countOut.describe('Numbers the events of an object without gaps, in the order in which they happened; 1 is its creation.'),
  apiVersion: z.literal('v1'),
  actor: ActorShape,
};

/** The body of a webhook. */
export const EventPayload = z
  .object({
    ...envelope,
    timestamp: timestampOut.describe('When it happened.'),
    data: z.record(z.string(), z.unknown()).describe('The object after the change, as the API returns it.'),
    previous: changedFields.optional().describe('The fields that changed, with their values before the change.'),
  })
  .meta({ id: 'EventPayload' });

type Row = Omit<Selectable<Events>, 'recordedValues'>;

/** The body that is sent to webhooks. */
export function toPayload(row: Row): z.input<typeof EventPayload> {
  const { createdAt, previous, ...event } = toEvent(row);
  const payload = { ...event, timestamp: createdAt };
  return previous === null ? payload : { ...payload, previous };
}

/** What `GET …/events` and webhooks share. */
export function toEvent(row: Row) {
  return {
    id: row.id,
    type: row.type,
    programId: row.programId,
    objectType: row.objectType,
    objectId: row.objectId,
    sequence: row.objectSequence,
    apiVersion: 'v1' as const,
    actor: ActorShape.parse({ kind: row.actorKind, id: row.actorId }),
    createdAt: row.createdAt.toISOString(),
    data: changedFields.parse(row.data),
    previous: changedFields.nullable().parse(row.previous),
  };
}

export const EventShape = z
  .object({
    ...envelope,
    createdAt: timestampOut,
    data: z.record(z.string(), z.unknown()).describe('The object after the change, as the API returns it.'),
    previous: changedFields.nullable().describe('The fields that changed, with their values before the change.'),
  })
  .meta({
    id: 'Event',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      type: 'group.changed',
      programId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
      objectType: 'group',
      objectId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e60',
      sequence: 2,
      apiVersion: 'v1',
      actor: actorExample,
      createdAt: '2026-11-02T09:30:00.000Z',
      data: { id: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e60', name: 'Platinum' },
      previous: { name: 'Gold' },
    },
  });
