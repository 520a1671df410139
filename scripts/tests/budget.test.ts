import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { judgeDuration, readProcessorSeconds } from './budget.ts';

test('a run within its promise is neither late nor over its budget', () => {
  const verdict = judgeDuration({ seconds: 540, processorSeconds: 980 }, 10);
  assert.deepEqual(verdict, { text: '540 of 600 s, 980 of 1200 s of processor time', isLate: false, isOverBudget: false });
});

test('a run on a busy machine is late, but not over its budget', () => {
  const { isLate, isOverBudget } = judgeDuration({ seconds: 900, processorSeconds: 980 }, 10);
  assert.deepEqual([isLate, isOverBudget], [true, false]);
});

test('a run that two processors cannot do in time is over its budget, however many did it', () => {
  const { isLate, isOverBudget } = judgeDuration({ seconds: 200, processorSeconds: 1201 }, 10);
  assert.deepEqual([isLate, isOverBudget], [false, true]);
});

test('processor time is that of the processes that have ended', { skip: process.platform !== 'linux' }, () => {
  const before = readProcessorSeconds() ?? 0;
  spawnSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 300_000);']);
  const used = (readProcessorSeconds() ?? 0) - before;
  assert.ok(used >= 0.25 && used < 30, `${used} s`);
});
