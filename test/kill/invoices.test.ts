// Numbers of invoices have no gaps: processes with several connections each take them at the same time, a third of the
// transactions is rolled back, and one process is killed in between.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { anAffiliate } from '../support/builders.ts';
import { cloneDatabase, openTestService, type TestService } from '../support/harness.ts';
import type { InvoiceWorkerOptions } from '../support/money/invoice-worker.ts';
import { anInvoiceAgreement, anInvoiceIssuer } from '../support/money/invoices.ts';
import { often } from '../support/time/length.ts';

const processes = 4;
const perProcess = often(60);
const vaultKey = randomBytes(32);
const running: ChildProcess[] = [];
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let service: TestService;

before(async () => {
  database = await cloneDatabase();
  service = await openTestService({ database: database.connection, vaultKey });
});
after(async () => {
  for (const child of running) child.kill('SIGKILL');
  await service.close();
  await database.drop();
});

type Payouts = InvoiceWorkerOptions['payouts'];

/** Payouts of one affiliate, each in a batch, written directly. */
async function insertPayouts(affiliateId: string, count: number): Promise<Payouts> {
  const { programId } = service.program;
  await service.pool.query(
    `insert into payout_batches (program_id, id, provider_type, currency, total_cents, payout_count, cutoff_at, dispatched_by_kind,
       dispatched_by_id, needs_approval, created_at)
     select $1, gen_random_uuid(), 'manual', 'USD', 100, 1, now(), 'command', 'test', false, now() from generate_series(1, $2::int)`,
    [programId, count],
  );
  const { rows } = await service.pool.query(
    `insert into payouts (program_id, id, batch_id, affiliate_id, amount_cents, currency, status, period_start_at, period_end_at, created_at, updated_at)
     select program_id, gen_random_uuid(), id, $2, 100, 'USD', 'paid', now(), now(), now(), now() from payout_batches where program_id = $1
     returning id`,
    [programId, affiliateId],
  );
  return rows.map(({ id }) => ({ id, affiliateId, amountCents: 100, currency: 'USD' }));
}

function start(payouts: Payouts): ChildProcess {
  const options: InvoiceWorkerOptions = {
    connection: database.connection,
    vaultKey: vaultKey.toString('base64'),
    programId: service.program.programId,
    payouts,
    connections: 4,
  };
  const script = new URL('../support/money/invoice-worker.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  return child;
}

test(`${processes} processes: every number once, none missing, and a killed process is continued`, async () => {
  const { id } = await anAffiliate(service, { status: 'active' });
  await anInvoiceIssuer(service, service.program);
  await anInvoiceAgreement(service, { program: service.program, affiliateId: id });
  const payouts = await insertPayouts(id, processes * perProcess);
  const parts = Array.from({ length: processes }, (_, index) => payouts.slice(index * perProcess, (index + 1) * perProcess));
  const [killed, ...others] = parts.map(start);
  assert.ok(killed?.stdout);
  await once(killed.stdout, 'data');
  killed.kill('SIGKILL');
  const ended = await Promise.all(others.map((child) => once(child, 'exit')));
  assert.deepEqual(new Set(ended.map(([code]) => code)), new Set([0]));
  const { rows: issued } = await service.pool.query('select from invoices');
  assert.ok(issued.length < payouts.length, 'the process was killed before it had finished');
  // From the beginning: it can't know what it had committed.
  assert.deepEqual((await once(start(parts[0] ?? []), 'exit'))[0], 0);
  const { rows } = await service.pool.query<{ seq: number; number: string }>('select seq, number, year from invoices order by seq');
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    Array.from({ length: payouts.length }, (_, index) => index + 1),
  );
  const { rows: counters } = await service.pool.query<{ lastSeq: number }>('select last_seq as "lastSeq" from invoice_counters');
  assert.deepEqual(
    counters.map(({ lastSeq }) => lastSeq),
    [payouts.length],
  );
});
