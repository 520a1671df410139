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
    const answer = await get(script);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(String(answer.headers['content-type']), /^application\/javascript/);
    assert.ok(answer.rawPayload.length > 2 * megabyte);
  });

  test('its script is compressed for clients that accept it, and the same once unpacked', async () => {
    const packed = await get(script, { 'accept-encoding': 'gzip, br' });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(packed.headers.vary, 'accept-encoding');
    assert.ok(packed.rawPayload.length < 1.5 * megabyte, String(packed.rawPayload.length));
    assert.ok(gunzipSync(packed.rawPayload).equals((await get(script, { 'accept-encoding': 'gzip;q=0' })).rawPayload));
  });

  test('the page and the document are checked for changes before they are used again', async () => {
    for (const path of ['/docs/api', '/docs/api/', '/openapi.json']) {
      const first = await get(path);
      assert.equal(first.statusCode, 200, path);
      assert.equal(first.headers['cache-control'], 'no-cache');
      const again = await get(path, { 'if-none-match': String(first.headers.etag) });
      assert.deepEqual([again.statusCode, again.body], [304, ''], path);
      assert.match(String(first.headers['content-security-policy']), /default-src 'none'/);
    }
  });

  test('an earlier name of the script is not found', async () => {
    assert.equal((await get('/docs/api/scalar-0000000000000000.js')).statusCode, 404);
  });
});
