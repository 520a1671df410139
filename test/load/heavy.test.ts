// One program's heavy requests must not slow down another program. Measured on a real server process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { isLong } from '../support/time/length.ts';
import { elapse } from '../support/time/wait.ts';
import { type FilledProgram, fillAffiliates, fillLedger, fillOwner, fillProducts, fillProgram } from './fill.ts';
import type { Flood, Flooded } from './flood.ts';
import { type LoadServer, startLoadServer } from './server.ts';

const atOnce = 20;
const boundMs = 250;
/**
 * Other processes on the test machine delay probes too. So each round first measures how long an answer takes without heavy requests, which
 * is subtracted. A round that takes longer than `boundMs` is compared with a round next to as many requests as run at a time: a flood may
 * cost others this many times as much. Other processes only ever add to a delay, so one round within its bound decides.
 */
const mostOfPermitted = 4;
const permittedAtOnce = 2;
const rounds = 3;
const probeEveryMs = 40;
/** A statement of this many entries takes a few hundred milliseconds of one processor. TEST_LENGTH lengthens it. */
const ledgerEntries = isLong ? 28_000 : 12_000;

let server: LoadServer;
let heavy: FilledProgram;
let neighbor: FilledProgram;
let cookie: string;
const picture = randomBytes(9_000_000).toString('base64');
const agent = new http.Agent({ keepAlive: true });

before(async () => {
  server = await startLoadServer();
  heavy = await fillProgram(server.pool, 1);
  neighbor = await fillProgram(server.pool, 2);
  await fillLedger(server.pool, heavy, ledgerEntries);
  await fillProducts(server.pool, heavy, 5000);
  await fillAffiliates(server.pool, heavy, 20_000);
  cookie = await fillOwner(server.pool, heavy);
});
after(async () => {
  agent.destroy();
  await server?.close();
});

const march = 'createdFrom=2026-03-01T00:00:00Z&createdTo=2026-04-01T00:00:00Z';
const lines = Array.from({ length: 20 }, (_, index) => ({ externalProductId: `p-${index}`, amountCents: 100, quantity: 1 }));
const kinds: Record<string, () => { method: string; path: string; cookie?: string; body?: string }> = {
  'image upload of 9 MB': () => ({
    method: 'POST',
    path: '/app/media',
    cookie,
    body: JSON.stringify({ programId: heavy.programId, image: picture }),
  }),
  'page of affiliates in the console': () => ({
    method: 'GET',
    path: `/app/programs/${heavy.programId}/affiliates?limit=100&sort=-salesCents&offset=15000`,
    cookie,
  }),
  'page of affiliates at a deep offset': () => get('/affiliates?limit=100&offset=19000&sort=lastName'),
  'page of events': () => get('/events?limit=100&objectType=affiliate&type=affiliate.archived'),
  'statement as PDF': () => get(`/affiliates/${heavy.affiliateId}/statement?month=2026-03&format=pdf`),
  'statement as CSV': () => get(`/affiliates/${heavy.affiliateId}/statement?month=2026-03&format=csv`),
  'statement as JSON': () => get(`/affiliates/${heavy.affiliateId}/statement?month=2026-03`),
  'QR code as PNG': () => get(`/affiliates/${heavy.affiliateId}/qr?format=png&size=2048`),
  'journal as CSV': () => get(`/ledger/journal?${march}`),
  'journal as JSON': () => get(`/ledger/journal?${march}&format=json`),
  'ledger integrity': () => get('/ledger/integrity?full=true'),
  'product feed as JSON': () => get('/products/feed'),
  'product feed for Google': () => get('/products/feed?format=google_xml'),
  'product import of one line of 1 MB': () => ({
    method: 'POST',
    path: `${heavy.path}/products/import`,
    body: JSON.stringify({ csv: `externalId${',x'.repeat(500_000)}` }),
  }),
  'body of 1 MB made of tiny values': () => ({
    method: 'POST',
    path: `${heavy.path}/products/import`,
    body: `{"csv":[${'{},'.repeat(340_000)}0]}`,
  }),
  'conversion batch of 200 orders with 20 items': () => ({
    method: 'POST',
    path: '/v1/conversions/batch',
    body: JSON.stringify({
      conversions: Array.from({ length: 200 }, () => ({
        orderId: `o-${Math.random()}`,
        amountCents: 2000,
        affiliateId: heavy.affiliateId,
        items: lines,
      })),
    }),
  }),
};

