// A process is killed while it simulates a change of rules: another one continues within a minute, with the same outcome.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runSimulation } from '../../server/earning/commission-rules/changes/run-simulation.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { type JobWorkers, openJobWorkers } from '../support/crash/job-workers.ts';
import { until } from '../support/time/wait.ts';

const copies = 20_000;
let workers: JobWorkers;

before(async () => {
  workers = await openJobWorkers(runSimulation.name);
});
after(() => workers?.close());

/** Copies an order with its summary and commission: reporting as many would take minutes. */
async function copyOrder(conversionId: string): Promise<void> {
  const client = await workers.service.pool.connect();
  // The table exists only for this connection, which is closed in the end.
  const copyTo = (table: string, key: string, changes: string) =>
    client.query(
      `insert into ${table} select copied.*
       from ${table} as original cross join copy
       cross join lateral jsonb_populate_record(original, jsonb_build_object(${changes})) as copied where original.${key} = $1`,
      [conversionId],
    );
  try {
    await client.query(
      `create temporary table copy as select gen_random_uuid() as id, gen_random_uuid() as commission_id, n from generate_series(1, ${copies}) as n`,
    );
    await copyTo('conversions', 'id', `'id', copy.id, 'order_id', 'copy-' || copy.n`);
    await copyTo('conversion_summaries', 'id', `'id', copy.id, 'order_id', 'copy-' || copy.n`);
    await copyTo('commissions', 'conversion_id', `'id', copy.commission_id, 'conversion_id', copy.id`);
  } finally {
    client.release(true);
  }
}

/** Locks the task once it has made progress, so that it doesn't end before its process is killed. Returns what releases it. */
async function holdAfterFirstStep(taskId: string): Promise<() => Promise<void>> {
  const client = await workers.service.pool.connect();
  await until('the simulation makes progress', async () => {
    await client.query('begin');
    const { rows } = await client.query('select done from background_tasks where id = $1 for update', [taskId]);
    if (rows[0].done > 0) return true;
    await client.query('rollback');
    return false;
  });
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

test('a simulation whose process is killed continues in another one within a minute', { timeout: 180_000 }, async () => {
  const { service } = workers;
  const dana = await service.asMember('viewer');
  const ruleId = await aRule(service, { rate: 10 });
  const { id } = await anAffiliate(service, { autoApprove: true });
  await copyOrder((await anOrder(service, { affiliateId: id, amountCents: 1000 })).id);
  const base = `/app/programs/${service.program.programId}/rule-simulations`;
  const changes = {
    from: '2026-02-01T00:00:00Z',
    to: '2026-04-01T00:00:00Z',
    replace: [{ ruleId, name: 'All', type: 'percentage', rate: 20 }],
  };
  const started = await dana.request('POST', base, { body: changes });
  assert.deepEqual([started.status, started.body.status, started.body.total], [201, 'queued', copies + 1], started.text);
  const read = async () => (await dana.request('GET', `${base}/${started.body.id}`)).body;
  const first = await workers.start();
  const release = await holdAfterFirstStep(started.body.id);
  await workers.kill(first);
  await release();
  const { done, status } = await read();
  assert.equal(status, 'running', 'the process was killed before the simulation had ended');
  const killedAt = performance.now();
  await workers.start();
  await until('the simulation continues', async () => (await read()).done > done);
  console.log(`  continued ${((performance.now() - killedAt) / 1000).toFixed(0)} s after the kill`);
  await until('the simulation ends', async () => (await read()).status === 'succeeded');
  const { outcome } = await read();
  const beforeCents = (copies + 1) * 100;
  assert.deepEqual(
    [outcome.total.conversions, outcome.total.beforeCents, outcome.total.afterCents],
    [copies + 1, beforeCents, 2 * beforeCents],
  );
});
