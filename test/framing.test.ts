// Checks before an endpoint runs: framing, body syntax, idempotency and the rate limit. Every error has the JSON body and
// a request id, in every layer.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { deleteExpiredIdempotencyKeys } from '../server/platform/http/idempotency/delete-expired.ts';
import { sendRaw } from './support/fuzz/raw.ts';
import { openTestService, type TestService } from './support/harness.ts';
import { holdsFor } from './support/time/wait.ts';

describe('the form of a request', () => {
  let service: TestService;
  let port: number;
  let path: string;
  before(async () => {
    service = await openTestService();
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    port = (service.app.server.address() as AddressInfo).port;
    path = `${service.program.path}/affiliates`;
  });
  after(() => service.close());

  const good = { email: 'form@example.com', firstName: 'A', lastName: 'B' };
  const text = JSON.stringify(good);
  const post = (body: string | Buffer, headers: Record<string, string> = {}) => service.request('POST', path, { body, headers });

  for (const [what, body, headers] of [
    ['text/plain', text, { 'content-type': 'text/plain' }],
    ['a form', 'email=a', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', text, { 'content-type': 'application/json; charset=latin1' }],
    ['gzip', text, { 'content-encoding': 'gzip' }],
    ['broken JSON', '{"email":', {}],
    ['a repeated key', '{"email":"a@b.co","email":"c@d.co","firstName":"A","lastName":"B"}', {}],
    ['NUL in text', text.replace('"A"', '"A\\u0000"'), {}],
    ['a lone surrogate', text.replace('"A"', '"\\ud800"'), {}],
    ['bytes that are no UTF-8', Buffer.from(text.replace('"A"', '"A\u00e9"'), 'latin1'), {}],
    ['a byte order mark', `\ufeff${text}`, {}],
    ['a number beyond all numbers', text.replace('"A"', '1e400'), {}],
    ['a key that reaches a prototype', `{"__proto__":{"x":1},${text.slice(1)}`, {}],
    ['nesting 33 deep', `{"x":${'['.repeat(32)}${']'.repeat(32)},${text.slice(1)}`, {}],
    ['an empty body', Buffer.alloc(0), {}],
    ['nesting 30,000 deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, {}],
  ] as const) {
    test(`${what} is 400 with details`, async () => {
      const response = await post(body, headers);
      assert.equal(response.status, 400, response.text);
      assert.ok(response.body.error && response.body.details.length > 0 && response.headers['x-request-id']);
    });
  }

  test('JSON with charset=utf-8 in any spelling is taken', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
      assert.ok([201, 409].includes((await post(text, { 'content-type': type })).status), type);
    }
  });

  test('32 levels are read', async () => {
    const deep = `{"x":${'['.repeat(31)}${']'.repeat(31)},"email":"deep@example.com","firstName":"A","lastName":"B"}`;
    assert.equal((await post(deep)).status, 201);
  });

  test('64 kB are read, one byte more is 413, with and without a declared length', async () => {
    const padded = (size: number) => `{"x":"${'y'.repeat(size - 8)}"}`;
    assert.equal((await post(padded(65_536))).status, 400);
    const { status, body } = await post(padded(65_537));
    assert.deepEqual([status, body.code], [413, 'too_large']);
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.program.key}\r\nContent-Type: application/json\r\n`;
    for (const framed of [
      `${head}Content-Length: 65537\r\n\r\n${padded(65_537)}`,
      `${head}Transfer-Encoding: chunked\r\n\r\n10001\r\n${padded(65_537)}\r\n0\r\n\r\n`,
    ]) {
      const response = await sendRaw(port, framed);
      assert.equal(response?.status, 413, JSON.stringify(response));
      assert.equal(typeof JSON.parse(response?.text ?? '').error, 'string');
      assert.ok(response?.headers['x-request-id']);
    }
  });

  test('an unknown route is 404 with and without a key, NUL and invalid escapes in a path are rejected', async () => {
    assert.equal((await service.request('GET', '/v1/nothing', { key: null })).status, 404);
    assert.equal((await service.request('GET', '/nothing')).status, 404);
    assert.equal((await service.request('GET', `${service.program.path}/landing-pages/a%00b`)).status, 404);
    for (const bad of ['/v1/%', '/v1/programs/%ff/affiliates', '/%c3%28']) {
      const { status, body } = await service.request('GET', bad);
      assert.ok([400, 404].includes(status) && body.error, bad);
    }
    const { status, body } = await service.request('GET', `${path}?search=a%00`);
    assert.deepEqual([status, body.details[0].path], [400, ['search']]);
  });

  for (const [what, bytes, status] of [
    ['a missing Host', 'GET /v1/me HTTP/1.1\r\n\r\n', 400],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['two lengths', 'POST /v1/me HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    ['a length and chunks', 'POST /v1/me HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['headers of 20 kB', `GET /v1/me HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['an unsupported Expect', 'GET /v1/me HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n', 417],
    ['an unknown method', 'BREW /v1/me HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['TRACE', 'TRACE /v1/me HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['an unknown route', 'GET /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    ['another method of a known route', 'DELETE /v1/me HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['a chunk without a size', 'POST /v1/me HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['OPTIONS', 'OPTIONS /v1/me HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ] as const) {
    test(`${what} is ${status} with the JSON body, and the next connection works`, async () => {
      const response = await sendRaw(port, bytes);
      assert.equal(response?.status, status, JSON.stringify(response));
      assert.equal(typeof JSON.parse(response?.text ?? '').error, 'string');
      assert.ok(response?.headers['x-request-id']);
      const next = await sendRaw(port, `GET /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.program.key}\r\n\r\n`);
      assert.equal(next?.status, 200);
    });
  }

  for (const query of ['search=%zz', 'search=%', 'search=%ff', 'search=%ed%a0%80', '%zz=1']) {
    test(`a query with the escape of ${query} is 400, not a search for it`, async () => {
      const { status, body } = await service.request('GET', `${path}?${query}`);
      assert.equal(status, 400);
      assert.ok(body.details.length > 0);
    });
  }

  for (const [what, line, hosts] of [
    ['an address of another host', 'GET http://evil.example/v1/me', 'Host: a\r\n'],
    ['two Host headers', 'GET /v1/me', 'Host: a\r\nHost: b\r\n'],
  ] as const) {
    test(`${what} is 400`, async () => {
      const response = await sendRaw(port, `${line} HTTP/1.1\r\n${hosts}Authorization: Bearer ${service.program.key}\r\n\r\n`);
      assert.equal(response?.status, 400);
    });
  }

  test('two Authorization headers are 400, even if they are equal: a proxy may have checked the other one', async () => {
    const own = `Authorization: Bearer ${service.program.key}\r\n`;
    for (const other of [own, 'Authorization: Bearer x\r\n', 'AUTHORIZATION:\r\n'])
      for (const headers of [own + other, other + own]) {
        const response = await sendRaw(port, `GET /v1/me HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
        assert.deepEqual([response?.status, JSON.parse(response?.text ?? '').code], [400, 'malformed_request'], headers);
      }
  });

  test('the route and the method are checked before the body', async () => {
    for (const [method, route, status] of [
      ['POST', '/v1/nothing', 404],
      ['PUT', path, 405],
      ['POST', '/v1/me', 405],
    ] as const) {
      for (const headers of [{}, { 'content-type': 'text/plain' }]) {
        assert.equal((await service.request(method, route, { body: '{', headers })).status, status, `${method} ${route}`);
      }
    }
    assert.equal((await sendRaw(port, `QUERY ${path} HTTP/1.1\r\nHost: a\r\n\r\n`))?.status, 405);
    assert.equal((await service.request('PUT', path.replace('affiliates', 'affili%61tes'))).status, 405);
  });

  test('the error for a malformed URL is never cached either', async () => {
    for (const route of ['/v1/%', '/v1/programs/%ff/affiliates', `${service.program.path}/landing-pages/${'a'.repeat(1001)}`]) {
      assert.equal((await service.request('GET', route)).headers['cache-control'], 'no-store', route);
    }
    const own = await sendRaw(port, `GET http://a/v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.program.key}\r\n\r\n`);
    assert.deepEqual([own?.status, own?.headers['cache-control']], [200, 'no-store']);
  });

  test('a client that breaks off is not logged as an outage', async () => {
    const from = service.log.length;
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.program.key}\r\nContent-Type: application/json\r\n`;
    await sendRaw(port, `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX\r\n`);
    const warnings = () => service.log.slice(from).filter((line) => JSON.parse(line).level >= 40);
    await holdsFor(200, 'nothing is logged as a warning', () => warnings().length === 0);
  });

  test('HEAD has no body on the wire, even when it is rejected', async () => {
    for (const route of ['/v1/me', '/v1/nothing', `${path}/x`]) {
      const response = await sendRaw(port, `HEAD ${route} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      assert.ok(response && response.status >= 400 && response.headers['x-request-id'], route);
      assert.equal(response.text, '', route);
    }
  });

  test('a request id of the caller is used when it is well-formed, and replaced when not', async () => {
    const send = async (id: string) =>
      (await service.request('GET', '/v1/me', { headers: { 'x-request-id': id } })).headers['x-request-id'];
    assert.equal(await send('order-4711.retry_2'), 'order-4711.retry_2');
    for (const bad of ['short', 'with space 12', 'x'.repeat(65), '<script>alert']) assert.notEqual(await send(bad), bad);
  });
});

describe('Idempotency-Key', () => {
  let service: TestService;
  let path: string;
  before(async () => {
    service = await openTestService();
    path = `${service.program.path}/affiliates`;
  });
  after(() => service.close());

  const invite = (email: string, key: string, more: object = {}) =>
    service.request('POST', path, { body: { email, firstName: 'A', lastName: 'B', ...more }, headers: { 'idempotency-key': key } });

  test('repeats the first response exactly, and has no further effect', async () => {
    const first = await invite('one@example.com', 'k1');
    const second = await invite('one@example.com', 'k1');
    assert.deepEqual([second.status, second.text, second.headers['idempotent-replayed']], [201, first.text, 'true']);
    assert.equal(first.headers['idempotent-replayed'], undefined);
    const { rows } = await service.pool.query(`select count(*)::int as mails from emails where to_address = 'one@example.com'`);
    assert.equal(rows[0].mails, 1);
  });

  test('under another body is 400, never 409 or 422', async () => {
    await invite('two@example.com', 'k2');
    const { status, body } = await invite('two@example.com', 'k2', { firstName: 'Other' });
    assert.deepEqual([status, body.details[0].path], [400, ['Idempotency-Key']]);
  });

  test('twenty equal requests at the same time have one effect and twenty equal responses', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => invite('race@example.com', 'k3')));
    assert.deepEqual(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal(responses[0]?.status, 201);
    assert.equal(responses.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1);
  });

  test('can be used again after an error, and belongs to one program', async () => {
    assert.equal((await invite('broken', 'k4')).status, 400);
    assert.equal((await invite('four@example.com', 'k4')).status, 201);
    const body = { email: 'four@example.com', firstName: 'A', lastName: 'B' };
    const foreign = await service.request('POST', `${service.foreign.path}/affiliates`, {
      body,
      key: service.foreign.key,
      headers: { 'idempotency-key': 'k4' },
    });
    assert.deepEqual([foreign.status, foreign.headers['idempotent-replayed']], [201, undefined]);
  });

  for (const key of ['', ' ', 'x'.repeat(256), 'ä']) {
    test(`"${key.slice(0, 5)}" (${key.length}) is no key: 400`, async () => assert.equal((await invite('x@example.com', key)).status, 400));
  }

  test('is forgotten after 30 days, and not before', async () => {
    const first = await invite('aged@example.com', 'k5');
    service.clock.advance({ days: 30 });
    await deleteExpiredIdempotencyKeys.run(service.ctx, {}, { isLast: false });
    assert.equal((await invite('aged@example.com', 'k5')).text, first.text);
    service.clock.advance({ seconds: 1 });
    await deleteExpiredIdempotencyKeys.run(service.ctx, {}, { isLast: false });
    assert.equal((await invite('aged@example.com', 'k5')).status, 409);
  });

  test('a key that another request holds for too long is 503 with Retry-After, and decides nothing', async () => {
    const client = await service.pool.connect();
    try {
      await client.query('begin');
      const columns = 'program_id, operation, key, request_hash, created_at';
      await client.query(`insert into idempotency_keys (${columns}) values ($1, 'affiliates.invite', 'held', '\\x00', now())`, [
        service.program.programId,
      ]);
      const { status, headers } = await invite('held@example.com', 'held');
      assert.deepEqual([status, headers['retry-after']], [503, '1']);
    } finally {
      await client.query('rollback');
      client.release();
    }
    assert.equal((await invite('held@example.com', 'held')).status, 201);
  });
});

