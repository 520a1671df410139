// What deliveries cost the API: the times of requests at a steady rate while webhooks are paused, and while every change
// is delivered to five of them, of which one fails, hangs or streams. Pairs of both, in turn, on one running service.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { ok, openWebhookReceiver, status } from '../../test/support/webhooks/receiver.ts';
import { program } from '../conversions-script.ts';
import { fillProgram } from '../fill.ts';
import { readOption, sendToParent, start, startServer } from '../processes.ts';
import { type Outcome, toFigure } from '../report/outcome.ts';

const [webhooks, largestChange] = [5, 10];

type Call = (method: string, path: string, body?: object) => Promise<{ status: number; body: { id: string } }>;

/** Runs the benchmark. `--receive` is its own child process. */
export async function benchWebhooks(args: string[]): Promise<Outcome | boolean> {
  if (args[0] === '--receive') return receive();
  const [rounds, seconds, rate] = [readOption(args, '--rounds', 5), readOption(args, '--seconds', 10), readOption(args, '--rate', 40)];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const children: ChildProcess[] = [];
  const pool = connect({ ...database.connection, max: 2 });
  try {
    const { key, ids } = await fill(database.connection);
    const { url } = await start<{ url: string }>(['bench/main.ts', 'webhooks', '--receive'], children);
    const port = await startServer(database.connection, children, { ALLOW_PRIVATE_ADDRESSES: '1' });
    const call = createCall(port, key);
    for (let n = 0; n < webhooks; n += 1) {
      const created = await call('POST', '/webhooks', { url: `${url}${n === 0 ? '/bad' : '/ok'}`, eventTypes: ['*'] });
      if (created.status !== 201) throw new Error(`A webhook was not created: ${JSON.stringify(created.body)}`);
    }
    const run = async (isActive: boolean, serial: number) => {
      await setActive(pool, isActive);
      return measure(call, { ids, seconds, rate, serial });
    };
    await run(true, 0);
    const pairs = [];
    for (let round = 1; round <= rounds; round += 1)
      pairs.push({ paused: await run(false, 2 * round), active: await run(true, 2 * round + 1) });
    const { rows } = await pool.query<{ count: number }>(`select count(*)::int from webhook_deliveries where status = 'delivered'`);
    return judge(pairs, rows[0]?.count ?? 0);
  } finally {
    await pool.end();
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await database.close();
  }
}

type Measured = { p50Ms: number; p99Ms: number };

function judge(pairs: { paused: Measured; active: Measured }[], delivered: number): Outcome {
  const changes = pairs.map(({ paused, active }) => 100 * (active.p99Ms / paused.p99Ms - 1));
  const times = (pick: (pair: (typeof pairs)[number]) => number, name: string) => toFigure(name, pairs.map(pick), { unit: 'ms' });
  return {
    figures: [
      toFigure('change of the p99 of the API', changes, { unit: '%', required: { most: largestChange } }),
      times(({ paused }) => paused.p50Ms, 'p50, paused'),
      times(({ active }) => active.p50Ms, 'p50, delivering'),
      times(({ paused }) => paused.p99Ms, 'p99, paused'),
      times(({ active }) => active.p99Ms, 'p99, delivering'),
    ],
    checks: [{ text: `${delivered} deliveries`, isKept: delivered > 0 }],
  };
}

async function fill(connection: pg.ClientConfig): Promise<{ key: string; ids: string[] }> {
  const pool = connect({ ...connection, max: 2 });
  await migrate(pool, new Date());
  const key = await fillProgram(pool, program, 500);
  const { rows } = await pool.query<{ id: string }>('select id from affiliates order by id');
  await pool.end();
  return { key, ids: rows.map(({ id }) => id) };
}

function createCall(port: number, key: string): Call {
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/programs/${program}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    return { status: response.status, body: (await response.json()) as { id: string } };
  };
}

/** Both continue at the end of the log, so that no run delivers the events of another. Those without a position get the next ones. */
async function setActive(pool: pg.Pool, isActive: boolean): Promise<void> {
  await pool.query(`update webhook_deliveries set status = 'failed' where status = 'pending'`);
  await pool.query(
    `update webhooks set status = $1, read_position = coalesce((
        select last_position from event_log_ends as log where log.program_id = webhooks.program_id
      ), 0) + (select count(*) from events where events.program_id = webhooks.program_id and position is null)`,
    [isActive ? 'active' : 'paused'],
  );
}

/** Requests at a steady rate, half of them changes; times count from when a request was due. */
async function measure(
  call: Call,
  { ids, seconds, rate, serial }: { ids: string[]; seconds: number; rate: number; serial: number },
): Promise<Measured> {
  const startedAt = performance.now();
  const send = async (number: number): Promise<number> => {
    const dueAt = startedAt + (number * 1000) / rate;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    const path = `/affiliates/${ids[number % ids.length]}`;
    const { status: code } = await (number % 2 ? call('GET', path) : call('PATCH', path, { tags: [`run-${serial}`, `n-${number}`] }));
    if (code !== 200) throw new Error(`${path} returned ${code}`);
    return performance.now() - dueAt;
  };
  const times = await Promise.all(Array.from({ length: seconds * rate }, (_, number) => send(number)));
  times.sort((a, b) => a - b);
  return { p50Ms: times[Math.floor(times.length * 0.5)] ?? 0, p99Ms: times[Math.floor(times.length * 0.99)] ?? 0 };
}

async function receive(): Promise<boolean> {
  const receiver = await openWebhookReceiver();
  receiver.answer((request, response) => {
    receiver.received.length = 0;
    return (request.path === '/bad' ? status(500) : ok)(request, response);
  });
  sendToParent({ url: receiver.url('') });
  return new Promise(() => undefined);
}
