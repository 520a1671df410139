// Webhooks over HTTP: what can be set up, that secrets are shown once and stored encrypted, and that every delivery can be
// verified with the public library of Standard Webhooks.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { aGroup, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/time/wait.ts';
import { ok, openWebhookReceiver, type Received, status, type WebhookReceiver } from '../../../test/support/webhooks/receiver.ts';
import { deliverDue } from './dispatch/dispatcher.ts';

let service: TestService;
let receiver: WebhookReceiver;
let path: string;
before(async () => {
  [service, receiver] = await Promise.all([openTestService(), openWebhookReceiver()]);
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer(ok);
  program = await service.newProgram('Hooks');
  path = `${program.path}/webhooks`;
});
after(async () => {
  receiver.close();
  await service.close();
});

let program: TestService['program'];
const call = (method: string, address: string, body?: unknown) => service.request(method, address, { body, key: program.key });
const create = async (fields: object = {}) => {
  const { status: code, body, text } = await call('POST', path, { url: receiver.url('/hook'), eventTypes: ['*'], ...fields });
  assert.equal(code, 201, text);
  return body as { id: string; secret: string };
};
const invite = (fields: object = {}) => anAffiliate(service, fields, program);

/** Transactions of other databases in the same cluster can delay an event. */
async function deliver(count: number): Promise<Received[]> {
  await until(`${count} requests have arrived`, async () => {
    if (receiver.received.length < count) await deliverDue(service.ctx);
    return receiver.received.length >= count;
  });
  assert.equal(receiver.received.length, count);
  return receiver.received;
}

/** Verifies as a receiver does. The library compares with the system's time, so the test's clock is moved to it. */
function verify(secret: string, { body, headers }: Received): { id: string; type: string; sequence: number } {
  const now = Date.now;
  Date.now = () => service.clock.now().getTime();
  try {
    return new Verifier(secret).verify(body, headers) as never;
  } finally {
    Date.now = now;
  }
}

