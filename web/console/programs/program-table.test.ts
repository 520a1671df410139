import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProgramRow, readAttention, sumByCurrency } from './program-table.ts';

const row = (fields: Partial<ProgramRow>): ProgramRow => ({
  id: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
  name: 'Fern & Field',
  mode: 'live',
  organizationId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e60',
  currency: 'USD',
  from: '2026-10-24',
  to: '2026-11-22',
  salesCents: { value: 100, previous: 0 },
  commissionsCents: { value: 10, previous: 0 },
  pendingCents: 0,
  heldCents: 0,
  owedCents: 5,
  attention: [],
  ...fields,
});

const item = (kind: ProgramRow['attention'][number]['kind'], count: number) => ({
  kind,
  count,
  oldestAt: null,
  amountCents: null,
  names: [],
  id: null,
});

test('amounts are added up per currency only, without programs in test mode', () => {
  const sums = sumByCurrency([row({}), row({ currency: 'EUR' }), row({ mode: 'test' }), row({ currency: 'JPY', mode: 'test' }), row({})]);
  assert.deepEqual(sums, [
    { currency: 'USD', programs: 2, salesCents: 200, commissionsCents: 20, owedCents: 10 },
    { currency: 'EUR', programs: 1, salesCents: 100, commissionsCents: 10, owedCents: 5 },
  ]);
  assert.deepEqual(sumByCurrency([]), []);
});

test('what does not work is no task', () => {
  const found = readAttention(row({ attention: [item('stores_failing', 1), item('fraud_alerts', 3), item('claims', 2)] }));
  assert.deepEqual([found.problem?.kind, found.task?.kind, found.taskCount], ['stores_failing', 'fraud_alerts', 5]);
  assert.deepEqual(readAttention(row({})), { problem: null, task: null, taskCount: 0 });
});
