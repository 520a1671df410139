// Checking a program's website: what is found in its page, and that a check reveals nothing about other servers.
import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';

describe('a check of the website', () => {
  let service: TestService;
  let website: Server;
  let origin: string;
  let here: string;
  let programId: string;
  let respond: (response: ServerResponse, path: string) => void;
  let requests: string[] = [];

  before(async () => {
    service = await openTestService();
    ({ programId } = service.program);
    here = new URL(getPublicUrl(service.ctx.config)).origin;
    website = createServer((request, response) => {
      requests.push(request.url ?? '');
      respond(response, request.url ?? '');
    });
    await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
    await setWebsite(`${origin}/`);
  });
  after(async () => {
    website?.close();
    await service?.close();
  });

  async function setWebsite(websiteUrl: string | null): Promise<void> {
    const { status, text } = await service.request('PATCH', service.program.path, { body: { websiteUrl } });
    assert.equal(status, 200, text);
  }
  const check = async () => (await service.request('POST', `${service.program.path}/website/check`)).body;
  const page = (html: string, headers: Record<string, string> = {}) => {
    respond = (response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
  };
  const script = (attributes = `data-program="${programId}"`) =>
    `<!doctype html><head><script defer src="${here}/t.js" ${attributes}></script>`;
  const codesOf = ({ problems }: { problems: { code: string }[] }) => problems.map(({ code }) => code);

  test('finds the script after a redirect, and whether it waits for consent', async () => {
    requests = [];
    respond = (response, path) =>
      path === '/'
        ? response.writeHead(302, { location: '/en/' }).end()
        : response.writeHead(200, { 'content-type': 'text/html' }).end(script(`data-program="${programId}" data-consent="denied"`));
    const checked = await check();
    assert.deepEqual(
      [checked.isInstalled, checked.url, checked.httpStatus, checked.script, checked.waitsForConsent, checked.problems],
      [true, `${origin}/en/`, 200, `${here}/t.js`, true, []],
    );
    assert.deepEqual(requests, ['/', '/en/']);
  });

  test('names what is wrong', async () => {
    const cases: [html: string, headers: Record<string, string>, codes: string[]][] = [
      [`<p>Tea</p><!-- ${script()} -->`, {}, ['missing']],
      ['<script src="https://www.googletagmanager.com/gtm.js?id=1"></script>', {}, ['added_later']],
      [`<script src="https://other.example/t.js" data-program="${programId}"></script>`, {}, ['other_service']],
      [script(''), {}, ['no_program']],
      [script('data-program="01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f"'), {}, ['other_program']],
      [script() + script(), {}, ['repeated']],
      [script(), { 'content-security-policy': "default-src 'self'" }, ['script_blocked', 'clicks_blocked']],
      [script(), { 'content-security-policy': `script-src 'nonce-1'; connect-src ${here}` }, []],
      [script(), { 'content-security-policy': `default-src ${here}; connect-src 'self'` }, ['clicks_blocked']],
      [`<meta http-equiv="Content-Security-Policy" content="script-src 'none'">${script()}`, {}, ['script_blocked']],
    ];
    for (const [html, headers, codes] of cases) {
      page(html, headers);
      const checked = await check();
      assert.deepEqual(codesOf(checked), codes, html);
      assert.equal(checked.isInstalled, codes.length === 0);
    }
  });

  test('says when there is no page, and reads an endless one only in part', async () => {
    respond = (response) => response.writeHead(503, { 'content-type': 'text/html' }).end(script());
    assert.deepEqual([codesOf(await check()), (await check()).httpStatus], [['failed'], 503]);
    respond = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    assert.deepEqual(codesOf(await check()), ['failed']);
    respond = (response, path) => response.writeHead(302, { location: `${path}x` }).end();
    assert.deepEqual(codesOf(await check()), ['failed'], 'endless redirects');
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(script());
      const more = setInterval(() => response.write('<p>tea</p>'.repeat(20_000)), 1);
      response.on('close', () => clearInterval(more));
    };
    assert.equal((await check()).isInstalled, true);
    await setWebsite(null);
    assert.equal((await check()).code, 'no_website');
    await setWebsite(`${origin}/`);
  });

  test('does not distinguish a closed port from a server that does not respond', async () => {
    respond = (response) => response.socket?.destroy();
    const { path, key } = service.foreign;
    await service.request('PATCH', path, { key, body: { websiteUrl: 'http://127.0.0.1:1/' } });
    const ofClosedPort = async () => (await service.request('POST', `${path}/website/check`, { key })).body;
    const measured = await Promise.all([timed(check), timed(ofClosedPort)]);
    for (const { result, ms } of measured) {
      assert.deepEqual([codesOf(result), result.httpStatus], [['unreachable'], null]);
      assert.ok(ms > 4900, `${ms} ms`);
    }
  });

  test('needs a key that may write', async () => {
    const { status } = await service.request('POST', `${service.program.path}/website/check`, { key: service.program.readKey });
    assert.equal(status, 403);
  });
});

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const started = performance.now();
  return { result: await work(), ms: performance.now() - started };
}
