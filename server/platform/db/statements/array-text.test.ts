import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { toArrayText } from './array-text.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

test('arrays arrive as they were sent', async () => {
  const texts = ['', 'NULL', 'null', 'a b', 'a,b', '{}', '"', '\\', '\\"', "'", 'ä', '\n', '🙂', '\x1f', 'plain', null];
  const { rows } = await service.pool.query('select $1::text[] as texts, $2::integer[] as numbers', [
    toArrayText(texts),
    toArrayText([1, -2, null]),
  ]);
  assert.deepEqual(rows, [{ texts, numbers: [1, -2, null] }]);
});
