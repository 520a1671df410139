// The request log of a program, for those who connect it.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { LoggedRequests } from '../db/schema.gen.ts';
import { eventListOf, eventPage, findEventPage } from '../http/declaration/cursor.ts';
import { endpoint } from '../http/declaration/endpoint.ts';
import { countOut, line, logged, timestampOut, uuid, uuidOut, wholeNumber } from '../http/declaration/fields.ts';
import { idSlot } from '../http/declaration/id-slot.ts';
import { timeRange, withinRange } from '../http/declaration/lists.ts';

const example = {
  id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
  requestId: '01980c02-7d0f-7c11-9b1a-3f2e1d0c9b8a',
  apiKeyId: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14',
  operation: 'conversions.report',
  method: 'POST',
  path: '/v1/conversions',
  httpStatus: 422,
  durationMs: 12,
  errorCode: 'unattributed',
  errorMessage: 'No affiliate could be credited for this order.',
  createdAt: '2026-11-20T09:00:00.000Z',
};

const RequestShape = z
  .object({
    id: uuidOut,
    requestId: z.string().describe('The header `X-Request-Id` of the request, if it sent one, and of its response.'),
    apiKeyId: uuidOut.describe('The API key that sent the request.'),
    operation: z.string().describe('Such as `conversions.report`.'),
    method: z.string(),
    path: z.string().describe('With the query. Values that the log does not show are `***`.'),
    httpStatus: countOut.describe('The status of the response.'),
    durationMs: countOut.describe('From the arrival of the headers to the end of the response.'),
    errorCode: z.string().nullable().describe('The `code` of the response; null if it was no error.'),
    errorMessage: z.string().nullable().describe('The message of the error, and on a line each what is wrong with a field.'),
    createdAt: timestampOut.describe('When the request arrived.'),
  })
  .meta({ id: 'LoggedRequest', example });

type Row = Omit<Selectable<LoggedRequests>, 'body' | 'isBodyOmitted' | 'programId'>;

function toLoggedRequest({ createdAt, ...row }: Row): z.input<typeof RequestShape> {
  return { ...row, createdAt: createdAt.toISOString() };
}

const columns = [
  'id',
  'requestId',
  'apiKeyId',
  'operation',
  'method',
  'path',
  'httpStatus',
  'durationMs',
  'errorCode',
  'errorMessage',
  'createdAt',
] as const;

export const listRequests = endpoint({
  id: 'requests.list',
  route: 'GET /v1/programs/:programId/requests',
  scope: 'read',
  tag: 'Request log',
  summary: 'List requests',
  description:
    'The requests of the API keys of this program, about a second after their responses, for 7 days unless the operator chose ' +
    'otherwise. Clicks and requests of people are not logged. Under heavy load some requests may be missing.',
  query: z.object({
    requestId: logged(line(64)).optional().describe('Only requests with this request id.'),
    apiKeyId: uuid.optional().describe('Only requests of this API key.'),
    operation: logged(line(100)).optional().describe('Only requests of this operation, such as `conversions.report`.'),
    httpStatusMin: wholeNumber({ min: 100, max: 599, fallback: 100 }).describe('Only responses with at least this status: 400 for errors.'),
    ...timeRange('created'),
    ...eventPage,
  }),
  statuses: [200],
  result: eventListOf('requests', RequestShape, 'LoggedRequestList'),
  async handle({ db }, { actor: { programId }, query }) {
    const { requestId, apiKeyId, operation, httpStatusMin, createdFrom, createdTo } = query;
    let requests = db.selectFrom('loggedRequests').where('programId', '=', programId);
    if (requestId) requests = requests.where('requestId', '=', requestId);
    if (apiKeyId) requests = requests.where('apiKeyId', '=', apiKeyId);
    if (operation) requests = requests.where('operation', '=', operation);
    if (httpStatusMin > 100) requests = requests.where('httpStatus', '>=', httpStatusMin);
    requests = requests.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, ...found } = await findEventPage(requests, query, (selected) => selected.select(columns));
    return { requests: rows.map(toLoggedRequest), ...found };
  },
});

const FullRequest = RequestShape.extend({
  body: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      'The fields that the API knows. Shown are amounts, enums, ids, times and fields with `x-logged` in the OpenAPI document; ' +
        'everything else is `***`. Null without a body.',
    ),
  isBodyOmitted: z.boolean().describe('The body was larger than 16 kB or no JSON object, and was not kept.'),
}).meta({
  id: 'FullLoggedRequest',
  example: { ...example, body: { orderId: 'FF-10023', amountCents: 4980, customer: { email: '***' } }, isBodyOmitted: false },
});

export const getRequest = endpoint({
  id: 'requests.get',
  route: 'GET /v1/programs/:programId/requests/:id',
  scope: 'read',
  tag: 'Request log',
  summary: 'Get a request with its body',
  path: { id: idSlot('loggedRequests', 'The id of the logged request.') },
  statuses: [200],
  result: FullRequest,
  async handle({ db }, { actor: { programId }, params: { id } }) {
    const requests = db.selectFrom('loggedRequests').where('programId', '=', programId).where('id', '=', id);
    const { body, isBodyOmitted, ...row } = await requests.select([...columns, 'body', 'isBodyOmitted']).executeTakeFirstOrThrow();
    return { ...toLoggedRequest(row), body: body as Record<string, unknown> | null, isBodyOmitted };
  },
});
