// The data and the load of benchmarks of clicks, and the bare server that they are compared with, which runs in a process of
// its own: all cases meet the same connections, the same requests and the same measuring.
import Fastify from 'fastify';
import type pg from 'pg';
import { connect } from '../server/platform/db/connect.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { drive, isWholeBody } from './drive.ts';
import { codeOf, fillPrograms } from './fill.ts';

/** Follows one path, or the links of that many affiliates; `addresses`: from how many addresses; `host`: of a service that reads it. */
export type Load = { port: number; connections: number; seconds: number; links: string | number; addresses: number; host?: string };
export type Measured = { responses: number; recorded: number; others: number; perSecond: number; p50Ms: number; p99Ms: number };

const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Only a redirect by the framework: what any answer costs. */
export async function serveBare(): Promise<number> {
  const app = Fastify();
  app.get('/r/:code', (_request, reply) => reply.redirect('https://brand.example/'));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const toWebsite = /\r\nlocation: https?:/i;

/** Follows links, each at random, from a random address as a trusted proxy reports it. */
export async function runLoad({ links, addresses, host = 'bench', ...load }: Load): Promise<Measured> {
  const counts = { recorded: 0, others: 0 };
  const request = (): string => {
    const path = typeof links === 'string' ? links : `/r/${codeOf(1 + Math.floor(Math.random() * links))}`;
    const number = Math.floor(Math.random() * addresses);
    const address = `100.${64 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
    return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${address}\r\nUser-Agent: ${agent}\r\nAccept: text/html\r\n\r\n`;
  };
  const onResponse = (text: string): void => {
    // An unknown link is redirected, too: to a page of the service.
    if (!text.startsWith('HTTP/1.1 302') || !toWebsite.test(text)) counts.others += 1;
    else if (text.includes('trb_click=')) counts.recorded += 1;
  };
  const { elapsedMs, ...times } = await drive({ ...load, request, isWhole: isWholeBody, onResponse });
  return { ...times, ...counts, perSecond: (times.responses / elapsedMs) * 1000 };
}

/** Programs with the default settings, and their affiliates. */
export async function fillClicks(connection: pg.ClientConfig, given: { programs: number; affiliates: number }): Promise<void> {
  const pool = connect({ ...connection, max: 2, statement_timeout: 0, query_timeout: 0 });
  await migrate(pool, new Date());
  await fillPrograms(pool, given);
  await pool.query(`insert into referral_codes (code, program_id, affiliate_id) select referral_code, program_id, id from affiliates`);
  await pool.query('vacuum analyze');
  await pool.end();
}