describe('a webhook', () => {
  test('receives events, signed, with the body of the event log', async () => {
    const { id, secret } = await create();
    const affiliate = await invite();
    const [delivery] = await deliver(1);
    assert.ok(delivery);
    const event = verify(secret, delivery);
    assert.equal(event.type, 'affiliate.created');
    const { body: logged } = await call('GET', `${program.path}/events/${event.id}`);
    const { createdAt, previous, ...rest } = logged;
    assert.equal(previous, null);
    assert.deepEqual(event, { ...rest, timestamp: createdAt });
    assert.deepEqual([logged.objectId, delivery.headers['webhook-id']], [affiliate.id, event.id]);
    const { body: log } = await call('GET', `${path}/${id}/deliveries`);
    assert.deepEqual(
      log.deliveries.map((one: { status: string; attemptCount: number }) => [one.status, one.attemptCount]),
      [['delivered', 1]],
    );
    const { body: full } = await call('GET', `${path}/${id}/deliveries/${log.deliveries[0].id}`);
    assert.equal(full.body, delivery.body);
    const [attempt] = full.attempts;
    assert.deepEqual([attempt.outcome, attempt.response.status, attempt.response.body], ['succeeded', 200, 'ok']);
    for (const [name, value] of Object.entries(attempt.request.headers)) assert.equal(delivery.headers[name], value, name);
  });

  test('shows its secret once and stores it encrypted', async () => {
    const { id, secret } = await create();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const read = await call('GET', `${path}/${id}`);
    const listed = await call('GET', path);
    assert.ok(!read.text.includes('whsec_') && !listed.text.includes('whsec_'));
    const { rows } = await service.pool.query('select secrets, (select json_agg(audit_log)::text from audit_log) as audit from webhooks');
    for (const row of rows) assert.ok(!row.secrets.toString('latin1').includes(secret.slice(6)) && !row.audit.includes(secret));
    assert.ok(!service.log.join('').includes(secret));
  });

  test('is signed with both secrets during a rotation, and only with the new one after it', async () => {
    const { id, secret: first } = await create();
    const { body: rotated } = await call('POST', `${path}/${id}/rotate-secret`, { overlapHours: 2 });
    const second: string = rotated.secret;
    assert.notEqual(second, first);
    await invite();
    const [during] = await deliver(1);
    assert.ok(during);
    assert.deepEqual(verify(first, during), verify(second, during));
    service.clock.advance({ minutes: 121 });
    await invite();
    const [, later] = await deliver(2);
    assert.ok(later);
    verify(second, later);
    assert.throws(() => verify(first, later));
    const { body: third } = await call('POST', `${path}/${id}/rotate-secret`, { overlapHours: 0 });
    await invite();
    const [, , last] = await deliver(3);
    assert.ok(last);
    verify(third.secret, last);
    assert.throws(() => verify(second, last));
  });

  test('receives only the events that it wants', async () => {
    const groupId = await aGroup(service, 'Gold', program);
    await create({ url: receiver.url('/family'), eventTypes: ['affiliate.*'] });
    await create({ url: receiver.url('/one'), eventTypes: ['affiliate.approved'] });
    await create({ url: receiver.url('/none'), eventTypes: ['payout.*'] });
    await create({ url: receiver.url('/group'), eventTypes: ['*'], groupIds: [groupId] });
    await invite({ status: 'active' });
    await invite({ groupId });
    const paths = (await deliver(5)).map((one) => one.path).sort();
    assert.deepEqual(paths, ['/family', '/family', '/family', '/group', '/one']);
  });

  test('that is paused receives what it missed when it is active again', async () => {
    const { id } = await create();
    const paused = await call('PATCH', `${path}/${id}`, { status: 'paused' });
    assert.equal(paused.body.status, 'paused');
    assert.equal((await call('POST', `${path}/${id}/test`)).body.code, 'webhook_not_active');
    await invite();
    await deliverDue(service.ctx);
    assert.equal(receiver.received.length, 0);
    await call('PATCH', `${path}/${id}`, { status: 'active' });
    await deliver(1);
  });

  test('is the only one that receives its test event', async () => {
    const { id, secret } = await create({ eventTypes: ['payout.paid'] });
    await create({ url: receiver.url('/other') });
    const { body, status: code } = await call('POST', `${path}/${id}/test`);
    assert.deepEqual([code, body.eventType, body.status], [201, 'test', 'pending']);
    const [delivery] = await deliver(1);
    assert.ok(delivery);
    assert.deepEqual([delivery.path, verify(secret, delivery).type], ['/hook', 'test']);
    await deliverDue(service.ctx);
    assert.equal(receiver.received.length, 1);
  });

  test('that is deleted receives nothing, and its deliveries are erased', async () => {
    const { id } = await create();
    await invite();
    await deliver(1);
    receiver.answer(status(500));
    await invite();
    await deliver(2);
    assert.equal((await call('DELETE', `${path}/${id}`)).status, 200);
    for (const address of ['', '/deliveries']) assert.equal((await call('GET', `${path}/${id}${address}`)).status, 404);
    service.clock.advance({ days: 1 });
    await deliverDue(service.ctx);
    assert.equal(receiver.received.length, 2);
    const { deleteOldDeliveries } = await import('./deliveries/delete-old.ts');
    await deleteOldDeliveries.run(service.ctx, {}, { isLast: false });
    const { rows } = await service.pool.query(
      'select from webhook_deliveries where webhook_id = $1 union all select from webhooks where id = $1',
      [id],
    );
    assert.equal(rows.length, 0);
  });

  test('can be sent again: one delivery, or a range of events', async () => {
    const { id, secret } = await create();
    const started = service.clock.now();
    for (let n = 0; n < 3; n += 1) await invite();
    const sent = [...(await deliver(3))].map((one) => verify(secret, one).id).sort();
    const { body: log } = await call('GET', `${path}/${id}/deliveries?eventId=${sent[0]}`);
    await call('POST', `${path}/${id}/deliveries/${log.deliveries[0].id}/redeliver`);
    assert.equal((await deliver(4))[3]?.headers['webhook-id'], sent[0]);
    const replay = (body: object) => call('POST', `${path}/${id}/replay`, body);
    assert.equal((await replay({ createdFrom: started })).body.requestedCount, 3);
    await deliver(7);
    const { body: events } = await call('GET', `${program.path}/events?sort=createdAt`);
    const [, second, third] = events.events;
    assert.equal((await replay({ fromEventId: second.id, toEventId: third.id })).body.requestedCount, 2);
    assert.deepEqual(
      (await deliver(9))
        .slice(7)
        .map((one) => one.headers['webhook-id'])
        .sort(),
      [second.id, third.id].sort(),
    );
    assert.equal((await replay({ createdFrom: started, isFailedOnly: true })).status, 422);
    assert.deepEqual([(await replay({})).status, (await replay({ fromEventId: id })).status], [400, 404]);
  });

  test('has a valid filter, address and group', async () => {
    const fails = async (fields: object) => {
      const { status: code, body } = await call('POST', path, { url: receiver.url('/'), eventTypes: ['*'], ...fields });
      return [code, body.details?.[0]?.path.join('.')];
    };
    assert.deepEqual(await fails({ url: 'nothing' }), [400, 'url']);
    assert.deepEqual(await fails({ url: 'ftp://example.com/' }), [400, 'url']);
    assert.deepEqual(await fails({ url: 'https://user:secret@example.com/' }), [400, 'url']);
    assert.deepEqual(await fails({ eventTypes: [] }), [400, 'eventTypes']);
    assert.deepEqual(await fails({ eventTypes: ['*.created'] }), [400, 'eventTypes.0']);
    assert.deepEqual(await fails({ groupIds: [await aGroup(service)] }), [404, undefined]);
    const codes = [];
    for (let n = 0; n < 21; n += 1) codes.push((await fails({}))[0]);
    assert.deepEqual(codes.filter((code) => code === 400).length, 1);
  });
});
