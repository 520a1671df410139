// 2,000 invalid and unusual requests: no 5xx, no response without the JSON error body, no internals in a response, and
// intact data afterwards. TEST_SEED repeats a run, TEST_LENGTH lengthens it.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { api } from '../server/api.ts';
import { checkInvariants } from '../server/operations/verify/invariants.ts';
import { hasRequestLine, oddBytes } from './support/fuzz/bytes.ts';
import { observeRaw } from './support/fuzz/raw.ts';
import { oddRequests } from './support/fuzz/requests.ts';
import { type SampleIds, sampleOf, sampleRows } from './support/fuzz/samples.ts';
import { openTestService, type TestService } from './support/harness.ts';
import { givenSeed, often } from './support/time/length.ts';

const seed = givenSeed ?? 20_261_121;
const count = often(1200);
/** The codes of requests that are wrong in themselves. Other codes name a state that doesn't allow the operation. */
const isValidation = new Set(['invalid_request', 'malformed_request']);
const internals = /FST_ERR|HPE_|node_modules|\.ts:\d|\bat \w+ \(|constraint|\bpg_|select .* from|zod|kysely|postgres/i;

describe(`odd requests (seed ${seed})`, () => {
  let service: TestService;
  let port: number;
  let ids: SampleIds;
  before(async () => {
    service = await openTestService();
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    port = (service.app.server.address() as AddressInfo).port;
    ids = await sampleRows(service, 'fuzzed');
  });
  after(() => service.close());

  function checkResponse(what: string, response: { status: number; headers: Record<string, unknown>; text: string }): void {
    assert.ok(response.status < 500, `${what} → ${response.status} ${response.text}`);
    assert.ok(response.headers['x-request-id'], `${what}: no request id`);
    if (response.status < 400 || /^HEAD /.test(what)) return;
    assert.match(String(response.headers['content-type']), /^application\/json/, what);
    const body = JSON.parse(response.text);
    assert.equal(typeof body.error, 'string', what);
    if (isValidation.has(body.code)) assert.ok(Array.isArray(body.details), `${what}: ${response.text}`);
    else assert.match(String(body.code), /^[a-z_]+$/, `${what}: ${response.text}`);
    assert.ok(!internals.test(response.text), `${what} shows internals: ${response.text}`);
  }

  /** With the program's key, or with a new session for endpoints of signed-in users. */
  async function send(method: string, path: string, { headers, body }: { headers: Record<string, string>; body: Buffer | undefined }) {
    if (!path.startsWith('/app/')) return service.request(method, path, { headers, body });
    const { cookie } = await service.signIn(ids.owner.userId);
    return service.request(method, path, { headers: { cookie, origin: 'http://api.test', ...headers }, body, key: null });
  }

  test(`${Math.round(count * 0.7)} through every endpoint`, async () => {
    const requests = oddRequests(api, {
      seed,
      count: Math.round(count * 0.7),
      sample: (endpoint, serial) => sampleOf(endpoint, serial, ids),
    });
    const statuses = new Map<number, number>();
    for (let from = 0; from < requests.length; from += 20) {
      await Promise.all(
        requests.slice(from, from + 20).map(async ({ method, path, headers, body }) => {
          const response = await send(method, path, { headers, body });
          checkResponse(`${method} ${path.slice(0, 200)} ${body?.subarray(0, 300)}`, response);
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        }),
      );
    }
    for (const status of [200, 201, 400, 404, 405, 413])
      assert.ok(statuses.get(status), `no ${status} among ${JSON.stringify([...statuses])}`);
  });

  test(`${Math.round(count * 0.3)} as bytes on the socket`, async () => {
    const sent = oddBytes(seed, Math.round(count * 0.3), { path: `${service.program.path}/affiliates`, key: service.program.key });
    const outcomes = { prompt: 0, afterEnd: 0, closed: 0, silent: 0 };
    for (let from = 0; from < sent.length; from += 100) {
      await Promise.all(
        sent.slice(from, from + 100).map(async (bytes) => {
          const what = JSON.stringify(bytes.toString('latin1').slice(0, 200));
          const { response, when } = await observeRaw(port, bytes);
          outcomes[when] += 1;
          if (response) checkResponse(what, response);
          else assert.ok(!hasRequestLine(bytes), `${when}, without an response: ${what}`);
        }),
      );
    }
    assert.ok(outcomes.prompt > sent.length * 0.7, JSON.stringify(outcomes));
    // Half a body or half a header is waited for; the response comes when the client says that was all.
    assert.ok(outcomes.afterEnd > 0 && outcomes.closed > 0 && outcomes.silent === 0, JSON.stringify(outcomes));
  });

  test('cause no 5xx, change no data and log no secret', async () => {
    for (const { name, broken } of await checkInvariants(service.ctx)) assert.deepEqual(broken, [], name);
    const bad = service.log.map((line) => JSON.parse(line)).filter(({ level, alert }) => level >= 50 || alert !== undefined);
    assert.deepEqual(bad, []);
    assert.ok(!service.log.join('').includes(service.program.key));
    assert.equal((await service.request('GET', '/health/live')).status, 200);
  });
});