describe('the rate limit', () => {
  test('admits what it advertises and a burst, then responses 429 with the seconds to wait; keys count apart', async () => {
    const service = await openTestService({ environment: { API_RATE_LIMIT: '9' } });
    try {
      const responses = [];
      for (let index = 0; index < 15; index += 1) responses.push(await service.request('GET', '/v1/me'));
      assert.deepEqual(
        responses.map(({ status }) => status),
        [...Array(12).fill(200), ...Array(3).fill(429)],
      );
      assert.equal(responses[0]?.headers['ratelimit-policy'], '"api";q=9;w=60');
      assert.match(String(responses[0]?.headers.ratelimit), /^"api";r=8;t=\d+$/);
      const rejected = responses[14];
      assert.ok(Number(rejected?.headers['retry-after']) >= 1 && rejected?.body.error);
      assert.equal((await service.request('GET', '/v1/me', { key: service.program.readKey })).status, 200);
      assert.equal((await service.request('GET', '/v1/me', { key: null })).status, 401);
    } finally {
      await service.close();
    }
  });

  test('is off at 0', async () => {
    const service = await openTestService({ environment: { API_RATE_LIMIT: '0' } });
    try {
      const responses = await Promise.all(Array.from({ length: 300 }, () => service.request('GET', '/v1/me')));
      assert.ok(responses.every(({ status, headers }) => status === 200 && headers.ratelimit === undefined));
    } finally {
      await service.close();
    }
  });
});
