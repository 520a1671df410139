// Keeps a number of connections busy with one request at a time each, and measures every response. The same for
// every case of a benchmark, in its own process.
import { connect, type Socket } from 'node:net';

type Drive = {
  port: number;
  connections: number;
  seconds: number;
  /** The bytes of the next request. */
  request(): string;
  /** Whether this is all of an answer. */
  isWhole(text: string): boolean;
  /** Looks at a whole answer. */
  onResponse(text: string): void;
};

export type Times = { responses: number; elapsedMs: number; p50Ms: number; p99Ms: number };

/** Drives until the time is over, and for each connection until its last answer. */
export async function drive({ port, connections, seconds, request, isWhole, onResponse }: Drive): Promise<Times> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const keepBusy = (socket: Socket): Promise<void> => {
    let text = '';
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(request());
    };
    return new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (!isWhole(text)) return;
        const now = performance.now();
        latencies.push(now - sentAt);
        onResponse(text);
        text = '';
        if (now < until) send();
        else resolve(void socket.destroy());
      });
      socket.once('connect', send);
      socket.setNoDelay(true);
    });
  };
  await Promise.all(Array.from({ length: connections }, () => keepBusy(connect(port, '127.0.0.1'))));
  const elapsedMs = performance.now() - startedAt;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { responses: latencies.length, elapsedMs, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

/** Whether this is all of a response that states its length. */
export function isWholeBody(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return length !== undefined && text.length >= end + 4 + Number(length);
}
