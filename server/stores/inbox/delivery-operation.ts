// The endpoint for deliveries in the API reference. It isn't declared like the others, because each provider has its own format.
import type { InboundOperation } from '../../platform/http/openapi/document.ts';
import { toHeaders } from '../../platform/http/openapi/headers.ts';

const headers = toHeaders(['X-Request-Id']);

/** How the reference describes deliveries from providers. */
export const deliverEvents: InboundOperation = {
  method: 'post',
  path: '/v1/providers/{providerId}/events',
  operation: {
    operationId: 'providers.deliverEvents',
    tags: ['Providers'],
    summary: 'Deliver events from a provider',
    description:
      'The `eventsUrl` of a provider, to which the external system sends its events. No API key is required; the signature of ' +
      "the raw body is verified with the provider's signing secret. Deliveries can be late, repeated and out of order.",
    'x-required-scope': 'open',
    security: [],
    parameters: [
      {
        name: 'providerId',
        in: 'path',
        required: true,
        description: 'The id of the provider.',
        schema: { type: 'string', format: 'uuid' },
        example: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
      },
    ],
    requestBody: {
      required: true,
      description: "The delivery in the provider's own format, at most 1 MB.",
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    responses: {
      200: {
        description: 'Received; the events are processed after the response.',
        headers,
        content: {
          'application/json': {
            schema: { type: 'object', required: ['received'], properties: { received: { type: 'integer' } } },
            example: { received: 1 },
          },
        },
      },
      400: {
        description: '`malformed_event`: the signature is valid, but the body is not an event, such as JSON that repeats a key.',
        headers,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
      401: {
        description: '`bad_signature`: the signature is missing, wrong or too old.',
        headers,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
      404: {
        description: 'The provider was not found.',
        headers,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  },
};
