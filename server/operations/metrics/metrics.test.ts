// The metrics, read by a parser of the Prometheus text format.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import parsePrometheus from 'parse-prometheus-text-format';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { buildApp } from '../../main.ts';
import { connect, typedQueries } from '../../platform/db/connect.ts';
import { type Metrics, openMetrics } from './serve.ts';

describe('the metrics', () => {
  let service: TestService;
  let metrics: Metrics;
  before(async () => {
    service = await openTestService();
    metrics = await openMetrics(service, { host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await metrics.close();
    await service.close();
  });

  async function read(): Promise<Map<string, (typeof families)[number]['metrics']>> {
    const response = await fetch(metrics.url);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    families = parsePrometheus(await response.text());
    return new Map(families.map(({ name, metrics: values }) => [name, values]));
  }
  let families: ReturnType<typeof parsePrometheus> = [];

  test('a Prometheus parser reads them, each with a description', async () => {
    const values = await read();
    assert.ok(values.size > 20);
    assert.ok(families.every(({ help }) => help.length > 5));
    assert.equal(values.get('tributary_up')?.[0]?.value, '1');
    assert.ok(Number(values.get('process_resident_memory_bytes')?.[0]?.value) > 10_000_000);
    assert.ok(values.has('nodejs_eventloop_lag_p99_seconds'));
  });

  test('responses are counted by method, route pattern and status, without ids', async () => {
    const app = await buildApp(service.ctx, undefined, { metrics });
    for (const path of [`${service.program.path}/affiliates`, `${service.program.path}/nothing`, '/r/NOPE'])
      await app.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${service.program.key}` } });
    await app.close();
    const counted = (await (await fetch(metrics.url)).text()).match(/(?<=^tributary_http_request_duration_seconds_count).*$/gm) ?? [];
    assert.deepEqual(counted.sort(), [
      '{method="GET",route="",status="404"} 1',
      '{method="GET",route="/r/:name",status="302"} 1',
      '{method="GET",route="/v1/programs/:programId/affiliates",status="200"} 1',
    ]);
    await read();
    assert.doesNotMatch(JSON.stringify(families), new RegExp(service.program.programId));
  });

  test('emails, locked payouts and providers that need attention are counted', async () => {
    const { programId } = service.program;
    await anAffiliate(service);
    const count = async (name: string, label?: string) =>
      Number((await read()).get(`tributary_${name}`)?.find(({ labels }) => !label || labels?.status === label)?.value);
    const { rows } = await service.pool.query("select count(*)::int as count from emails where status = 'queued'");
    assert.equal(await count('emails', 'queued'), rows[0].count);
    await service.pool.query("update emails set status = 'failed', last_error = 'rejected'");
    assert.deepEqual([await count('emails', 'queued'), await count('emails', 'failed')], [0, rows[0].count]);
    assert.equal(await count('programs_with_locked_payouts'), 0);
    const lock = `
      insert into payout_safety (program_id, database_identity, seen_at, clock_accepted_at, locked_at, lock_reason)
      values ($1, 'other', now(), now(), now(), 'database_restored')
      on conflict (program_id) do update set locked_at = excluded.locked_at, lock_reason = excluded.lock_reason`;
    await service.pool.query(lock, [programId]);
    assert.equal(await count('programs_with_locked_payouts'), 1);
    assert.equal(await count('payouts_open', 'unknown'), 0);
    assert.equal(await count('webhook_deliveries_overdue'), 0);
    assert.equal(await count('providers_needing_attention'), 0);
  });

  test('only GET /metrics exists', async () => {
    assert.equal((await fetch(new URL('/', metrics.url))).status, 404);
    assert.equal((await fetch(metrics.url, { method: 'POST' })).status, 404);
  });
});

test('the database does not respond: up is 0, and the process still has its metrics', async (t) => {
  const service = await openTestService();
  const unreachable = connect({ host: '127.0.0.1', port: 1, user: 'tributary', database: 'tributary' });
  const metrics = await openMetrics(
    { ...service, ctx: { ...service.ctx, db: typedQueries(unreachable), allProgramsDb: typedQueries(unreachable) } },
    { host: '127.0.0.1', port: 0 },
  );
  t.after(async () => {
    await metrics.close();
    await unreachable.end();
    await service.close();
  });
  const text = await (await fetch(metrics.url)).text();
  assert.match(text, /^tributary_up 0$/m);
  assert.match(text, /^process_cpu_seconds_total/m);
});
