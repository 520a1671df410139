// One request, from its parts to its answer: validate, run (writes in one transaction, under the
// request's Idempotency-Key if it has one), shape.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { AnyEndpoint, Principal } from './declaration/endpoint.ts';
import type { Place } from './load/heavy-requests.ts';
import { inspectQuery, parseParts, rejectUnknownParameters } from './validate.ts';
import { type Answer, createWriter, shape, toProgramContext } from './writer.ts';

/** The body as it came, for the fingerprint of an idempotent request. */
declare module 'fastify' {
  interface FastifyRequest {
    rawBody: Buffer;
  }
}

/** The handler of one endpoint. */
export function createHandler(endpoint: AnyEndpoint, ctx: Context) {
  const parse = parserOf(endpoint);
  const write = createWriter(endpoint, ctx);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    const input = parse(request);
    if (endpoint.scope === 'write') {
      const { url, rawBody } = request;
      const { answer, replayed } = await write(input, { url, rawBody, idempotencyKey: request.headers['idempotency-key'] });
      if (replayed) void reply.header('idempotent-replayed', 'true');
      return answer;
    }
    if (!endpoint.handle) throw new Error(`${endpoint.id} has nothing to run.`);
    return shape(endpoint, await endpoint.handle(toProgramContext(ctx, input.actor), input));
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    request.place?.start();
    try {
      return send(reply, await answer(request, reply), request.place);
    } catch (error) {
      request.place?.leave();
      throw error;
    }
  };
}

function parserOf(endpoint: AnyEndpoint) {
  const freeSlots = z.object(
    Object.fromEntries(Object.entries(endpoint.path ?? {}).flatMap(([name, slot]) => (slot.exists === null ? [[name, slot.schema]] : []))),
  );
  const query = endpoint.query ?? z.object({});
  // A request may leave its body out where every field of it is optional.
  const withoutBody = endpoint.body?.safeParse({}).success ? {} : undefined;
  return (request: FastifyRequest) => {
    const given = request.query as Record<string, unknown>;
    inspectQuery(given, request.url);
    rejectUnknownParameters(query, given);
    const parts = parseParts({
      free: [freeSlots, request.slots ?? {}],
      query: [query, given],
      body: [endpoint.body ?? z.unknown(), request.rawBody.length === 0 ? withoutBody : request.body],
    });
    if (!request.actor && endpoint.scope !== 'open') throw new Error('An endpoint ran without its checks.');
    const caller = { ip: request.ip, peer: request.socket.remoteAddress ?? '', headers: request.headers };
    return { actor: request.actor as Principal, caller, params: { ...request.slots, ...parts.free }, query: parts.query, body: parts.body };
  };
}

/** Sends the answer. A place among the heavy requests is given back when all of it was made, or when the caller went away. */
function send(reply: FastifyReply, { status, body, mediaType, fileName }: Answer, place: Place | undefined): FastifyReply {
  if (fileName) void reply.header('content-disposition', `attachment; filename="${fileName}"`);
  void reply.code(status).type(mediaType ?? 'application/json; charset=utf-8');
  if (typeof body === 'string' || body instanceof Uint8Array) {
    place?.leave();
    return reply.send(body);
  }
  const stream = Readable.from(body, { objectMode: false });
  if (place) stream.once('close', place.leave);
  return reply.send(stream);
}
