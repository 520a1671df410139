// Amounts that can't be counted exactly are rejected at every entry point; one that is stored anyway affects no other affiliate.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { api } from '../../server/api.ts';
import { maxBalanceCents, maxCents } from '../../server/platform/lib/money.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { sampleOf, sampleRows } from '../support/fuzz/samples.ts';
import { openTestService, type TestProgram, type TestService } from '../support/harness.ts';
import { aStore, getExternalId } from '../support/stores/stores.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

const send = (program: TestProgram, method: string, path: string, body?: object) =>
  service.request(method, path.startsWith('/v1') ? path : `${program.path}/${path}`.replace(/\/$/, ''), {
    key: program.key,
    body,
  });

describe('an amount that is too large', () => {
  test('is 400 in every field of every request that takes cents', async () => {
    const ids = await sampleRows(service, 'large');
    const member = await service.asMember('owner');
    const fields: string[] = [];
    for (const endpoint of api) {
      const [method = '', route = ''] = endpoint.route.split(' ');
      const { params, body } = sampleOf(endpoint, 1, ids);
      const shape = Object.keys((endpoint.body as unknown as { shape?: object } | undefined)?.shape ?? {});
      for (const field of shape.filter((name) => /Cents$/.test(name))) {
        for (const value of [maxCents + 1, 2 ** 53, 1e21, 1.5]) {
          const path = route.replace(/:(\w+)/g, (_, name: string) => params[name] ?? name);
          const request = endpoint.isUserOnly ? member.request : service.request;
          const { status, text } = await request(method, path, { body: { ...body, [field]: value } });
          assert.equal(status, 400, `${endpoint.id} ${field} ${value}: ${text}`);
        }
        fields.push(`${endpoint.id} ${field}`);
      }
    }
    assert.ok(fields.length >= 20, fields.join(', '));
  });

  test('is 400 as a product of two valid amounts, and the other orders are credited', async () => {
    const program = await service.newProgram('Products');
    await send(program, 'PATCH', '', { commissionCapPercent: null });
    await aRule(service, { type: 'flat', amountCents: maxCents, per: 'unit' }, program);
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' }, program);
    const order = (orderId: string, quantity: number) => ({
      orderId,
      affiliateId,
      amountCents: 1000,
      items: [{ quantity, amountCents: 1000 }],
    });
    for (const quantity of [2, 100_000]) {
      const { status, body } = await send(program, 'POST', '/v1/conversions', order(`alone ${quantity}`, quantity));
      assert.deepEqual([status, body.code], [400, 'amount_too_large']);
    }
    const conversions = [order('a', 1), order('b', 100_000), order('c', 1)];
    const batch = await send(program, 'POST', '/v1/conversions/batch', { conversions });
    assert.deepEqual(
      batch.body.results.map(({ status }: { status: number }) => status),
      [201, 400, 201],
      batch.text,
    );
    const together = await Promise.all(
      ['d', 'e', 'f'].map((id, n) => send(program, 'POST', '/v1/conversions', order(id, n === 1 ? 9 : 1))),
    );
    assert.deepEqual(
      together.map(({ status }) => status),
      [201, 400, 201],
    );
  });

  test('is 400 as the sum of all commissions of a program, and refunds and payouts still work', async () => {
    const program = await service.newProgram('Sums');
    await aRule(service, { rate: 10 }, program);
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' }, program);
    await anOrder(service, { orderId: 'before', affiliateId, amountCents: 100_000 }, program);
    await service.pool.query('update ledger_heads set commissions_cents = $1 where program_id = $2', [-maxBalanceCents, program.programId]);
    const bonus = await send(program, 'POST', 'commissions', { affiliateId, amountCents: 1, note: 'more' });
    assert.deepEqual([bonus.status, bonus.body.code], [400, 'amount_too_large']);
    const order = await send(program, 'POST', '/v1/conversions', { orderId: 'after', affiliateId, amountCents: 1000 });
    assert.deepEqual([order.status, order.body.code], [400, 'amount_too_large']);
    const refund = { refundId: 're', orderId: 'before', amountCents: 10_000 };
    assert.equal((await send(program, 'POST', '/v1/refunds', refund)).status, 201);
  });

  test('in a store event fails the event immediately, with a message', async () => {
    await aRule(service);
    const { referralCode } = await anAffiliate(service, { status: 'active' });
    const store = await aStore(service, 'generic');
    const bodies = [
      { type: 'order.paid', orderId: 'huge', amountCents: Number.MAX_SAFE_INTEGER, referralCode },
      { type: 'order.paid', orderId: 'fine', amountCents: 1000, referralCode },
      { type: 'order.refunded', orderId: 'fine', refundId: 'r', amountCents: 1e17 },
      { type: 'order.edited', orderId: 'fine', amountCents: 1e17 },
      { type: 'order.refunded', orderId: 'fine', refundId: 'r', amountCents: '10' },
      { type: 'order.refunded', orderId: 'fine', refundId: 'r', items: [{ position: 0, amountCents: 1e17 }] },
      { type: 'dispute.opened', orderId: 'fine', disputeId: 'd', amountCents: 1e17 },
    ];
    for (const [index, body] of bodies.entries()) {
      await store.send({ id: `evt-${index}`, topic: body.type, body });
      await service.drain();
    }
    const events = await store.events();
    const statuses = bodies.map((body, index) => {
      const event = events.find(
        ({ externalId }) => externalId === getExternalId('generic', { id: `evt-${index}`, topic: body.type, body }),
      );
      return event?.status;
    });
    assert.deepEqual(statuses, ['failed', 'processed', 'failed', 'failed', 'failed', 'failed', 'failed']);
  });
});

test('one that is stored anyway does not prevent others from being listed and paid', async () => {
  const program = await service.newProgram('Stored');
  await send(program, 'PATCH', '', { holdDays: 0, minimumPayoutCents: 0 });
  await aRule(service, { rate: 10 }, program);
  const [large, other] = [
    await anAffiliate(service, { status: 'active' }, program),
    await anAffiliate(service, { status: 'active' }, program),
  ];
  for (const { id } of [large, other]) await anOrder(service, { affiliateId: id, amountCents: 100_000 }, program);
  const beyond = '9007199254740995';
  await service.pool.query(`update commissions set amount_cents = ${beyond} where affiliate_id = $1`, [large.id]);
  await service.pool.query(`update ledger_balances set pending_cents = ${beyond} where affiliate_id = $1`, [large.id]);
  await service.pool.query(`update ledger_entries set cents = ${beyond} where affiliate_id = $1`, [large.id]);
  await service.pool.query(`update affiliates set commission_cents = ${beyond} where id = $1`, [large.id]);
  const reads = ['affiliates', 'commissions', 'conversions', 'payouts/due', 'payouts/forecast', 'ledger/entries', 'ledger/integrity'];
  for (const path of [...reads, `affiliates/${large.id}/statement`, `affiliates/${large.id}/balance`]) {
    const { status, text } = await send(program, 'GET', path);
    assert.equal(status, 200, `${path}: ${text}`);
  }
  const { status, body, text } = await send(program, 'POST', 'payouts/dispatch', {});
  assert.equal(status, 201, text);
  assert.deepEqual([body.batch.totalCents, body.payouts[0].affiliateId], [10_000, other.id]);
  assert.deepEqual(
    body.skipped.map(({ affiliateId, reason }: { affiliateId: string; reason: string }) => [affiliateId, reason]),
    [[large.id, 'amount_too_large']],
  );
});
