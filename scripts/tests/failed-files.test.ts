import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRepetition } from './failed-files.ts';

const [browser, another] = ['test/browser/forms.test.ts', 'test/browser/payday.test.ts'];

test('one or two failed browser tests run once more', () => {
  assert.deepEqual(planRepetition([browser]), [browser]);
  assert.deepEqual(planRepetition([browser, another]), [browser, another]);
});

test('no other failure is repeated: a race, a crashed process, many at once, a run without an end', () => {
  for (const failed of [
    ['test/money/change-races.test.ts'],
    [browser, 'server/paying/payouts/dispatch.test.ts'],
    ['/tmp/tributary-test-plan-1/03.test.mjs'],
    [browser, another, 'test/browser/names.test.ts'],
    [],
    null,
  ])
    assert.deepEqual(planRepetition(failed), []);
});
