// Notification channels: one message per event of the chosen kinds, without the address being shown, stored or logged.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { openWebhookReceiver, status, type WebhookReceiver } from '../../../../test/support/webhooks/receiver.ts';
import { numberAllEvents } from '../../events/number.ts';
import { expireClaims } from '../dispatch/claim.ts';
import { createDispatcher, deliverDue } from '../dispatch/dispatcher.ts';
import { fanOut } from '../dispatch/fan-out.ts';

let service: TestService;
let receiver: WebhookReceiver;
let program: TestProgram;
let serial = 0;
before(async () => {
  [service, receiver] = await Promise.all([openTestService(), openWebhookReceiver()]);
});
after(async () => {
  receiver.close();
  await service.close();
});
beforeEach(async () => {
  await service.pool.query(`update webhooks set status = 'paused'`);
  receiver.received.length = 0;
  receiver.answer((_, response) => void response.writeHead(200).end('ok'));
  serial += 1;
  program = await service.newProgram(`Channels ${serial}`);
  await aRule(service, { rate: 10 }, program);
  await send('PATCH', program.path, { largeOrderCents: 50_000 });
});

const send = (method: string, path: string, body?: object) => service.request(method, path, { key: program.key, body });
const path = (id = '') => `${program.path}/notification-channels${id && `/${id}`}`;
const secretPath = '/services/T0SECRET/B0SECRET/x7Kq';
const create = async (fields: object = {}) => {
  const body = { name: '#affiliates', url: receiver.url(secretPath), kinds: ['large_order'], ...fields };
  const { status: code, body: created, text } = await send('POST', path(), body);
  assert.equal(code, 201, text);
  return created;
};
const anOrderOf = async (lastName: string, amountCents = 60_000) => {
  const { id: affiliateId } = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName }, program);
  await anOrder(service, { affiliateId, amountCents }, program);
};
const deliver = async () => {
  await numberAllEvents(service.ctx);
  return deliverDue(service.ctx);
};
const texts = () => receiver.received.map(({ body }) => JSON.parse(body));
const consoleUrl = () => `${service.ctx.config.publicUrl ?? ''}/console/${program.programId}`;

