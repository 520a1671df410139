import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

test('the icon is served to pages of every origin, and only again after it changed', async () => {
  const response = await service.app.inject({ url: '/favicon.ico' });
  assert.deepEqual([response.statusCode, response.headers['content-type']], [200, 'image/x-icon']);
  assert.equal(response.headers['cross-origin-resource-policy'], 'cross-origin');
  assert.deepEqual([...response.rawPayload.subarray(0, 6)], [0, 0, 1, 0, 3, 0]);
  assert.ok(response.rawPayload.length < 4000);
  const again = await service.app.inject({ url: '/favicon.ico', headers: { 'if-none-match': String(response.headers.etag) } });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
});
