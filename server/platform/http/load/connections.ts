// How many connections a process keeps, and for how long without a request. A connection costs a descriptor; a process without free
// descriptors can serve nobody. So when there are too many, the one that has waited longest without a request makes room.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Limits = { most: number; firstRequestMs: number };
type Waiting = { sinceMs: number; isFirst: boolean };

/** For the database, outgoing calls, files and threads. */
const reservedDescriptors = 96;
const leastConnections = 32;
/** Node closes what comes beyond this at once. Sockets that make room are closed in the same turn, so it is hardly ever reached. */
const spare = 16;
const sweepMs = 500;

/** Bounds the connections of a server. Call it before the server listens. */
export function limitConnections(server: Server, { most, firstRequestMs }: Limits): void {
  /** Connections without a request in progress, the longest waiting first. */
  const waiting = new Map<Socket, Waiting>();
  /** Requests in progress; a client may send several before the first is answered. */
  const running = new WeakMap<Socket, number>();
  let open = 0;
  server.maxConnections = most + spare;

  server.on('connection', (socket: Socket) => {
    open += 1;
    const sinceMs = performance.now();
    waiting.set(socket, { sinceMs, isFirst: true });
    socket.once('close', () => {
      open -= 1;
      waiting.delete(socket);
    });
    if (open > most) closeLongestWaiting(waiting);
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    waiting.delete(socket);
    running.set(socket, (running.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (running.get(socket) ?? 1) - 1;
      running.set(socket, left);
      const sinceMs = performance.now();
      if (left === 0 && !socket.destroyed) waiting.set(socket, { sinceMs, isFirst: false });
    });
  });
  const sweep = setInterval(() => closeSilent(waiting, performance.now() - firstRequestMs), sweepMs);
  sweep.unref();
  server.once('close', () => clearInterval(sweep));
}

/** The newest is among the waiting, so there always is one: itself, when all others are being served. */
function closeLongestWaiting(waiting: ReadonlyMap<Socket, Waiting>): void {
  for (const socket of waiting.keys()) return void socket.destroy();
}

/** Closes connections whose first request hasn't come. Between requests Node's keep-alive timeout applies. */
function closeSilent(waiting: ReadonlyMap<Socket, Waiting>, beforeMs: number): void {
  for (const [socket, { sinceMs, isFirst }] of waiting) {
    if (sinceMs > beforeMs) return;
    if (isFirst) socket.destroy();
  }
}

/** As many connections as the process' descriptors allow, when `connections` to the database are taken from them. */
export function connectionsWithin(descriptors: number, connections: number): number {
  return Math.max(leastConnections, descriptors - connections - reservedDescriptors - spare);
}

/** How many descriptors this process may open. Only Linux tells; elsewhere the usual limit is assumed. */
export function descriptorLimit(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? usualDescriptors : Number(soft);
  } catch {
    return usualDescriptors;
  }
}

const usualDescriptors = 1024;
