// Limits the connections of a process, and how long they may be idle. Each connection uses a file descriptor, and a
// process without free descriptors can't accept requests. Beyond the limit, the connection that has been idle longest is
// closed, or one that receives a body without credentials, if those have more than their share.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limitSlowBodies } from './slow-bodies.ts';

type Limits = { maxConnections: number; firstRequestMs: number; rejectSlow(socket: Socket): void };
type Idle = { sinceMs: number; isFirst: boolean };

/** For the database, outgoing calls, files and threads. */
const reservedDescriptors = 96;
const minConnections = 32;
/** Node closes connections beyond this margin immediately. It is rarely reached, because idle ones are closed first. */
const margin = 16;
const sweepMs = 500;

/** The share of the connections that bodies without credentials may use slowly. */
const slowBodyShare = 0.25;

/** Limits the connections of a server. Must be called before the server listens. */
export function limitConnections(server: Server, { maxConnections, firstRequestMs, rejectSlow }: Limits): void {
  /** Connections without a request in progress, the one idle longest first. */
  const idle = new Map<Socket, Idle>();
  /** Requests in progress per connection; a client may pipeline several. */
  const running = new WeakMap<Socket, number>();
  const maxSlow = Math.floor(maxConnections * slowBodyShare);
  const slowBodies = limitSlowBodies(server, { maxSlow, rejectSlow });
  let open = 0;
  server.maxConnections = maxConnections + margin;

  server.on('connection', (socket: Socket) => {
    open += 1;
    const sinceMs = performance.now();
    idle.set(socket, { sinceMs, isFirst: true });
    socket.once('close', () => {
      open -= 1;
      idle.delete(socket);
    });
    if (open <= maxConnections) return;
    if (slowBodies.closeOldest(maxSlow) || closeLongestIdle(idle, socket) || slowBodies.closeOldest(0)) return;
    socket.destroy();
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    running.set(socket, (running.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (running.get(socket) ?? 1) - 1;
      running.set(socket, left);
      const sinceMs = performance.now();
      if (left === 0 && !socket.destroyed) idle.set(socket, { sinceMs, isFirst: false });
    });
  });
  const sweep = setInterval(() => closeSilent(idle, performance.now() - firstRequestMs), sweepMs);
  sweep.unref();
  server.once('close', () => clearInterval(sweep));
}

/** Closes the connection that has been idle longest, other than the newest. False if all have a request in progress. */
function closeLongestIdle(idle: ReadonlyMap<Socket, Idle>, newest: Socket): boolean {
  for (const socket of idle.keys()) {
    if (socket === newest) continue;
    socket.destroy();
    return true;
  }
  return false;
}

/** Closes connections that have not sent their first request in time. Later, Node's keep-alive timeout applies. */
function closeSilent(idle: ReadonlyMap<Socket, Idle>, beforeMs: number): void {
  for (const [socket, { sinceMs, isFirst }] of idle) {
    if (sinceMs > beforeMs) return;
    if (isFirst) socket.destroy();
  }
}

/** The connections that the file descriptors of the process allow in addition to `databaseConnections`. */
export function calculateMaxConnections(descriptors: number, databaseConnections: number): number {
  return Math.max(minConnections, descriptors - databaseConnections - reservedDescriptors - margin);
}

/** The descriptors that this process may open. Only Linux reports it; elsewhere the usual limit is assumed. */
export function readDescriptorLimit(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? usualDescriptors : Number(soft);
  } catch {
    return usualDescriptors;
  }
}

const usualDescriptors = 1024;
