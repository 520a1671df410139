// Heavy requests of a program run two at a time per process, with a short queue. Beyond it they are refused with 429 before their body
// is read, so that no program can fill the memory, the worker threads or the event loop of the others.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createKeyedSemaphore } from '../../lib/concurrency/semaphore.ts';
import { TooBusy } from '../../lib/errors.ts';

const atOnce = 2;
const maxWaiting = 8;
/** Shorter than the time after which most HTTP clients give up. */
const maxWaitMs = 20_000;
const retryAfterSeconds = 2;

/** The place that a heavy request takes up. It is given back when both its work and its response are over. */
export type Place = {
  /** Called when the work starts; from then on a closed connection doesn't give the place back. */
  start(): void;
  leave(): void;
};

declare module 'fastify' {
  interface FastifyRequest {
    place: Place | undefined;
  }
}

/** The onRequest hook of heavy endpoints. Comes after the checks, since the limit is per program. */
export function limitHeavyRequests() {
  const refuse = () => new TooBusy(retryAfterSeconds);
  const gates = createKeyedSemaphore({ concurrency: atOnce, maxWaiting, maxWaitMs, overloadError: refuse });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!request.actor) throw new Error('A heavy endpoint needs a key.');
    const leave = await gates.acquire(request.actor.programId);
    let hasStarted = false;
    request.place = {
      start() {
        hasStarted = true;
      },
      leave,
    };
    // A body that is refused or never arrives in full doesn't reach the endpoint.
    const leaveUnlessStarted = (): void => {
      if (!hasStarted) leave();
    };
    reply.raw.once('finish', leaveUnlessStarted);
    reply.raw.once('close', leaveUnlessStarted);
    if (request.raw.destroyed) leave();
  };
}
