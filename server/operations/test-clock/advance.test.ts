// Advancing the clock of a program in test mode: what becomes due happens in its order, each at its time.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from '../../../sdk/index.ts';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { runCode } from '../../../test/support/documents/run-code.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { openSandbox, type Sandbox } from '../../../test/support/test-clocks/sandbox.ts';
import { openWebhookReceiver, status, type WebhookReceiver } from '../../../test/support/webhooks/receiver.ts';
import { checkInvariants } from '../verify/invariants.ts';

const start = '2026-03-01T12:00:00.000Z';

let service: TestService;
let sandbox: Sandbox;
let receiver: WebhookReceiver;

before(async () => {
  [service, receiver] = [await openTestService(), await openWebhookReceiver()];
  sandbox = await openSandbox(service, 'Sandbox');
});
after(async () => {
  receiver.close();
  await service.close();
});

const readClock = () => sandbox.call('GET', '/test-clock');

describe('the clock of a program in test mode', () => {
  test('starts at the real time and passes with it', async () => {
    const { status: code, body } = await readClock();
    assert.deepEqual(
      [code, body],
      [200, { currentAt: start, aheadSeconds: 0, status: 'ready', targetAt: null, progressPercent: null, lastError: null }],
    );
    service.clock.advance({ minutes: 1 });
    assert.equal((await readClock()).body.currentAt, '2026-03-01T12:01:00.000Z');
  });

  test('advances to exactly the time that was asked for, and continues from there', async () => {
    const { body } = await sandbox.advance({ days: 2 });
    assert.deepEqual([body.currentAt, body.aheadSeconds, body.lastError], ['2026-03-03T12:01:00.000Z', 172_800, null]);
    assert.equal((await sandbox.advance({ to: '2026-03-04T00:00:00Z' })).body.currentAt, '2026-03-04T00:00:00.000Z');
    service.clock.advance({ minutes: 1 });
    assert.equal((await readClock()).body.currentAt, '2026-03-04T00:01:00.000Z');
    const { rows } = await service.pool.query(`select before, after from audit_log where action = 'test_clock.advanced' order by id`);
    assert.deepEqual(rows[1], { before: { currentAt: '2026-03-03T12:01:00.000Z' }, after: { targetAt: '2026-03-04T00:00:00.000Z' } });
  });

  test('never moves back, and one advance at a time is accepted', async () => {
    const faultOf = async (body: unknown) => (await sandbox.call('POST', '/test-clock/advance', body)).body;
    const after = 'must be after the current time of the program (2026-03-04T00:01:00.000Z)';
    assert.deepEqual((await faultOf({ to: '2026-03-03T00:00:00Z' })).details, [{ path: ['to'], message: after }]);
    assert.equal((await faultOf({ days: 801 })).details[0].path[0], 'days');
    assert.equal((await faultOf({ to: '2029-01-01T00:00:00Z' })).details[0].path[0], 'to');
    assert.equal((await faultOf({})).details[0].path[0], 'days');
    assert.equal((await faultOf({ days: 1, to: '2026-05-01T00:00:00Z' })).details[0].path[0], 'to');
    const both = await Promise.all([1, 2].map(() => sandbox.call('POST', '/test-clock/advance', { days: 1 })));
    assert.deepEqual(both.map((answer) => answer.body.code ?? answer.body.status).sort(), ['advancing', 'clock_advancing']);
    await service.drain();
    assert.equal((await readClock()).body.currentAt, '2026-03-05T00:01:00.000Z');
  });

  test('is advanced once by a request that is repeated under its Idempotency-Key', async () => {
    const send = async () => {
      const headers = { 'idempotency-key': 'next-month' };
      return service.request('POST', `${sandbox.path}/test-clock/advance`, {
        key: sandbox.key,
        headers,
        body: { to: '2026-03-06T00:00:00Z' },
      });
    };
    const first = await send();
    await service.drain();
    const again = await send();
    assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [200, first.text, 'true']);
    assert.deepEqual((await readClock()).body, { ...(await readClock()).body, status: 'ready', currentAt: '2026-03-06T00:00:00.000Z' });
  });
});

