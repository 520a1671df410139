import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toProblemsCsv } from './problems-csv.ts';

test('rejected lines are valid CSV without formulas', () => {
  const csv = toProblemsCsv([
    { line: 17, name: '=cmd()', reason: 'email must be an email address' },
    { line: 18, name: 'a"b', reason: 'one, two' },
  ]);
  assert.equal(csv, 'line,email,reason\r\n17,\'=cmd(),email must be an email address\r\n18,"a""b","one, two"\r\n');
});
