// Heavy requests of a program run two at a time per process, with a short queue. Beyond it they get 429 before their
// body is read, so that no program can exhaust the memory, worker threads or event loop for the others.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createKeyedSemaphore } from '../../lib/concurrency/semaphore.ts';
import { TooBusy } from '../../lib/errors.ts';
import { type AnyEndpoint, hasOffset } from '../declaration/endpoint.ts';

/** Requests that a program may run at a time, and that may wait. Pages of lists take much less time and memory than files. */
const limits = { file: { concurrency: 2, maxWaiting: 8 }, list: { concurrency: 4, maxWaiting: 32 } };
/** A page after this many rows is heavy: the database reads all of them. */
const deepOffset = 10_000;
/** Shorter than the timeout of most HTTP clients. */
const maxWaitMs = 20_000;
const retryAfterSeconds = 2;

/** The permit of a heavy request, released when both its work and its response are complete. */
export type HeavyPermit = {
  /** Called when the work starts; from then on a closed connection doesn't release the permit. */
  start(): void;
  release(): void;
};

declare module 'fastify' {
  interface FastifyRequest {
    heavyPermit: HeavyPermit | undefined;
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The onRequest hooks of heavy endpoints. They run after the access checks, since the limits are per program or user. */
export function limitHeavyRequests(): (endpoint: AnyEndpoint) => Hook | null {
  const files = createHook(limits.file);
  const lists = createHook(limits.list);
  const deepLists: Hook = async (request, reply) => {
    if (Number((request.query as Record<string, unknown>).offset) > deepOffset) await lists(request, reply);
  };
  return (endpoint) => {
    if (endpoint.heavy) return endpoint.heavy === 'list' ? lists : files;
    return hasOffset(endpoint) ? deepLists : null;
  };
}

function createHook(limit: { concurrency: number; maxWaiting: number }): Hook {
  const overloadError = () => new TooBusy(retryAfterSeconds);
  const semaphore = createKeyedSemaphore({ ...limit, maxWaitMs, overloadError });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!request.actor) throw new Error('A heavy endpoint needs a caller.');
    // Endpoints that are independent of a program are limited per user.
    const release = await semaphore.acquire('programId' in request.actor ? request.actor.programId : request.actor.id);
    let hasStarted = false;
    request.heavyPermit = {
      start() {
        hasStarted = true;
      },
      release,
    };
    // A request whose body is rejected or incomplete doesn't reach the endpoint.
    const releaseUnlessStarted = (): void => {
      if (!hasStarted) release();
    };
    reply.raw.once('finish', releaseUnlessStarted);
    reply.raw.once('close', releaseUnlessStarted);
    if (request.raw.destroyed) release();
  };
}