/** What happened in the program, in its order: events that a webhook received, and emails that were sent. */
async function listEffects(): Promise<string[]> {
  const events = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; timestamp: string });
  const { rows } = await service.pool.query<{ kind: string; sentAt: Date }>(
    `select kind, sent_at as "sentAt" from emails where program_id = $1 and status = 'sent' order by sent_at, created_at`,
    [sandbox.programId],
  );
  const effects = [
    ...events.map(({ type, timestamp }) => ({ at: timestamp, what: type })),
    ...rows.map(({ kind, sentAt }) => ({ at: sentAt.toISOString(), what: `email ${kind}` })),
  ];
  return effects.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map(({ at, what }) => `${at} ${what}`);
}

test('the code of the guide waits until the clock is ready', async () => {
  const other = await openSandbox(service, 'Guide');
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const client = createClient({
    url,
    apiKey: other.key,
    async fetch(address, init) {
      // What a process that runs jobs does in the meantime.
      await service.drain();
      return fetch(address, init);
    },
  });
  const { advance } = await runCode('docs/guides/testing.md', { client });
  const before = await other.call('GET', '/test-clock');
  const after = await (advance as (days: number) => Promise<string>)(3);
  assert.equal(Date.parse(after) - Date.parse(before.body.currentAt), 3 * 86_400_000);
});

describe('effects over HTTP', () => {
  test('happen in their order: matured, statement, payout, webhook', async () => {
    const url = receiver.url('/events');
    const eventTypes = ['commission.created', 'commission.matured', 'payout.created', 'payout.paid'];
    assert.equal((await sandbox.call('POST', '/webhooks', { url, eventTypes })).status, 201);
    await aRule(service, { rate: 10 }, sandbox);
    const ada = await anAffiliate(service, { autoApprove: true }, sandbox);
    await anOrder(service, { affiliateId: ada.id, amountCents: 80_000 }, sandbox);
    await sandbox.advance({ days: 1 });
    await anOrder(service, { affiliateId: ada.id, amountCents: 20_000 }, sandbox);
    await sandbox.advance({ days: 31 });
    const batch = await sandbox.call('POST', '/payouts/dispatch', {});
    assert.equal(batch.status, 201, batch.text);
    assert.equal(batch.body.batch.totalCents, 10_000);
    const paid = await sandbox.call('POST', `/payouts/${batch.body.payouts[0].id}/mark-paid`, { reference: 'Transfer 1' });
    assert.equal(paid.status, 200, paid.text);
    await sandbox.advance({ days: 1 });
    assert.deepEqual(await listEffects(), [
      '2026-03-06T00:00:00.000Z commission.created',
      '2026-03-06T00:00:00.000Z email first_sale',
      '2026-03-07T00:00:00.000Z commission.created',
      '2026-04-01T00:00:00.000Z email statement',
      '2026-04-05T00:00:00.000Z commission.matured',
      '2026-04-06T00:00:00.000Z commission.matured',
      '2026-04-07T00:00:00.000Z payout.created',
      '2026-04-07T00:00:00.000Z payout.paid',
      '2026-04-07T00:00:00.000Z email payout_paid',
    ]);
    const timestamps = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    assert.deepEqual([...new Set(timestamps)], [Math.floor(service.clock.now().getTime() / 1000)], 'receivers compare with the real time');
    const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
    assert.deepEqual(broken, []);
  });

  test('a webhook that fails is retried at the times of its schedule', async () => {
    let failures = 3;
    receiver.answer((request, response) => {
      failures -= 1;
      status(failures >= 0 ? 500 : 200)(request, response);
    });
    const ada = await anAffiliate(service, { status: 'active' }, sandbox);
    await anOrder(service, { affiliateId: ada.id, amountCents: 500 }, sandbox);
    await sandbox.advance({ days: 1 });
    const { rows } = await service.pool.query<{ status: string; attempts: number; last: Date; created: Date }>(
      `select status, attempts, last_attempt_at as last, created_at as created from webhook_deliveries where program_id = $1
       order by created_at desc, attempts desc limit 1`,
      [sandbox.programId],
    );
    const [delivery] = rows;
    assert.ok(delivery);
    assert.deepEqual([delivery.status, delivery.attempts], ['delivered', 4]);
    // 5 s, 2 min and 15 min, each up to a tenth more or less.
    const waitedMs = delivery.last.getTime() - delivery.created.getTime();
    assert.ok(waitedMs > 0.89 * 1_025_000 && waitedMs < 1.11 * 1_025_000, `${waitedMs}`);
  });
});
