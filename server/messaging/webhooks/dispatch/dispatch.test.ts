// Sending deliveries: retries over three days, webhooks that are disabled, webhooks that hang, and processes that end.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { elapse, until } from '../../../../test/support/time/wait.ts';
import { hang, ok, openWebhookReceiver, status, stream, type WebhookReceiver } from '../../../../test/support/webhooks/receiver.ts';
import { transact } from '../../../platform/db/transact.ts';
import { freezeService, unfreezeService } from '../../../platform/freeze/freeze.ts';
import { expireClaims } from './claim.ts';
import { createDispatcher, deliverDue, startDispatcher } from './dispatcher.ts';
import { fanOut } from './fan-out.ts';
import { type Candidate, places, planClaims, toShare } from './plan-claims.ts';
import { toPauseMs } from './retry-schedule.ts';

let service: TestService;
let receiver: WebhookReceiver;
let program: TestService['program'];
let path: string;
before(async () => {
  [service, receiver] = await Promise.all([openTestService(), openWebhookReceiver()]);
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer(ok);
  // A dispatcher serves all programs; those of earlier tests must not be counted.
  await service.pool.query(`update webhooks set status = 'paused'`);
  program = await service.newProgram('Dispatch');
  path = `${program.path}/webhooks`;
});
after(async () => {
  receiver.close();
  await service.close();
});

const call = (method: string, address: string, body?: unknown) => service.request(method, address, { body, key: program.key });
const create = async (url = receiver.url('/hook')) =>
  (await call('POST', path, { url, eventTypes: ['affiliate.created'] })).body.id as string;
const read = async (id: string) => (await call('GET', `${path}/${id}`)).body;
const deliveries = async (id: string) => (await call('GET', `${path}/${id}/deliveries?limit=200`)).body.deliveries;

/** Records an event and adds its deliveries. Transactions of other databases in the cluster can delay that. */
async function anEvent(id: string): Promise<void> {
  const count = (await deliveries(id)).length;
  await anAffiliate(service, {}, program);
  await until('the event has a delivery', async () => {
    await fanOut(service.ctx);
    return (await deliveries(id)).length > count;
  });
}

describe('a delivery that fails', () => {
  test('is tried ten times in about three days, with growing pauses', async () => {
    const id = await create();
    receiver.answer(status(500));
    await anEvent(id);
    const startedAt = service.clock.now().getTime();
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      assert.equal(await deliverDue(service.ctx), 1, `attempt ${attempt}`);
      const [{ nextAttemptAt, status: state, attemptCount, responseStatus }] = await deliveries(id);
      assert.deepEqual([attemptCount, responseStatus, state], [attempt, 500, attempt < 10 ? 'pending' : 'failed']);
      if (attempt === 10) break;
      pauses.push((Date.parse(nextAttemptAt) - service.clock.now().getTime()) / 1000);
      service.clock.advance({ seconds: (pauses.at(-1) ?? 0) - 1 });
      assert.equal(await deliverDue(service.ctx), 0, 'nothing is sent before its time');
      service.clock.advance({ seconds: 2 });
    }
    const expected = [5, 120, 900, 3600, 4 * 3600, 10 * 3600, 15 * 3600, 20 * 3600, 24 * 3600];
    assert.equal(pauses.length, expected.length);
    for (const [index, pause] of expected.entries()) {
      const ratio = (pauses[index] ?? 0) / pause;
      assert.ok(ratio > 0.89 && ratio < 1.11, `pause ${index + 1} is ${pauses[index]} s, not ${pause} s within a tenth`);
    }
    const days = (service.clock.now().getTime() - startedAt) / 86_400_000;
    assert.ok(days > 2.7 && days < 3.5, `${days} days`);
  });

  test('is retried on its own schedule', () => {
    const pauses = new Set(Array.from({ length: 100 }, (_, index) => toPauseMs(`delivery ${index}`, 1)));
    assert.ok(pauses.size > 90);
  });

  test('is logged with its outcome, and with the start of an endless response', async () => {
    const id = await create();
    receiver.answer((_, response) => void response.writeHead(302, { location: receiver.url('/elsewhere') }).end('no\u0000'));
    await anEvent(id);
    await deliverDue(service.ctx);
    receiver.answer(stream);
    service.clock.advance({ seconds: 10 });
    await deliverDue(service.ctx);
    const [{ id: deliveryId }] = await deliveries(id);
    const { body } = await call('GET', `${path}/${id}/deliveries/${deliveryId}`);
    const [redirected, endless] = body.attempts;
    assert.deepEqual([redirected.outcome, redirected.response.status, redirected.response.body], ['rejected', 302, 'no\uFFFD']);
    assert.deepEqual([endless.outcome, endless.response.body.length], ['succeeded', 8000]);
    assert.ok(
      receiver.received.every(({ path: requested }) => requested === '/hook'),
      'redirects are not followed',
    );
  });

  test('is blocked without a request if its address is not public anymore', async () => {
    const id = await create();
    await anEvent(id);
    const { createOutgoingHttp } = await import('../../../platform/http/outgoing/outgoing.ts');
    const http = createOutgoingHttp({ allowPrivate: false });
    await deliverDue({ ...service.ctx, http });
    await http.close();
    const [{ id: deliveryId, status: state }] = await deliveries(id);
    const { body } = await call('GET', `${path}/${id}/deliveries/${deliveryId}`);
    assert.deepEqual(
      [state, body.attempts[0].outcome, body.attempts[0].response, receiver.received.length],
      ['pending', 'blocked', null, 0],
    );
  });
});