function get(path: string) {
  return { method: 'GET', path: heavy.path + path };
}

describe(`while a program has ${atOnce} requests open`, () => {
  for (const [kind, request] of Object.entries(kinds)) {
    test(`for a ${kind}, another program's GET /v1/me and redirect take at most ${boundMs} ms`, async (t) => {
      const missed: string[] = [];
      for (let round = 0; round < rounds && missed.length === round; round += 1) {
        const quiet = await probeWhile(elapse(300));
        const quietMs = Math.max(median(quiet.me), median(quiet.redirect));
        const flooded = await probeWhile(startFlood({ ...request(), ...target() }));
        const { statuses, ms, hasRetryAfter } = flooded.result;
        t.diagnostic(
          `p95 with ${atOnce} at once ${shown(slowest(flooded))}; median before ${shown(quietMs)}; ${JSON.stringify(statuses)} in ${shown(ms)}`,
        );
        assert.ok(hasRetryAfter, 'a 429 came without Retry-After');
        // Pages of lists wait for their turn, the others are rejected beyond ten at once.
        if (!kind.startsWith('page of')) assert.ok((statuses[429] ?? 0) > 0, 'no request was rejected');
        for (const status of Object.keys(statuses)) assert.ok(['200', '400', '429'].includes(status), `a ${kind} was answered ${status}`);
        const delayMs = slowest(flooded) - quietMs;
        const mostMs = delayMs <= boundMs ? boundMs : Math.max(boundMs, mostOfPermitted * (await measurePermitted(request(), quietMs)));
        if (delayMs > mostMs) missed.push(`${shown(delayMs)}, at most ${shown(mostMs)}`);
      }
      assert.ok(missed.length < rounds, `another program waited ${missed.join('; ')}`);
    });
  }
});

/** The delay next to as many requests as run at a time, in milliseconds. */
async function measurePermitted(request: ReturnType<(typeof kinds)[string]>, quietMs: number): Promise<number> {
  const permitted = await probeWhile(startFlood({ ...request, ...target(), atOnce: permittedAtOnce }));
  return slowest(permitted) - quietMs;
}

/** What 95 of 100 answers take at most. */
function slowest({ me, redirect }: { me: readonly number[]; redirect: readonly number[] }): number {
  return Math.max(percentile95(me), percentile95(redirect));
}

function target() {
  return { port: server.port, key: heavy.key, atOnce, leastMs: 1000 };
}

function shown(ms: number): string {
  return `${Math.round(ms)} ms`;
}

/** Sends a probe at fixed times, whether or not the one before it was answered: a blocked server then delays all that follow. */
async function probeWhile<Result>(work: Promise<Result>): Promise<{ me: number[]; redirect: number[]; result: Result }> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  const me: Promise<number>[] = [];
  const redirect: Promise<number>[] = [];
  while (!isOver) {
    me.push(probe('/v1/me', { authorization: `Bearer ${neighbor.key}` }, 200));
    redirect.push(probe(`/r/${neighbor.code}`, { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' }, 302));
    await elapse(probeEveryMs);
  }
  return { me: await Promise.all(me), redirect: await Promise.all(redirect), result: await work };
}

async function startFlood(given: Flood): Promise<Flooded> {
  const child = spawn(process.execPath, ['test/load/flood.ts'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(given));
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(output) as Flooded;
}

/** How long the answer took; infinite if it was rejected. */
function probe(path: string, headers: Record<string, string>, expected: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const startedAt = performance.now();
  http
    .get({ agent, host: '127.0.0.1', port: server.port, path, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === expected ? performance.now() - startedAt : Number.POSITIVE_INFINITY));
    })
    .once('error', () => resolve(Number.POSITIVE_INFINITY));
  return promise;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function percentile95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;
}
