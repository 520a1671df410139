// How fast a batch of 10,000 payouts leaves, compared with what the rail itself takes, and whether other callers notice. The
// rail answers after a tenth of a second, as rails do; everything else is real: server, database, HTTP, signatures.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { externalWebhook } from '../../server/connections/rails/external-webhook.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { createOutgoingHttp } from '../../server/platform/http/outgoing/outgoing.ts';
import { systemClock } from '../../server/platform/lib/clock.ts';
import { createVault } from '../../server/platform/secrets/vault.ts';
import { externalSecret } from '../../test/support/rails/external.ts';
import { median, sendToParent, start, startServer } from '../processes.ts';
import { fillPayees } from './fill.ts';

const leastRatio = 0.8;
const mostChange = 0.2;
const slowMs = 100;
const callsPerSecond = 100;
const windowSeconds = 5;

type Window = { p50Ms: number; p99Ms: number };

/** Runs the benchmark; true when every promise was kept. `--calls` is its own child process. */
export async function benchPayouts(args: string[]): Promise<boolean> {
  if (args[0] === '--calls') return sendToParent(await callPaced(JSON.parse(args[1] ?? '')));
  const items = args.includes('--items') ? Number(args[args.indexOf('--items') + 1]) : 10_000;
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const children: ChildProcess[] = [];
  try {
    const secretKey = randomBytes(32);
    const pool = connect({ ...database.connection, max: 2 });
    await migrate(pool, new Date());
    const railUrl = await startRail(children);
    const { path, key } = await fillPayees(pool, { items, vault: createVault([secretKey]), railUrl });
    await pool.end();
    // A separate rail: payments that our ledger doesn't contain would stop the program.
    const limit = await railLimit(await startRail(children));
    const environment = { SECRET_KEYS: secretKey.toString('base64'), ALLOW_PRIVATE_ADDRESSES: '1' };
    const port = await startServer(database.connection, children, environment);
    const call = () => start<Window>(['bench/main.ts', 'payouts', '--calls', JSON.stringify({ port, path, key })], []);
    await call();
    const before = [await call(), await call(), await call()];
    const began = Date.now();
    const dispatching = fetch(`http://127.0.0.1:${port}${path}/payouts/dispatch`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    const during: Window[] = [];
    while ((await countPaid(database.connection)).paid < items && Date.now() - began < 300_000) during.push(await call());
    const answer = await dispatching;
    const { paid, seconds } = await countPaid(database.connection, began);
    const after = [await call(), await call()];
    return judge({ status: answer.status, items, paid, perSecond: paid / seconds, limit }, [...before, ...after], during);
  } finally {
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await database.close();
  }
}

type Sent = { status: number; items: number; paid: number; perSecond: number; limit: number };

function judge({ status, items, paid, perSecond, limit }: Sent, quiet: Window[], during: Window[]): boolean {
  const show = (name: string, windows: Window[]) =>
    console.log(
      `  ${name.padEnd(8)} p50 ${windows.map(({ p50Ms }) => p50Ms.toFixed(1)).join(' ')} ms, p99 ${windows.map(({ p99Ms }) => p99Ms.toFixed(1)).join(' ')} ms`,
    );
  show('quiet', quiet);
  show('paying', during);
  const [calm, busy] = [median(quiet.map(({ p99Ms }) => p99Ms)), median(during.map(({ p99Ms }) => p99Ms))];
  const change = busy / calm - 1;
  const ratio = perSecond / limit;
  const promises: [string, boolean][] = [
    [`dispatch returned ${status}, ${paid} of ${items} paid`, status === 201 && paid === items],
    [
      `${perSecond.toFixed(0)} payouts/s, ${ratio.toFixed(2)} of the rail's own ${limit.toFixed(0)}/s (≥ ${leastRatio})`,
      ratio >= leastRatio,
    ],
    [
      `p99 of other calls ${calm.toFixed(1)} → ${busy.toFixed(1)} ms, ${(change * 100).toFixed(0)} % (< ${mostChange * 100} %)`,
      change < mostChange,
    ],
  ];
  console.log('');
  for (const [words, isKept] of promises) console.log(`  ${isKept ? 'kept  ' : 'MISSED'} ${words}`);
  return promises.every(([, isKept]) => isKept);
}

async function startRail(children: ChildProcess[]): Promise<string> {
  const options = JSON.stringify({ mode: 'slow', slowMs });
  return (await start<{ url: string }>(['test/support/rails/external-rail-process.ts', options], children)).url;
}

/** What the rail takes over as many connections as we use, without any ledger behind it. */
async function railLimit(url: string): Promise<number> {
  const http = createOutgoingHttp({ allowPrivate: true });
  const rail = externalWebhook.open({
    config: { url },
    secrets: { signingSecret: externalSecret },
    http,
    clock: systemClock,
    eventsUrl: '',
  });
  let sent = 0;
  const began = performance.now();
  const lane = async (number: number) => {
    for (let n = 0; performance.now() - began < 5000; n += 1) {
      const id = `00000000-0000-7000-8000-${(number * 100_000 + n).toString().padStart(12, '0')}`;
      const payment = { id, programId: id, affiliateId: id, amountCents: 1, currency: 'USD', memo: 'limit' };
      await rail.send({ ...payment, destination: { method: 'external', account: 'limit' } });
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: externalWebhook.concurrency }, (_, number) => lane(number)));
  const seconds = (performance.now() - began) / 1000;
  await http.close();
  return sent / seconds;
}

async function countPaid(connection: pg.ClientConfig, began = 0): Promise<{ paid: number; seconds: number }> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(
    `select count(*)::int as paid, extract(epoch from max(settled_at)) as last from payouts where status = 'paid'`,
  );
  await client.end();
  return { paid: rows[0].paid, seconds: Number(rows[0].last) - began / 1000 };
}

/** Calls at an even pace, without waiting for earlier responses. */
async function callPaced({ port, path, key }: { port: number; path: string; key: string }): Promise<Window> {
  const latencies: number[] = [];
  const one = async () => {
    const began = performance.now();
    await (
      await fetch(`http://127.0.0.1:${port}${path}/affiliates?limit=20`, { headers: { authorization: `Bearer ${key}` } })
    ).arrayBuffer();
    latencies.push(performance.now() - began);
  };
  for (let warm = 0; warm < 50; warm += 1) await one();
  latencies.length = 0;
  const calls: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n < callsPerSecond * windowSeconds; n += 1) {
    const wait = began + (n * 1000) / callsPerSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    calls.push(one());
  }
  await Promise.all(calls);
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}
