// One row and several rows are inserted by different statements, which store the same.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { transact } from '../transact.ts';
import { typesOf } from './column-types.ts';
import { insertOfProgram } from './insert-of-program.ts';
import { insertRows } from './insert-rows.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

test('rows of a table are stored alike, with JSON, arrays, bytes, times and recorded values', async () => {
  const { programId } = service.program;
  const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
  const at = service.clock.now();
  const row = (orderId: string) => ({
    programId,
    id: service.ctx.ids.uuid(),
    affiliateId,
    orderId,
    amountCents: 1250,
    createdAt: at,
    currency: 'USD',
    occurredAt: at,
    method: 'referral_code',
    customerKeys: ['id:"a, b"', 'mail:{c}'],
    subIds: [],
    metadata: { note: 'ä "quoted"', list: [1, null] },
    facts: { lines: [] },
    decision: { lines: [], drafts: [] },
    capCents: null,
    refundedCents: 0,
  });
  await transact(service.ctx, async (tx) => {
    await insertRows(tx, 'conversions', [row('alone')]);
    await insertRows(tx, 'conversions', [row('first'), row('second')]);
  });
  const { rows } = await service.pool.query(
    `select distinct amount_cents, occurred_at, method, customer_keys, sub_ids, metadata, facts, recorded_values from conversions`,
  );
  assert.equal(rows.length, 1);
  assert.deepEqual([rows[0].customer_keys, rows[0].metadata], [['id:"a, b"', 'mail:{c}'], { note: 'ä "quoted"', list: [1, null] }]);
  assert.equal(typesOf('conversions', ['id', 'unknown']), null);
});

test('rows of a program are added to those that are there', async () => {
  const insert = insertOfProgram({
    into: 'ledger_counts as stored',
    columns: { day: 'date', kind: 'text', entries: 'bigint' },
    onConflict: '(program_id, day, kind) do update set entries = stored.entries + excluded.entries',
  });
  const { programId } = service.program;
  const row = (kind: string, entries: number) => ({ day: '2026-01-01', kind, entries });
  await transact(service.ctx, async (tx) => {
    await insert(tx, programId, []);
    await insert(tx, programId, [row('a', 1)]);
    await insert(tx, programId, [row('a', 2), row('b', 3)]);
  });
  const { rows } = await service.pool.query('select kind, entries from ledger_counts where program_id = $1 order by kind', [programId]);
  assert.deepEqual(rows, [
    { kind: 'a', entries: 3 },
    { kind: 'b', entries: 3 },
  ]);
});
