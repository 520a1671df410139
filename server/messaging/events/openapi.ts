// The `webhooks` section of the OpenAPI document: the body of every event, generated from its declaration.
import type { JsonValue } from '../../platform/db/schema.gen.ts';
import { toHeaders } from '../../platform/http/openapi/headers.ts';
import { exampleOf, type Json, toJsonSchema } from '../../platform/http/openapi/schemas.ts';
import type { EventDefinition } from './define.ts';
import { EventPayload, toPayload } from './event.ts';

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const deliveryHeaders = [
  header('webhook-id', 'The id of the event.'),
  header('webhook-timestamp', 'When the request was signed, in seconds since 1970.'),
  header('webhook-signature', 'Signatures as specified by Standard Webhooks: `v1,` and the signature in base64, separated by spaces.'),
];

/** The webhooks of these events, by type. Schemas with an id are added to `schemas`. */
export function describeWebhooks(events: readonly EventDefinition[], schemas: Json): Json {
  return Object.fromEntries(events.map((event) => [event.type, { post: toOperation(event, schemas) }]));
}

function toOperation(event: EventDefinition, schemas: Json): Json {
  const name = toSchemaName(event.type);
  const envelope = toJsonSchema(EventPayload, 'output', schemas);
  schemas[name] = {
    title: event.type,
    description: event.summary,
    allOf: [
      envelope,
      {
        type: 'object',
        properties: {
          type: { const: event.type, description: 'The name of the event.' },
          objectType: { const: event.object, description: 'The kind of object that the event is about.' },
          data: toJsonSchema(event.data, 'output', schemas),
        },
      },
    ],
  };
  const content = { schema: { $ref: `#/components/schemas/${name}` }, example: toExample(event) };
  return {
    operationId: `events.${event.type}`,
    tags: ['Events'],
    summary: event.type,
    description: event.summary,
    parameters: deliveryHeaders,
    requestBody: { required: true, content: { 'application/json': content } },
    responses: {
      '2XX': { description: 'Received. Any other status is retried.', headers: toHeaders([]) },
    },
  };
}

/** `affiliate.approved` becomes `AffiliateApprovedEvent`. */
function toSchemaName(type: string): string {
  const words = type.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

/** The example, made by the function that makes the body of a webhook. */
function toExample({ type, object, isCreation, data, previous }: EventDefinition): Json {
  const example = (exampleOf(data) ?? {}) as { [field: string]: JsonValue };
  return toPayload({
    programId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
    id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
    position: 0,
    type,
    objectType: object,
    objectId: typeof example.id === 'string' ? example.id : '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
    objectSequence: isCreation ? 1 : 2,
    affiliateId: null,
    data: example,
    previous: previous as { [field: string]: JsonValue } | null,
    actorKind: 'api_key',
    actorId: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14',
    createdAt: new Date('2026-11-02T09:30:00.000Z'),
  });
}
