// Reporting orders to the real server: who is credited, what is stored, and that an order is credited once.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { verifyChain } from '../ledger/verify-chain.ts';

let service: TestService;
let ada: { id: string; referralCode: string };

before(async () => {
  service = await openTestService();
  ada = await anAffiliate(service, { status: 'active' });
  await aRule(service, { rate: 10 });
});
after(() => service.close());

const report = (body: Record<string, unknown>, options: Record<string, unknown> = {}) =>
  service.request('POST', '/v1/conversions', { body, ...options });
const rowsOf = async (text: string, values: unknown[] = []) => (await service.pool.query(text, values)).rows;

describe('a reported order', () => {
  test('credits the affiliate, earns by the rule, and is posted to the ledger', async () => {
    const body = await anOrder(service, { orderId: 'first', amountCents: 4980, referralCode: ada.referralCode.toLowerCase() });
    assert.equal(body.status, 'pending');
    assert.equal(body.affiliateId, ada.id);
    assert.equal(body.commissionCents, 498);
    assert.equal(body.attribution.method, 'referral_code');
    assert.equal(body.commissions.length, 1);
    assert.equal(body.commissions[0].rate, 10);
    assert.equal(body.commissions[0].maturesAt, '2026-03-31T12:00:00.000Z');
    assert.equal('facts' in body, false);
    const [entry] = await rowsOf('select * from ledger_entries where commission_id = $1', [body.commissions[0].id]);
    assert.deepEqual([entry.kind, entry.debit, entry.credit, entry.cents], ['accrue', 'commissions', 'pending', 498]);
    const [balance] = await rowsOf('select * from ledger_balances where affiliate_id = $1', [ada.id]);
    assert.equal(balance.pending_cents, 498);
    const { body: list } = await service.request('GET', `${service.program.path}/affiliates`);
    const row = list.affiliates.find(({ id }: { id: string }) => id === ada.id);
    assert.deepEqual([row.conversions, row.commissionCents], [1, 498]);
    assert.equal((await rowsOf('select * from commission_events where commission_id = $1', [body.commissions[0].id])).length, 1);
  });

  test('has one time in all of its rows, although the clock advances in the meantime', async () => {
    const { now } = service.clock;
    const start = now().getTime();
    let ticks = 0;
    service.clock.now = () => new Date(start + ticks++);
    try {
      const { id, createdAt } = await anOrder(service, { affiliateId: ada.id });
      const stored = await rowsOf(
        `select distinct created_at from (select id, created_at from conversions union all select id, created_at from conversion_summaries
           union all select conversion_id, created_at from commissions) as stored where id = $1`,
        [id],
      );
      assert.deepEqual(stored, [{ created_at: new Date(createdAt) }]);
      assert.ok(ticks > 2);
    } finally {
      service.clock.now = now;
    }
  });

  test('is 409 with the first conversion when it is reported again, and has no other effect', async () => {
    const first = await anOrder(service, { orderId: 'again', affiliateId: ada.id });
    const before = await rowsOf('select count(*)::int as n from ledger_entries');
    const same = await report({ orderId: ' again ', affiliateId: ada.id, amountCents: 10_000 });
    assert.equal(same.status, 409);
    assert.deepEqual([same.body.conversionId, same.body.matchesOriginal, same.body.code], [first.id, true, 'order_recorded']);
    const other = await report({ orderId: 'again', affiliateId: ada.id, amountCents: 9999 });
    assert.deepEqual([other.status, other.body.matchesOriginal], [409, false]);
    assert.deepEqual(await rowsOf('select count(*)::int as n from ledger_entries'), before);
    assert.equal((await rowsOf('select * from order_mismatches')).length, 1);
    assert.equal((await report({ orderId: 'Again', affiliateId: ada.id, amountCents: 1 })).status, 201);
  });

  test('by 50 simultaneous requests is one 201 and 49 409 with its conversion', async () => {
    for (const round of [1, 2, 3, 4]) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => report({ orderId: `race-${round}`, affiliateId: ada.id, amountCents: 700 })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(49).fill(409)]);
      const id = answers.find(({ status }) => status === 201)?.body.id;
      assert.ok(answers.every(({ status, body }) => status === 201 || body.conversionId === id));
      assert.equal((await rowsOf('select * from conversions where order_id = $1', [`race-${round}`])).length, 1);
    }
  });

  test('with an Idempotency-Key returns the same response again, and a 422 does not use the key up', async () => {
    const headers = { 'idempotency-key': 'k1' };
    const unattributed = await report({ orderId: 'keyed', referralCode: 'UNKNWN22', amountCents: 100 }, { headers });
    assert.equal(unattributed.status, 422);
    const first = await report({ orderId: 'keyed', affiliateId: ada.id, amountCents: 100 }, { headers });
    const second = await report({ orderId: 'keyed', affiliateId: ada.id, amountCents: 100 }, { headers });
    assert.deepEqual([first.status, second.status, second.headers['idempotent-replayed']], [201, 201, 'true']);
    assert.deepEqual(first.body, second.body);
  });
});

