// The load of the benchmark of conversions: orders that nobody reported before, one at a time on every connection.
import { connect, type Socket } from 'node:net';

export type Load = { port: number; key: string; connections: number; seconds: number; codes: string[]; name: string };
export type Measured = { credited: number; others: number; perSecond: number; p50Ms: number; p99Ms: number };

/** Keeps every connection busy; each order is for a random code of those given. */
export async function runLoad({ port, key, connections, seconds, codes, name }: Load): Promise<Measured> {
  const latencies: number[] = [];
  const counts = { credited: 0, others: 0 };
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  let serial = 0;
  const request = (): string => {
    serial += 1;
    const code = codes[Math.floor(Math.random() * codes.length)];
    const body = JSON.stringify({
      orderId: `${name}-${serial}`,
      amountCents: 1000 + (serial % 9000),
      referralCode: code,
      customer: { externalId: `${name}-c${serial}` },
    });
    return `POST /v1/conversions HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const drive = (socket: Socket): Promise<void> => {
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
        if (text.startsWith('HTTP/1.1 201')) counts.credited += 1;
        else counts.others += 1;
        text = '';
        if (now < until) send();
        else resolve(void socket.destroy());
      });
      socket.once('connect', send);
      socket.setNoDelay(true);
    });
  };
  await Promise.all(Array.from({ length: connections }, () => drive(connect(port, '127.0.0.1'))));
  const elapsedMs = performance.now() - startedAt;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { ...counts, perSecond: (counts.credited / elapsedMs) * 1000, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return length !== undefined && text.length >= end + 4 + Number(length);
}