describe('a webhook', () => {
  test('is disabled by a 410, and continues where it stopped once it is active', async () => {
    const id = await create();
    receiver.answer(status(410));
    await anEvent(id);
    await deliverDue(service.ctx);
    const { status: state, disabledReason } = await read(id);
    assert.deepEqual([state, disabledReason, (await deliveries(id))[0].status], ['disabled', 'gone', 'failed']);
    receiver.answer(ok);
    await anAffiliate(service, {}, program);
    await fanOut(service.ctx);
    assert.equal(await deliverDue(service.ctx), 0);
    await call('PATCH', `${path}/${id}`, { status: 'active' });
    await until('delivery continues', async () => (await deliverDue(service.ctx)) > 0);
    assert.equal(receiver.received.length, 2);
  });

  test('is disabled after three days of failures, with one email and one audit entry', async () => {
    await call('PATCH', program.path, { contactEmail: 'staff@brand.example' });
    const id = await create();
    receiver.answer(status(503));
    for (let n = 0; n < 3; n += 1) await anEvent(id);
    for (let hours = 0; hours < 72; hours += 8) {
      await deliverDue(service.ctx);
      assert.equal((await read(id)).status, 'active', `${hours} hours`);
      service.clock.advance({ minutes: 8 * 60 });
    }
    await deliverDue(service.ctx);
    const { status: state, disabledReason, failingSinceAt } = await read(id);
    assert.deepEqual([state, disabledReason, failingSinceAt !== null], ['disabled', 'failing', true]);
    await service.drain();
    const mails = service.mails.filter(({ subject }) => subject === 'Dispatch: a webhook was disabled');
    assert.deepEqual(
      mails.map(({ to }) => to),
      ['staff@brand.example'],
    );
    const audit = await call('GET', `${program.path}/audit-events?action=webhook.disabled`);
    assert.deepEqual([audit.body.total, audit.body.auditEvents[0].subjectId], [1, id]);
  });

  test('that succeeds in between is not disabled', async () => {
    const id = await create();
    receiver.answer(status(503));
    for (let n = 0; n < 3; n += 1) await anEvent(id);
    await deliverDue(service.ctx);
    service.clock.advance({ days: 2 });
    receiver.answer((request, response) => (receiver.received.length % 2 ? ok : status(503))(request, response));
    await deliverDue(service.ctx);
    receiver.answer(status(503));
    await anEvent(id);
    service.clock.advance({ days: 2 });
    await deliverDue(service.ctx);
    assert.equal((await read(id)).status, 'active');
  });

  test('that hangs delays no other', async () => {
    const hanging = await create(receiver.url('/hang'));
    const quick = await create(receiver.url('/quick'));
    receiver.answer((request, response) => (request.path === '/hang' ? hang : ok)(request, response));
    for (let n = 0; n < 20; n += 1) await anAffiliate(service, {}, program);
    const stop = startDispatcher(service.ctx);
    const count = (wanted: string) => receiver.received.filter(({ path: requested }) => requested === wanted).length;
    await until('all were delivered', () => count('/quick') >= 20);
    await until('the other was tried', () => count('/hang') >= 1);
    assert.equal(count('/hang'), 1, 'one place for a webhook that has not responded yet');
    await stop();
    assert.deepEqual(new Set((await deliveries(quick)).map((one: { status: string }) => one.status)), new Set(['delivered']));
    const [tried] = (await deliveries(hanging)).filter((one: { attemptCount: number }) => one.attemptCount > 0);
    assert.equal(tried.status, 'pending', 'a stopped process returns what it was sending');
  });
});

