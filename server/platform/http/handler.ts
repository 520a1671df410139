// Handles one request: validates its parts, runs the endpoint (writes in one transaction, under the Idempotency-Key if
// one was sent), and shapes the response.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { withCallerCheck } from './active-caller.ts';
import { toCaller } from './caller.ts';
import { requirePathBefore } from './checks.ts';
import { type AnyEndpoint, isForAffiliates, type Principal } from './declaration/endpoint.ts';
import type { Identification } from './declaration/principal.ts';
import { createCoalescer } from './load/coalesce.ts';
import type { HeavyPermit } from './load/heavy-requests.ts';
import { parseParts, rejectUnknownParameters, validateQueryText } from './validate.ts';
import { createWriter, type Response, shapeResponse, toRequestContext } from './writer.ts';

/** The unparsed body, which the fingerprint of an idempotent request needs. */
declare module 'fastify' {
  interface FastifyRequest {
    rawBody: Buffer;
  }
}

/** The handler of one endpoint. */
export function createHandler(endpoint: AnyEndpoint, ctx: Context, identification: Identification) {
  // Created for the first request: hundreds of parsers would delay every start.
  let parser: ReturnType<typeof createParser> | undefined;
  const parse = (request: FastifyRequest) => {
    parser ??= createParser(endpoint);
    return parser(request);
  };
  const parseOrReject = async (request: FastifyRequest) => {
    try {
      return parse(request);
    } catch (error) {
      await requirePathBefore(error, ctx, endpoint, request);
      throw error;
    }
  };
  const write = createWriter(endpoint, ctx, identification);
  const share = createCoalescer<Response>();
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<Response> => {
    const input = await parseOrReject(request);
    if (endpoint.scope === 'write') {
      const { url, rawBody, isPathMissing } = request;
      const { response, isReplayed } = await write(input, {
        url,
        rawBody,
        idempotencyKey: request.headers['idempotency-key'],
        isPathMissing,
      });
      if (isReplayed) void reply.header('idempotent-replayed', 'true');
      return response;
    }
    const { handle } = endpoint;
    if (!handle) throw new Error(`${endpoint.id} has no handler.`);
    const context = await toRequestContext(ctx, input);
    const isUsers = endpoint.scope === 'user' || isForAffiliates(endpoint);
    const read = async () =>
      shapeResponse(endpoint, await handle(isUsers ? withCallerCheck(context, input.actor, endpoint, identification) : context, input));
    if (!endpoint.coalesces) return read();
    const { programId, id } = input.actor;
    return share(`${programId} ${id} ${request.url}`, read);
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    request.heavyPermit?.start();
    try {
      return send(reply, await respond(request, reply), request.heavyPermit);
    } catch (error) {
      request.heavyPermit?.release();
      throw error;
    }
  };
}

function createParser(endpoint: AnyEndpoint) {
  const freeSlots = z.object(
    Object.fromEntries(Object.entries(endpoint.path ?? {}).flatMap(([name, slot]) => (slot.exists === null ? [[name, slot.schema]] : []))),
  );
  const query = endpoint.query ?? z.object({});
  // The body can be omitted if every field is optional.
  const defaultBody = endpoint.body?.safeParse({}).success ? {} : undefined;
  return (request: FastifyRequest) => {
    const sentQuery = request.query as Record<string, unknown>;
    validateQueryText(sentQuery, request.url);
    rejectUnknownParameters(query, sentQuery);
    const parts = parseParts({
      free: [freeSlots, request.slots ?? {}],
      query: [query, sentQuery],
      body: [endpoint.body ?? z.unknown(), request.rawBody.length === 0 ? defaultBody : request.body],
    });
    if (!request.actor && endpoint.scope !== 'open') throw new Error('An endpoint ran without its access checks.');
    const [actor, caller] = [request.actor as Principal, toCaller(request)];
    return { actor, caller, params: { ...request.slots, ...parts.free }, query: parts.query, body: parts.body };
  };
}

/** Sends the response. A heavy request's permit is released once the body is complete or the client has disconnected. */
function send(
  reply: FastifyReply,
  { status, body, headers, mediaType, fileName }: Response,
  permit: HeavyPermit | undefined,
): FastifyReply {
  if (fileName) void reply.header('content-disposition', `attachment; filename="${fileName}"`);
  if (headers) void reply.headers(headers);
  void reply.code(status).type(mediaType ?? 'application/json; charset=utf-8');
  if (typeof body === 'string' || body instanceof Uint8Array) {
    permit?.release();
    return reply.send(body);
  }
  const stream = Readable.from(body, { objectMode: false });
  if (permit) stream.once('close', permit.release);
  return reply.send(stream);
}