describe('an order without an affiliate to credit', () => {
  test('is 422 with the reason, is stored as unattributed, and can be corrected', async () => {
    const first = await report({ orderId: 'lost', amountCents: 500, referralCode: 'UNKNWN22' });
    assert.equal(first.status, 422);
    assert.equal(first.body.reason, 'unknown');
    assert.equal((await report({ orderId: 'lost', amountCents: 500 })).body.reason, 'no_signal');
    const [unattributed] = await rowsOf(`select * from unattributed_orders where order_id = 'lost'`);
    assert.deepEqual(
      [unattributed.reason, unattributed.amount_cents, unattributed.reports, unattributed.conversion_id],
      ['no_signal', 500, 2, null],
    );
    const credited = await report({ orderId: 'lost', amountCents: 500, affiliateId: ada.id });
    assert.equal(credited.status, 201);
    const [resolved] = await rowsOf(`select * from unattributed_orders where order_id = 'lost'`);
    assert.equal(resolved.conversion_id, credited.body.id);
  });

  test('is stored without the email address of the buyer', async () => {
    await report({ orderId: 'private', amountCents: 500, customer: { email: 'secret.buyer@example.com', externalId: 'c9' } });
    const dump = JSON.stringify(await rowsOf('select * from unattributed_orders'));
    assert.ok(dump.includes('c9'));
    assert.ok(!dump.includes('secret.buyer'));
    assert.ok(!service.log.join('').includes('secret.buyer'));
  });

  test('pending, suspended, rejected and archived affiliates are not credited', async () => {
    for (const status of ['pending', 'suspended', 'rejected', 'archived']) {
      const { id } = await anAffiliate(service, { status });
      const { status: answer, body } = await report({ orderId: `to-${status}`, amountCents: 500, affiliateId: id });
      assert.deepEqual([answer, body.reason], [422, 'affiliate_not_active']);
    }
  });

  test('an affiliate of another program is 404, and nothing is stored', async () => {
    const other = await anAffiliate(service, { status: 'active' }, service.foreign);
    const { status, body } = await report({ orderId: 'foreign', amountCents: 500, affiliateId: other.id });
    assert.equal(status, 404);
    assert.match(body.error, /affiliateId/);
    assert.equal((await report({ orderId: 'foreign', amountCents: 5, referralCode: other.referralCode })).status, 422);
  });
});

