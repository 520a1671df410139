// Bodies of requests without credentials. Anyone can send them as slowly as they like, and each one uses a connection until
// it is complete. So they must arrive at a minimum rate, and connections that receive them slowly are few.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '../raw-responses.ts';

type Receiving = { request: IncomingMessage; sinceMs: number; bytesBefore: number };

export type SlowBodies = {
  /** Closes the connection that has been receiving such a body for longest, if more than `kept` are. False if not. */
  closeOldest(kept: number): boolean;
};

type Limits = {
  /** How many connections may receive such bodies slowly. */
  maxSlow: number;
  /** Responds to a request that took too long, and closes its connection. */
  rejectSlow(socket: Socket): void;
};

/** A body that isn't complete after this time is slow. */
const slowAfterMs = 1000;
/** From then on, the average rate must be at least the minimum. */
const graceMs = 5000;
const minBytesPerSecond = 1024;
const sweepMs = 500;

const withCredentials = new WeakSet<IncomingMessage>();

/** Exempts a request whose API key or session was found to be valid. */
export function exemptFromBodyLimits(request: IncomingMessage): void {
  withCredentials.add(request);
}

/** Limits slow bodies on the connections of a server. */
export function limitSlowBodies(server: Server, { maxSlow, rejectSlow }: Limits): SlowBodies {
  /** The oldest body first. */
  const receiving = new Map<Socket, Receiving>();

  const findAnonymous = (): [Socket, Receiving][] => {
    for (const [socket, { request }] of receiving) if (request.complete || withCredentials.has(request)) receiving.delete(socket);
    return [...receiving];
  };
  const closeOldest = (kept: number): boolean => {
    const anonymous = findAnonymous();
    const [oldest] = anonymous;
    if (!oldest || anonymous.length <= kept) return false;
    close(oldest[0]);
    return true;
  };
  const close = (socket: Socket): void => {
    receiving.delete(socket);
    socket.destroy();
  };
  const sweep = (): void => {
    const nowMs = performance.now();
    const slow = findAnonymous().filter(([, { sinceMs }]) => nowMs - sinceMs > slowAfterMs);
    for (const [socket] of slow.slice(0, Math.max(0, slow.length - maxSlow))) close(socket);
    for (const [socket, body] of slow) {
      if (socket.destroyed || !isTooSlow(socket, body, nowMs)) continue;
      receiving.delete(socket);
      rejectSlow(socket);
    }
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (!hasBody(request)) return;
    const sinceMs = performance.now();
    receiving.set(socket, { request, sinceMs, bytesBefore: socket.bytesRead });
    const end = (): void => {
      if (receiving.get(socket)?.request === request) receiving.delete(socket);
    };
    request.once('close', end);
    response.once('close', end);
  });
  const timer = setInterval(sweep, sweepMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
  return { closeOldest };
}

function isTooSlow(socket: Socket, { sinceMs, bytesBefore }: Receiving, nowMs: number): boolean {
  const elapsedMs = nowMs - sinceMs;
  return elapsedMs > graceMs && socket.bytesRead - bytesBefore < (minBytesPerSecond * elapsedMs) / 1000;
}