describe('a notification channel', () => {
  test('receives one text per event of its kinds, in its language, and nothing else', async () => {
    await create();
    await create({ name: 'Deutsch', locale: 'de', kinds: ['payout_approval', 'large_order'] });
    await create({ name: 'Other', kinds: ['page'] });
    await anOrderOf('Lin');
    await anOrderOf('Small', 400);
    await deliver();
    await deliver();
    const lines = texts().map(({ text, ...others }) => [text.split('\n')[0], others]);
    assert.deepEqual(lines.sort(), [
      [`Channels ${serial}: Große Bestellung: 600,00\u00A0$ · Ada Lin`, {}],
      [`Channels ${serial}: Large order: $600.00 · Ada Lin`, {}],
    ]);
    assert.ok(texts().every(({ text }) => text.endsWith(consoleUrl())));
    assert.deepEqual([...new Set(receiver.received.map((request) => request.path))], [secretPath]);
    assert.equal(receiver.received[0]?.headers['webhook-signature'], undefined);
  });

  test('shows names as text: they mention and link nothing', async () => {
    await create();
    await anOrderOf('& Co @everyone [x](https://evil.example)');
    await deliver();
    const [{ text }] = texts();
    assert.doesNotMatch(text, /@everyone|\]\(|https:\/\/evil|evil\.example/);
    assert.match(text.replaceAll('\u200B', ''), /Ada &amp; Co @everyone \[x\]\(https:\/\/evil\.example\)/);
  });

  test('has its address stored encrypted and shown masked, everywhere', async () => {
    const channel = await create();
    assert.equal(channel.url, `${receiver.url('/…')}x7Kq`);
    await send('POST', `${path(channel.id)}/test`);
    await deliver();
    const moved = await send('PATCH', path(channel.id), { url: receiver.url('/services/T0SECRET/B0SECRET/other') });
    assert.equal(moved.body.url, `${receiver.url('/…')}ther`);
    const { rows } = await service.pool.query(
      `select (select json_agg(w) from webhooks as w where program_id = $1)::text || (select json_agg(a) from webhook_attempts as a where program_id = $1)::text
        || (select json_agg(l) from audit_log as l where program_id = $1)::text || (select json_agg(e) from events as e where program_id = $1)::text
        || (select json_agg(i) from idempotency_keys as i where program_id = $1)::text as everything`,
      [program.programId],
    );
    assert.doesNotMatch(String(rows[0].everything), /B0SECRET/);
    for (const answer of [await send('GET', path()), await send('GET', path(channel.id)), moved])
      assert.doesNotMatch(answer.text, /B0SECRET/);
    assert.deepEqual((await send('GET', `${program.path}/webhooks`)).body.total, 0);
  });

  test('shows what became of a test message', async () => {
    const { id, lastAttempt } = await create();
    assert.equal(lastAttempt, null);
    receiver.answer(status(404));
    assert.equal((await send('POST', `${path(id)}/test`)).status, 201);
    await deliver();
    const { body } = await send('GET', path(id));
    assert.deepEqual([body.lastAttempt.outcome, body.lastAttempt.responseStatus, body.status], ['rejected', 404, 'active']);
    assert.match(texts()[0].text, /This is a test\./);
    assert.equal((await send('PATCH', path(id), { status: 'paused' })).body.status, 'paused');
    assert.equal((await send('POST', `${path(id)}/test`)).body.code, 'notification_channel_not_active');
  });

  test('has one delivery per event when processes read side by side, and sends it again after one was killed', async () => {
    await create();
    await anOrderOf('Lin');
    await numberAllEvents(service.ctx);
    await Promise.all([fanOut(service.ctx), fanOut(service.ctx), fanOut(service.ctx)]);
    receiver.answer(() => undefined);
    const killed = createDispatcher(service.ctx);
    assert.equal(await killed.round(), 1);
    killed.abort();
    await killed.settled();
    receiver.answer((_, response) => void response.writeHead(200).end('ok'));
    await expireClaims(service.ctx);
    await deliver();
    const { rows } = await service.pool.query(`select status from webhook_deliveries where program_id = $1`, [program.programId]);
    assert.deepEqual(rows, [{ status: 'delivered' }]);
  });

  test('is disabled after three days of failures, with one email, and continues with what happens after it is activated', async () => {
    const owner = await service.asMember('owner', { program });
    const { id } = await create();
    receiver.answer(status(500));
    await anOrderOf('Lost');
    for (let attempt = 0; attempt < 9; attempt += 1) {
      await deliver();
      service.clock.advance({ minutes: 25 * 60 });
    }
    const { body } = await send('GET', path(id));
    assert.deepEqual([body.status, body.disabledReason], ['disabled', 'failing']);
    const { rows } = await service.pool.query(
      `select to_address, subject, text_body from emails where program_id = $1 and kind = 'webhook_disabled'`,
      [program.programId],
    );
    assert.deepEqual(
      rows.map(({ to_address, subject }) => [to_address, subject]),
      [[owner.email, `Channels ${serial}: notifications to #affiliates were disabled`]],
    );
    assert.doesNotMatch(rows[0].text_body, /SECRET/);
    await anOrderOf('Missed');
    await numberAllEvents(service.ctx);
    receiver.received.length = 0;
    receiver.answer((_, response) => void response.writeHead(200).end('ok'));
    await send('PATCH', path(id), { status: 'active' });
    await anOrderOf('Found');
    await deliver();
    assert.ok(texts().some(({ text }) => /Ada Found/.test(text)));
    assert.ok(!texts().some(({ text }) => /Ada Missed/.test(text)));
  });

  test('needs a public address, a kind, and room among the ten of a program; its changes are audited', async () => {
    const own = service.ctx.checkUrl;
    service.ctx.checkUrl = async () => 'must be a public address';
    const blocked = await send('POST', path(), { name: 'x', url: 'https://10.0.0.1/x', kinds: ['page'] });
    service.ctx.checkUrl = own;
    assert.deepEqual(blocked.body.details, [{ path: ['url'], message: 'must be a public address' }]);
    const invalid = await send('POST', path(), { name: '', url: 'nowhere', kinds: [] });
    assert.deepEqual(
      invalid.body.details.map(({ path: [field] }: { path: string[] }) => field),
      ['name', 'url', 'kinds'],
    );
    const created = await Promise.all(
      Array.from({ length: 12 }, () => send('POST', path(), { name: 'x', url: receiver.url('/x'), kinds: ['page'] })),
    );
    const codes = created.map(({ body }) => body.code ?? 'created');
    assert.deepEqual(
      Object.fromEntries(
        Map.groupBy(codes, (code) => code)
          .entries()
          .map(([code, all]) => [code, all.length]),
      ),
      {
        created: 10,
        too_many_notification_channels: 2,
      },
    );
    const { id } = created.find(({ status: code }) => code === 201)?.body ?? {};
    assert.equal((await send('DELETE', path(id))).status, 200);
    assert.equal((await send('GET', path(id))).status, 404);
    const { rows } = await service.pool.query(
      `select action, before, after from audit_log where program_id = $1 and subject_id = $2 order by id`,
      [program.programId, id],
    );
    const url = `${receiver.url('/…')}`;
    assert.deepEqual(rows, [
      { action: 'notification_channel.created', before: null, after: { name: 'x', url, kinds: ['page'], locale: 'en' } },
      { action: 'notification_channel.deleted', before: { name: 'x', url }, after: null },
    ]);
  });
});
