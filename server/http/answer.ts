// One request, from its parts to its answer: validate, run (writes in one transaction, under the
// request's Idempotency-Key if it has one), shape.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context, Tx } from '../context.ts';
import { transact } from '../db/transact.ts';
import { type AnyEndpoint, Reply } from './endpoint.ts';
import { type Answer, claim, keepAnswer, readIdempotencyKey } from './idempotency.ts';
import { inspectQuery, parseParts } from './validate.ts';

/** The body as it came, for the fingerprint of an idempotent request. */
declare module 'fastify' {
  interface FastifyRequest {
    rawBody: Buffer;
  }
}

/** The handler of one endpoint. */
export function handlerOf(endpoint: AnyEndpoint, ctx: Context) {
  const freeSlots = z.object(
    Object.fromEntries(Object.entries(endpoint.path ?? {}).flatMap(([name, slot]) => (slot.exists === null ? [[name, slot.schema]] : []))),
  );
  const parse = (request: FastifyRequest) => {
    inspectQuery(request.query as Record<string, unknown>, request.url);
    const { free, query, body } = parseParts({
      free: [freeSlots, request.slots],
      query: [endpoint.query ?? z.unknown(), request.query],
      body: [endpoint.body ?? z.unknown(), request.body],
    });
    if (!request.actor) throw new Error('An endpoint ran without its checks.');
    return { actor: request.actor, params: { ...request.slots, ...free }, query, body };
  };

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const input = parse(request);
    const { answer, replayed } =
      endpoint.scope === 'write'
        ? await write(endpoint, ctx, request, input)
        : { answer: shape(endpoint, await endpoint.handle(ctx, input)), replayed: false };
    if (replayed) void reply.header('idempotent-replayed', 'true');
    return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
  };
}

type Parsed = Parameters<AnyEndpoint['handle']>[1];

async function write(
  endpoint: AnyEndpoint,
  ctx: Context,
  request: FastifyRequest,
  input: Parsed,
): Promise<{ answer: Answer; replayed: boolean }> {
  const key = readIdempotencyKey(request.headers['idempotency-key'], {
    operation: endpoint.id,
    url: request.url,
    body: request.rawBody,
  });
  return transact(ctx, async (tx: Tx) => {
    const first = key && (await claim(tx, input.actor, key));
    if (first) return { answer: first, replayed: true };
    const answer = shape(endpoint, await endpoint.handle(tx, input));
    if (key) await keepAnswer(tx, input.actor, key, answer);
    return { answer, replayed: false };
  });
}

/** Only what `result` declares leaves the service. */
function shape(endpoint: AnyEndpoint, result: unknown): Answer {
  const [usual] = endpoint.statuses;
  const { status, body } = result instanceof Reply ? result : { status: usual, body: result };
  if (!endpoint.statuses.includes(status)) throw new Error(`${endpoint.id} does not declare status ${status}.`);
  return { status, body: JSON.stringify(endpoint.result.parse(body)) };
}
