import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../../../test/support/harness.ts';

describe('the pages of an installation', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const get = (path: string, headers: Record<string, string>) => service.request('GET', path, { key: null, headers });
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  test('the front page is the same for every visitor, names no program, and leads to the sign-in and the documentation', async () => {
    const { status, text, headers } = await get('/', browser);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/html/);
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    for (const path of ['/sign-in', '/docs', '/docs/api']) assert.ok(text.includes(`href="${path}"`), text);
    assert.ok(!text.includes('Fern') && !text.includes('<script'), text);
    assert.match((await get('/', { ...browser, 'accept-language': 'de' })).text, /<html lang="de">.*Anmelden/s);
  });

  test('an unknown address is a page for browsers, and JSON for every other caller', async () => {
    const page = await get('/nothing/here', browser);
    assert.deepEqual([page.status, /^text\/html/.test(String(page.headers['content-type']))], [404, true]);
    assert.match(page.text, /This address doesn’t exist/);
    for (const accept of ['*/*', 'application/json', '']) {
      const { status, body } = await get('/nothing/here', { accept });
      assert.deepEqual([accept, status, body.code], [accept, 404, 'not_found']);
    }
    for (const path of ['/v1/nothing', '/app/nothing']) {
      const { status, body } = await get(path, browser);
      assert.deepEqual([path, status, body.code], [path, 404, 'not_found']);
    }
    const posted = await service.request('POST', '/nothing', { key: null, body: {}, headers: browser });
    assert.deepEqual([posted.status, posted.body.code], [404, 'not_found']);
  });
});
