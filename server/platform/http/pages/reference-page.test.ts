import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

const megabyte = 1024 * 1024;

describe('the API reference', () => {
  let service: TestService;
  let script: string;
  before(async () => {
    service = await openTestService();
    const page = await get('/docs/api');
    script = /<script src="([^"]+)"/.exec(page.body)?.[1] ?? '';
  });
  after(() => service.close());

  const get = (url: string, headers: Record<string, string> = {}) =>
    service.app.inject({ method: 'GET', url, headers: { host: 'api.test', ...headers } });

  test('its script is named after its contents and cached permanently', async () => {
    assert.match(script, /^\/docs\/api\/scalar-[0-9a-f]{16}\.js$/);
    const response = await get(script);
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(String(response.headers['content-type']), /^application\/javascript/);
    assert.ok(response.rawPayload.length > 2 * megabyte);
  });

  test('its script is compressed for clients that accept it, without changing its contents', async () => {
    const compressed = await get(script, { 'accept-encoding': 'gzip, br' });
    assert.equal(compressed.headers['content-encoding'], 'gzip');
    assert.equal(compressed.headers.vary, 'accept-encoding');
    assert.ok(compressed.rawPayload.length < 1.5 * megabyte, String(compressed.rawPayload.length));
    assert.ok(gunzipSync(compressed.rawPayload).equals((await get(script, { 'accept-encoding': 'gzip;q=0' })).rawPayload));
  });

  test('the page and the document are revalidated before they are reused', async () => {
    for (const path of ['/docs/api', '/docs/api/', '/openapi.json']) {
      const first = await get(path);
      assert.equal(first.statusCode, 200, path);
      assert.equal(first.headers['cache-control'], 'no-cache');
      const again = await get(path, { 'if-none-match': String(first.headers.etag) });
      assert.deepEqual([again.statusCode, again.body], [304, ''], path);
      assert.match(String(first.headers['content-security-policy']), /default-src 'none'/);
    }
  });

  test('an outdated script URL is not found', async () => {
    assert.equal((await get('/docs/api/scalar-0000000000000000.js')).statusCode, 404);
  });
});