describe('an invalid report', () => {
  const faults: [Record<string, unknown>, string][] = [
    [{ amountCents: 1 }, 'orderId'],
    [{ orderId: '  ', amountCents: 1 }, 'orderId'],
    [{ orderId: 'x'.repeat(256), amountCents: 1 }, 'orderId'],
    [{ orderId: 'x' }, 'amountCents'],
    [{ orderId: 'x', amountCents: -1 }, 'amountCents'],
    [{ orderId: 'x', amountCents: 1.5 }, 'amountCents'],
    [{ orderId: 'x', amountCents: 100_000_000_000 }, 'amountCents'],
    [{ orderId: 'x', amountCents: 1, currency: 'EUR' }, 'currency'],
    [{ orderId: 'x', amountCents: 1, currency: 'usd' }, 'currency'],
    [{ orderId: 'x', amountCents: 1, affiliateId: 'nope' }, 'affiliateId'],
    [{ orderId: 'x', amountCents: 1, occurredAt: '2026-02-30T00:00:00Z' }, 'occurredAt'],
    [{ orderId: 'x', amountCents: 1, occurredAt: 'yesterday' }, 'occurredAt'],
    [{ orderId: 'x', amountCents: 1, customer: { email: 'no address' } }, 'customer'],
    [{ orderId: 'x', amountCents: 1, customer: { country: 'USA' } }, 'customer'],
    [{ orderId: 'x', amountCents: 101, items: [{ quantity: 1, amountCents: 100 }] }, 'amountCents'],
    [{ orderId: 'x', amountCents: 1, items: [{ quantity: 0, amountCents: 100 }] }, 'items'],
    [{ orderId: 'x', amountCents: 1, items: [{ amountCents: 100, discountCents: 101 }] }, 'items'],
    [{ orderId: 'x', amountCents: 1, metadata: { a: 'x'.repeat(11_000) } }, 'metadata'],
  ];
  for (const [body, field] of faults) {
    test(`${JSON.stringify(body).slice(0, 90)} is 400 naming ${field}`, async () => {
      const { status, body: answer } = await report({ referralCode: ada.referralCode, ...body });
      assert.equal(status, 400, JSON.stringify(answer));
      assert.equal(answer.details[0].path[0], field);
    });
  }
});

describe('rules', () => {
  test('an override never beats a product rule (Contract §2.3, §4.3 rule 4)', async () => {
    const eve = await anAffiliate(service, { status: 'active' });
    const productId = await aProduct(service);
    const plain = await aProduct(service);
    await aRule(service, { productId, rate: 3 });
    const override = { commissionOverrideType: 'percentage', commissionOverrideRate: 50 };
    await service.request('PATCH', `${service.program.path}/affiliates/${eve.id}`, { body: override });
    const items = [
      { productId, amountCents: 10_000 },
      { productId: plain, amountCents: 10_000 },
    ];
    const body = await anOrder(service, { affiliateId: eve.id, amountCents: 20_000, items });
    const bySource = body.commissions.map(({ source, rate, amountCents }: Record<string, unknown>) => [source, rate, amountCents]);
    assert.deepEqual(bySource.sort(), [
      ['override', 50, 5000],
      ['rule', 3, 300],
    ]);
  });

  test('the upline earns on level 2 only while it is active', async () => {
    const upline = await anAffiliate(service, { status: 'active' });
    const below = await anAffiliate(service, { status: 'active', parentAffiliateId: upline.id });
    await aRule(service, { level: 2, rate: 2.5 });
    const first = await anOrder(service, { affiliateId: below.id, amountCents: 9999 });
    assert.deepEqual(
      first.commissions.map(({ level, affiliateId, amountCents }: Record<string, unknown>) => [level, affiliateId, amountCents]),
      [
        [1, below.id, 1000],
        [2, upline.id, 250],
      ],
    );
    await service.request('PATCH', `${service.program.path}/affiliates/${upline.id}`, { body: { status: 'suspended' } });
    const second = await anOrder(service, { affiliateId: below.id, amountCents: 9999 });
    assert.equal(second.commissions.length, 1);
  });
});

test('afterwards the hash chain is intact', async () => {
  const { faults, entryCount } = await verifyChain(service.ctx.db, service.program.programId, { isFull: true });
  assert.deepEqual(faults, []);
  assert.ok(entryCount > 8);
});
