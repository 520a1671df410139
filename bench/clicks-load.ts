// The load of the click benchmark and the server it is compared with, each in a process of its own: both cases
// meet the same connections, the same requests and the same measuring.
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';

export type Load = { port: number; connections: number; seconds: number; codes: string[] };
export type Measured = { answered: number; recorded: number; others: number; perSecond: number; p50Ms: number; p99Ms: number };

const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** A redirect by the framework alone: what any answer costs. */
export async function serveBare(): Promise<number> {
  const app = Fastify();
  app.get('/r/:code', (_request, reply) => reply.redirect('https://brand.example/'));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Keeps every connection busy with one request at a time, each for a random code. */
export async function runLoad({ port, connections, seconds, codes }: Load): Promise<Measured> {
  const latencies: number[] = [];
  const counts = { recorded: 0, others: 0 };
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const drive = (socket: Socket): Promise<void> => {
    let text = '';
    let sentAt = 0;
    const send = (): void => {
      const code = codes[Math.floor(Math.random() * codes.length)];
      sentAt = performance.now();
      socket.write(`GET /r/${code} HTTP/1.1\r\nHost: bench\r\nUser-Agent: ${agent}\r\nAccept: text/html\r\n\r\n`);
    };
    return new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (!text.endsWith('\r\n\r\n')) return;
        const now = performance.now();
        latencies.push(now - sentAt);
        if (!text.startsWith('HTTP/1.1 302')) counts.others += 1;
        else if (text.includes('trb_click=')) counts.recorded += 1;
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
  const answered = latencies.length;
  return { answered, ...counts, perSecond: (answered / elapsedMs) * 1000, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}
