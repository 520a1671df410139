// The load of the click benchmark and the server it is compared with, each in a process of its own: both cases
// meet the same connections, the same requests and the same measuring.
import Fastify from 'fastify';
import { drive } from './drive.ts';

/** `addresses`: from how many addresses the clicks come. */
export type Load = { port: number; connections: number; seconds: number; codes: string[]; addresses: number };
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

/** Follows links, each of a random code, from a random address as a trusted proxy reports it. */
export async function runLoad({ codes, addresses, ...load }: Load): Promise<Measured> {
  const counts = { recorded: 0, others: 0 };
  const request = (): string => {
    const code = codes[Math.floor(Math.random() * codes.length)];
    const number = Math.floor(Math.random() * addresses);
    const address = `100.${64 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
    return `GET /r/${code} HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: ${address}\r\nUser-Agent: ${agent}\r\nAccept: text/html\r\n\r\n`;
  };
  const answered = (text: string): void => {
    if (!text.startsWith('HTTP/1.1 302')) counts.others += 1;
    else if (text.includes('trb_click=')) counts.recorded += 1;
  };
  const { elapsedMs, ...times } = await drive({ ...load, request, isWhole: (text) => text.endsWith('\r\n\r\n'), answered });
  return { ...times, ...counts, perSecond: (times.answered / elapsedMs) * 1000 };
}