test('a delivery of a process that ended is sent by another when its lease ends', async () => {
  const id = await create();
  receiver.answer(hang);
  await anEvent(id);
  const ended = createDispatcher(service.ctx);
  assert.equal(await ended.round(), 1);
  await until('the first process sent it', () => receiver.received.length === 1);
  receiver.answer(ok);
  assert.equal(await expireClaims(service.ctx), 0);
  assert.equal(await deliverDue(service.ctx), 0);
  service.clock.advance({ seconds: 61 });
  assert.equal(await deliverDue(service.ctx), 1);
  const [{ id: deliveryId, status: state, attemptCount }] = await deliveries(id);
  assert.deepEqual([state, attemptCount, receiver.received.length], ['delivered', 2, 2]);
  ended.abort();
  await ended.settled();
  const { body } = await call('GET', `${path}/${id}/deliveries/${deliveryId}`);
  assert.deepEqual(
    [body.status, body.attempts.map(({ outcome }: { outcome: string }) => outcome)],
    ['delivered', ['interrupted', 'succeeded']],
  );
});

describe('places', () => {
  const candidate = (id: string, fields: Partial<Candidate> = {}): Candidate => ({
    programId: 'p',
    id,
    isFailing: false,
    dueSince: new Date(0),
    ...fields,
  });
  const none = { busy: new Map(), proven: new Map<string, number>(), failing: new Set<string>() };
  const many = (count: number, prefix: string, fields: Partial<Candidate> = {}) =>
    Array.from({ length: count }, (_, index) => candidate(`${prefix}${index}`, fields));
  const total = (shares: { limit: number }[]) => shares.reduce((sum, { limit }) => sum + limit, 0);

  test('are never all taken by webhooks that fail or are unknown', () => {
    assert.equal(total(planClaims(many(100, 'failing', { isFailing: true }), none)), 20);
    assert.equal(total(planClaims(many(100, 'new'), none)), 30);
    const mixed = planClaims([...many(100, 'failing', { isFailing: true }), candidate('quick')], {
      ...none,
      proven: new Map([['quick', 4]]),
    });
    assert.deepEqual(mixed.find(({ id }) => id === 'quick')?.limit, 4);
  });

  test('are limited in each process, and for each webhook', () => {
    const quick = many(100, 'quick');
    const proven = new Map(quick.map(({ id }) => [id, 4]));
    assert.equal(total(planClaims(quick, { ...none, proven })), places);
    const busy = new Map(quick.slice(0, 9).map(({ id }) => [id, 4]));
    const shares = planClaims(quick.slice(0, 10), { ...none, proven, busy });
    assert.deepEqual(shares, [{ programId: 'p', id: 'quick9', limit: 4 }]);
  });

  test('are several only for webhooks that take their time: each may arrive twice after a kill', () => {
    assert.deepEqual([10, 100, 1000, 5000].map(toShare), [1, 2, 4, null]);
  });

  test('go first to those who have waited longest', () => {
    const waiting = many(50, 'new').map((one, index) => ({ ...one, dueSince: new Date(1000 - index) }));
    assert.ok(planClaims(waiting, none).every(({ id }) => Number(id.slice(3)) >= 20));
  });
});

test('a freeze stops deliveries that were claimed before it, and they are sent after it', async (t) => {
  t.after(() => transact(service.ctx, unfreezeService));
  const id = await create();
  const [total, frozenAt] = [30, 3];
  for (let count = 0; count < total; count += 1) await anAffiliate(service, {}, program);
  await until('every event has a delivery', async () => {
    await fanOut(service.ctx);
    return (await deliveries(id)).length === total;
  });
  let [started, running, atOnce] = [0, 0, 0];
  receiver.answer(async (_, response) => {
    started += 1;
    running += 1;
    atOnce = Math.max(atOnce, running);
    if (started === frozenAt) await transact(service.ctx, (tx) => freezeService(tx, { frozenBy: 'test', note: null }));
    // A process trusts what it read about a freeze for a quarter of a second.
    if (started >= frozenAt) await elapse(300);
    running -= 1;
    response.writeHead(200).end();
  });
  await deliverDue(service.ctx);
  assert.ok(started >= frozenAt && started <= frozenAt + atOnce, `${started} were sent, ${atOnce} at once`);
  await transact(service.ctx, unfreezeService);
  await elapse(300);
  receiver.answer(ok);
  await deliverDue(service.ctx);
  assert.equal(receiver.received.length, total, 'each once');
});
