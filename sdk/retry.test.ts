// Which failed requests the client repeats, when, and that a repeated write has one effect.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../test/support/builders.ts';
import { openTestService, type TestService } from '../test/support/harness.ts';
import { type Fault, failure, observeClient } from '../test/support/sdk/observe-client.ts';
import { planRetry } from './retry.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  await service.app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => service?.close());

const before429: Fault = { kind: 'before', response: failure(429, { 'retry-after': '7' }) };
const lost: Fault = { kind: 'after' };

describe('a failed request', () => {
  test('is repeated after 429, when Retry-After says so', async () => {
    const { client, sent, waits } = observeClient(service, {}, [before429]);
    assert.equal((await client.me.get()).programId, service.program.programId);
    assert.deepEqual([sent.length, waits], [2, [7000]]);
  });

  test('is repeated after a 5xx and a lost connection, with growing waits', async () => {
    const { client, waits } = observeClient(service, {}, [{ kind: 'before' }, { kind: 'before', response: failure(502) }]);
    await client.me.get();
    assert.deepEqual(waits, [500, 1000]);
  });

  test('is given up after maxRetries, with the last error', async () => {
    const faults = () => [1, 2, 3, 4].map((): Fault => ({ kind: 'before', response: failure(503) }));
    const { client, sent } = observeClient(service, {}, faults());
    await assert.rejects(client.me.get(), { name: 'TributaryError', status: 503, code: 'unavailable' });
    assert.equal(sent.length, 3);
    const never = observeClient(service, { maxRetries: 0 }, [{ kind: 'before' }]);
    await assert.rejects(never.client.me.get(), { status: 0, code: 'connection_failed' });
    assert.equal(never.sent.length, 1);
  });

  test('is not repeated after 400, 401, 403 or 404', async () => {
    for (const status of [400, 401, 403, 404]) {
      const { client, sent } = observeClient(service, {}, [{ kind: 'before', response: failure(status) }]);
      await assert.rejects(client.me.get(), { status });
      assert.equal(sent.length, 1);
    }
  });

  test('is not repeated if the caller aborts it', async () => {
    const controller = new AbortController();
    const { client, sent } = observeClient(service, { sleep: async (_, signal) => signal?.throwIfAborted() }, [{ kind: 'before' }]);
    controller.abort(new Error('stopped'));
    await assert.rejects(client.me.get({ signal: controller.signal }), /stopped/);
    assert.equal(sent.length, 1);
  });
});

describe('a write', () => {
  test('whose response was lost is repeated with the same key, and has one effect', async () => {
    const { client, sent } = observeClient(service, {}, [lost]);
    const invited = await client.affiliates.invite({ email: 'lost@example.com', firstName: 'Ada', lastName: 'Lost' });
    assert.ok(invited.ok && invited.status === 201);
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    assert.ok(keys.length === 2 && keys[0] && keys[0] === keys[1]);
    const { body } = await service.request('GET', `${service.program.path}/affiliates?search=Lost`);
    assert.deepEqual([body.total, body.affiliates[0].id], [1, invited.data.id]);
  });

  test('has a new key for each call, or the one that the caller passes', async () => {
    const { client, sent } = observeClient(service);
    for (const name of ['First', 'Second']) await client.groups.create({ name });
    await client.groups.create({ name: 'Third' }, { idempotencyKey: 'import-3' });
    const [first, second, third] = sent.map(({ headers }) => headers['idempotency-key']);
    assert.notEqual(first, second);
    assert.equal(third, 'import-3');
  });

  test('of an order is repeated without a key: the order id makes it safe', async () => {
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
    const { client, sent } = observeClient(service, {}, [lost]);
    const reported = await client.conversions.report({ orderId: 'r-1', amountCents: 5000, affiliateId });
    assert.ok(!reported.ok && reported.code === 'order_recorded');
    assert.equal(reported.body.matchesOriginal, true);
    assert.deepEqual(
      sent.map(({ headers }) => headers['idempotency-key']),
      [undefined, undefined],
    );
    const { body } = await service.request('GET', `${service.program.path}/conversions?orderId=r-1`);
    assert.equal(body.total, 1);
  });

  test('that is not safe to repeat is sent once, unless it was rejected with 429', async () => {
    for (const fault of [lost, { kind: 'before', response: failure(503) } as const]) {
      const { client, sent } = observeClient(service, {}, [fault]);
      await assert.rejects(client.payouts.reconcile(), { name: 'TributaryError' });
      assert.equal(sent.length, 1);
    }
    const { client, sent } = observeClient(service, {}, [{ kind: 'before', response: failure(429) }]);
    await client.payouts.reconcile();
    assert.equal(sent.length, 2);
  });
});

test('a wait is random between half of the delay and all of it, and none is longer than a minute', () => {
  const first = { attempt: 0, maxRetries: 9, isRepeatable: true };
  const failed = { status: 500, retryAfter: null };
  assert.deepEqual([planRetry(failed, { ...first, random: 0 }), planRetry(failed, { ...first, random: 1 })], [250, 500]);
  assert.equal(planRetry(failed, { ...first, attempt: 8, random: 1 }), 8000);
  assert.equal(planRetry({ status: 429, retryAfter: 60 }, { ...first, random: 1 }), 60_000);
  assert.equal(planRetry({ status: 429, retryAfter: 61 }, { ...first, random: 1 }), null);
});
