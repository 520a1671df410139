// Limits the connections of a process, and how long they may be idle. Each connection uses a file descriptor, and a
// process without free descriptors can't accept requests. Beyond the limit, the connection that has been idle longest is
// closed.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Limits = { maxConnections: number; firstRequestMs: number };
type Idle = { sinceMs: number; isFirst: boolean };

/** For the database, outgoing calls, files and threads. */
const reservedDescriptors = 96;
const minConnections = 32;
/** Node closes connections beyond this margin immediately. It is rarely reached, because idle ones are closed first. */
const margin = 16;
const sweepMs = 500;

/** Limits the connections of a server. Must be called before the server listens. */
export function limitConnections(server: Server, { maxConnections, firstRequestMs }: Limits): void {
  /** Connections without a request in progress, the one idle longest first. */
  const idle = new Map<Socket, Idle>();
  /** Requests in progress per connection; a client may pipeline several. */
  const running = new WeakMap<Socket, number>();
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
    if (open > maxConnections) closeLongestIdle(idle);
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

/** There is always one: the newest connection itself, if all others have a request in progress. */
function closeLongestIdle(idle: ReadonlyMap<Socket, Idle>): void {
  for (const socket of idle.keys()) return void socket.destroy();
}

/** Closes connections that have not sent their first request in time. Later, Node's keep-alive timeout applies. */
function closeSilent(idle: ReadonlyMap<Socket, Idle>, beforeMs: number): void {
  for (const [socket, { sinceMs, isFirst }] of idle) {
    if (sinceMs > beforeMs) return;
    if (isFirst) socket.destroy();
  }
}

/** The connections that the process's descriptors allow besides `databaseConnections`. */
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
