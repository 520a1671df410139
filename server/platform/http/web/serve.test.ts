// How browsers receive the web apps: policy, caching, compression, language and colour scheme.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import type { WebFile, WebFiles } from './files.ts';
import type { WebState } from './prepare.ts';
import { serveWeb } from './serve.ts';

const page = `<!doctype html><html lang="en"><head><meta name="style-nonce" content="" /></head><body><div id="root"></div></body></html>`;
const script: WebFile = {
  type: 'text/javascript',
  etag: '"e1"',
  bytes: Buffer.from('plain'),
  brotli: Buffer.from('br'),
  gzip: Buffer.from('gz'),
};
const font: WebFile = { type: 'font/woff2', etag: '"e2"', bytes: Buffer.from('font'), brotli: null, gzip: null };
const files: WebFiles = {
  assets: new Map([
    ['/assets/console-1.js', script],
    ['/assets/figtree-2.woff2', font],
  ]),
  pages: new Map([['console', page]]),
  texts: new Map([['console-de', '/assets/de-3.js']]),
};

describe('serving the web apps', () => {
  let app: FastifyInstance;
  let state: WebState;
  before(async () => {
    app = Fastify();
    serveWeb(app, { state: () => state, settled: Promise.resolve({ kind: 'ready', files }), stop: () => {} });
    app.setErrorHandler((_error, _request, reply) => void reply.code(404).send());
    await app.ready();
  });
  after(() => app.close());

  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers });

  test('every path of the console is the console, never cached, with its own nonce', async () => {
    state = { kind: 'ready', files };
    const responses = await Promise.all([get('/console'), get('/console/'), get('/console/0198/affiliates?status=active')]);
    const nonces = responses.map((response) => {
      assert.equal(response.statusCode, 200);
      assert.equal(response.headers['cache-control'], 'no-store');
      const policy = String(response.headers['content-security-policy']);
      const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      assert.ok(response.body.includes(`nonce="${nonce}"`));
      assert.ok(!/unsafe|\*/.test(policy), policy);
      return nonce;
    });
    assert.equal(new Set(nonces).size, 3);
  });

  test('the page has the language of the cookie, else of the browser, and loads its texts immediately', async () => {
    state = { kind: 'ready', files };
    const german = await get('/console', { 'accept-language': 'fr, en;q=0.5, de-CH;q=0.9' });
    assert.match(german.body, /<html lang="de">/);
    assert.match(german.body, /<link rel="modulepreload" crossorigin href="\/assets\/de-3\.js">/);
    const chosen = await get('/console', { 'accept-language': 'de', cookie: 'a=b; trb-language=en' });
    assert.match(chosen.body, /<html lang="en">/);
    assert.match((await get('/console', { cookie: 'trb-language="><script>' })).body, /<html lang="en">/);
  });

  test('the colour scheme that the user chose is in the page before any script runs', async () => {
    state = { kind: 'ready', files };
    assert.match((await get('/console', { cookie: 'trb-scheme=dark' })).body, /<html lang="en" data-mantine-color-scheme="dark">/);
    assert.match((await get('/console', { cookie: 'trb-scheme=auto' })).body, /<html lang="en">/);
    assert.match((await get('/console', { cookie: 'trb-scheme="onload=' })).body, /<html lang="en">/);
  });

  test('hashed files are cached permanently, and sent in the smallest form that the browser accepts', async () => {
    state = { kind: 'ready', files };
    const url = '/assets/console-1.js';
    for (const [accepted, encoding, body] of [
      ['gzip, deflate, br', 'br', 'br'],
      ['gzip', 'gzip', 'gz'],
      ['br;q=0, gzip', 'gzip', 'gz'],
      ['', undefined, 'plain'],
    ] as const) {
      const response = await get(url, { 'accept-encoding': accepted });
      assert.equal(response.headers['content-encoding'], encoding);
      assert.equal(response.body, body);
      assert.match(String(response.headers['cache-control']), /immutable/);
      assert.equal(response.headers.vary, 'accept-encoding');
    }
    assert.equal((await get('/assets/figtree-2.woff2', { 'accept-encoding': 'br' })).headers['content-encoding'], undefined);
    const again = await get(url, { 'if-none-match': 'W/"e1"', 'accept-encoding': 'br' });
    assert.equal(again.statusCode, 304);
    assert.equal(again.body, '');
    assert.equal((await get('/assets/../console-1.js')).statusCode, 404);
    assert.equal((await get('/assets/console-0.js')).statusCode, 404);
  });

  test('until the build is complete, a page waits for it; a failure is shown', async () => {
    state = { kind: 'building' };
    const waiting = await get('/console/x', { 'accept-language': 'de' });
    assert.equal(waiting.statusCode, 503);
    assert.match(waiting.body, /http-equiv="refresh"/);
    assert.match(waiting.body, /Die Konsole wird vorbereitet/);
    assert.equal(waiting.headers['cache-control'], 'no-store');
    assert.equal((await get('/assets/console-1.js')).statusCode, 404);
    state = { kind: 'failed', reason: 'Could not resolve <script>alert(1)</script>' };
    const failed = await get('/console');
    assert.equal(failed.statusCode, 503);
    assert.ok(!failed.body.includes('refresh'));
    assert.match(failed.body, /Could not resolve &#60;script&#62;/);
  });
});
