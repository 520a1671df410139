import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { NotFound } from '../../lib/errors.ts';
import { createCoalescer } from './coalesce.ts';

describe('equal reads', () => {
  /** Reads that end when the test says so. */
  function openReads() {
    const started: { resolve(value: string): void; reject(error: Error): void }[] = [];
    const share = createCoalescer<string>();
    const request = (key = 'page') =>
      share(key, () => {
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        started.push({ resolve, reject });
        return promise;
      });
    return { started, request };
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test('that arrive in the same turn run once', async () => {
    const { started, request } = openReads();
    const responses = [request(), request(), request()];
    await turn();
    assert.equal(started.length, 1);
    started[0]?.resolve('first');
    assert.deepEqual(await Promise.all(responses), ['first', 'first', 'first']);
  });

  test('that arrive while one runs do not share its result, but the next one', async () => {
    const { started, request } = openReads();
    const first = request();
    await turn();
    const later = [request(), request()];
    await turn();
    assert.equal(started.length, 1);
    started[0]?.resolve('old');
    assert.equal(await first, 'old');
    await turn();
    assert.equal(started.length, 2);
    started[1]?.resolve('new');
    assert.deepEqual(await Promise.all(later), ['new', 'new']);
    const afterwards = request();
    await turn();
    started[2]?.resolve('newest');
    assert.equal(await afterwards, 'newest');
  });

  test('with another key run at the same time', async () => {
    const { started, request } = openReads();
    const responses = [request('page'), request('me')];
    await turn();
    started[0]?.resolve('page');
    started[1]?.resolve('me');
    assert.deepEqual(await Promise.all(responses), ['page', 'me']);
  });

  test('share an outage of the database with those that wait, but no other error', async () => {
    for (const [error, isShared] of [
      [new Error('timeout exceeded when trying to connect'), true],
      [new NotFound(), false],
    ] as const) {
      const { started, request } = openReads();
      const first = assert.rejects(request(), error);
      await turn();
      const later = request().catch((reason) => reason);
      started[0]?.reject(error);
      await first;
      await turn();
      started[1]?.resolve('found');
      assert.equal(await later, isShared ? error : 'found');
      const afterwards = request();
      await turn();
      started.at(-1)?.resolve('found again');
      assert.equal(await afterwards, 'found again');
    }
  });
});

describe('equal requests of a service', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  test('never share a response with another caller', async () => {
    const keys = [service.program.key, service.program.readKey, service.foreign.key];
    const ask = (key: string) => service.request('GET', '/v1/me', { key });
    const alone = [];
    for (const key of keys) alone.push((await ask(key)).body.apiKey.id);
    assert.equal(new Set(alone).size, 3);
    const together = await Promise.all([...keys, ...keys, ...keys].map(ask));
    assert.deepEqual(
      together.map(({ body }) => body.apiKey.id),
      [...alone, ...alone, ...alone],
    );
  });

  test('show every change that was made before them, while many others wait', async () => {
    const affiliateId = (await anAffiliate(service, { status: 'active' })).id;
    const path = `${service.program.path}/landing-pages/crowded`;
    const write = async (pageTitle: string) => {
      const { status } = await service.request('POST', path, { body: { affiliateId, pageTitle } });
      assert.ok(status === 200 || status === 201);
    };
    await write('0');
    let isOver = false;
    const crowd = Array.from({ length: 8 }, async () => {
      while (!isOver) assert.equal((await service.request('GET', path)).status, 200);
    });
    for (let version = 1; version <= 20; version += 1) {
      await write(String(version));
      const responses = await Promise.all(Array.from({ length: 5 }, () => service.request('GET', path)));
      for (const { body } of responses) assert.equal(body.pageTitle, String(version));
    }
    isOver = true;
    await Promise.all(crowd);
  });
});
