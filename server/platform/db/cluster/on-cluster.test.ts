import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestService } from '../../../../test/support/harness.ts';

test('x', async () => {
  const service = await openTestService();
  try {
    const me = await service.request('GET', '/v1/me');
    assert.equal(me.status, 200, me.text + service.log.join('\n'));
  } finally {
    await service.close();
  }
});
