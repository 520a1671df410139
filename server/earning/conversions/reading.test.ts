// Reading orders through the server: lists, explanations, previews, batches.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
let ada: { id: string; referralCode: string };
let eve: { id: string; referralCode: string };
let tea: string;

before(async () => {
  service = await openTestService();
  ada = await anAffiliate(service, { firstName: 'Ada', lastName: 'Lovelace', status: 'active' });
  eve = await anAffiliate(service, { firstName: 'Eve', lastName: 'Curie', status: 'active' });
  tea = await aProduct(service, { name: 'Sleep tea', category: 'Tea' });
  await aRule(service, { name: 'Default', rate: 10 });
  await aRule(service, { name: 'Tea', category: 'tea', rate: 4 });
  await aRule(service, {
    name: 'Last summer',
    category: 'Tea',
    rate: 40,
    effectiveFrom: '2025-06-01T00:00:00Z',
    effectiveTo: '2025-09-01T00:00:00Z',
  });
});
after(() => service.close());

const get = (path: string) => service.request('GET', `${service.program.path}${path}`);
const post = (path: string, body: object) => service.request('POST', path, { body });

describe('an explanation', () => {
  test('describes each signal, each rule, the amounts and the limits in sentences', async () => {
    await aCoupon(service, { affiliateId: eve.id, code: 'EVE10' });
    const { id } = await anOrder(service, {
      orderId: 'explained',
      amountCents: 2999,
      couponCode: 'eve10',
      referralCode: ada.referralCode,
      items: [
        { productId: tea, amountCents: 1499 },
        { name: 'Gift card', amountCents: 1500 },
      ],
    });
    const { status, body } = await get(`/conversions/${id}/explanation`);
    assert.equal(status, 200);
    assert.deepEqual(body.sentences, [
      'Eve Curie is credited, by the coupon eve10.',
      `The referral code ${ada.referralCode} (Ada Lovelace) was not credited: another signal takes precedence.`,
      'Sleep tea ($14.99): 4% by “Tea” (category rule) = $0.60.',
      'Gift card ($15.00): 10% by “Default” (default rule) = $1.50.',
    ]);
    const line = body.lines.find(({ position, level }: { position: number; level: number }) => position === 0 && level === 1);
    assert.deepEqual(
      line.candidates.map(({ name, outcome }: { name: string; outcome: string }) => [name, outcome]),
      [
        ['Last summer', 'no_longer_effective'],
        ['Tea', 'applied'],
        ['Default', 'outranked'],
      ],
    );
    assert.equal(body.inputs.lines[0].category, 'Tea');
  });

  test('states why an order paid nothing', async () => {
    const other = await service.newProgram('No rules');
    const { id } = await anAffiliate(service, { status: 'active' }, other);
    const order = await anOrder(service, { affiliateId: id }, other);
    assert.deepEqual([order.commissionCents, order.status, order.commissions], [0, 'approved', []]);
    const { body } = await service.request('GET', `${other.path}/conversions/${order.id}/explanation`, { key: other.key });
    assert.equal(body.sentences.at(-1), 'The order ($100.00) earns nothing: no rule matches it.');
  });
});

describe('warnings', () => {
  test('name an unknown product, an exhausted budget and a missing customer; the order is recorded', async () => {
    const other = await service.newProgram('Warned');
    const { id } = await anAffiliate(service, { status: 'active' }, other);
    const product = await aProduct(service, {}, other);
    const clean = await anOrder(service, { affiliateId: id, items: [{ productId: product, amountCents: 10_000 }] }, other);
    assert.deepEqual(clean.warnings, []);
    await aRule(service, { name: 'New', rate: 20, trigger: 'first', productId: product }, other);
    await aRule(service, { name: 'Promo', rate: 10, budgetCents: 150, budgetPeriod: 'total' }, other);
    const items = [
      { productId: product, amountCents: 1000 },
      { productId: service.ctx.ids.uuid(), sku: 'unknown', amountCents: 1000 },
    ];
    const order = await anOrder(service, { affiliateId: id, amountCents: 2000, items }, other);
    assert.equal(order.commissionCents, 150);
    assert.deepEqual(
      order.warnings.map(({ code, path }: { code: string; path: string[] }) => [code, path.join('.')]),
      [
        ['unknown_product', 'items.1.productId'],
        ['budget_exhausted', ''],
        ['customer_unknown', 'customer'],
      ],
    );
    const read = await service.request('GET', `${other.path}/conversions/${order.id}`, { key: other.key });
    assert.deepEqual(read.body.warnings, order.warnings);
    const body = { orderId: 'later', affiliateId: id, amountCents: 1000 };
    const next = await service.request('POST', `${other.path}/commission-rules/preview`, { body, key: other.key });
    assert.equal(next.body.warnings[0].message, 'The budget of the rule “Promo” is exhausted; $0.00 remained for this order.');
    assert.match(next.body.sentences[0], /lowered to the remaining budget of the rule \(\$0\.00\) = \$0\.00\.$/);
  });
});

describe('resolve', () => {
  test('returns which rule would win and why every other rule would lose', async () => {
    const { body } = await get(`/commission-rules/resolve?affiliateId=${ada.id}&productId=${tea}`);
    assert.equal(body.winner.name, 'Tea');
    assert.equal(body.sentence, '“Tea” applies (category rule).');
    assert.equal(body.candidates.length, 3);
    const then = await get(`/commission-rules/resolve?productId=${tea}&at=2025-07-01T00:00:00Z`);
    assert.equal(then.body.winner.name, 'Last summer');
    const gone = await anAffiliate(service, { status: 'suspended' });
    const rejected = await get(`/commission-rules/resolve?affiliateId=${gone.id}&productId=${tea}`);
    assert.deepEqual([rejected.body.winner, rejected.body.sentence], [null, 'This affiliate is suspended: no commission is earned.']);
    assert.ok(rejected.body.candidates.every(({ outcome }: { outcome: string }) => outcome !== 'applied'));
    assert.equal((await get('/commission-rules/resolve?at=yesterday')).status, 400);
    assert.equal((await get(`/commission-rules/resolve?productId=${service.ctx.ids.uuid()}`)).status, 404);
  });
});

describe('preview', () => {
  test('returns what the report pays later, and stores nothing', async () => {
    const order = { orderId: 'previewed', amountCents: 1499, affiliateId: ada.id, items: [{ productId: tea, amountCents: 1499 }] };
    const before = await service.pool.query('select (select count(*) from conversions) as a, (select count(*) from ledger_entries) as b');
    const preview = await post(`${service.program.path}/commission-rules/preview`, order);
    assert.equal(preview.status, 200);
    assert.deepEqual([preview.body.affiliateId, preview.body.commissionCents], [ada.id, 60]);
    const after = await service.pool.query('select (select count(*) from conversions) as a, (select count(*) from ledger_entries) as b');
    assert.deepEqual(after.rows, before.rows);
    assert.equal((await anOrder(service, order)).commissionCents, 60);
    const none = await post(`${service.program.path}/commission-rules/preview`, { orderId: 'x', amountCents: 1 });
    assert.deepEqual([none.status, none.body.affiliateId, none.body.sentences], [200, null, ['No affiliate would be credited.']]);
  });
});

describe('simulate', () => {
  test('replays a period under changed rules: before, after and difference, per affiliate and in all', async () => {
    const other = await service.newProgram('Simulated');
    const [first, second] = [
      await anAffiliate(service, { status: 'active' }, other),
      await anAffiliate(service, { status: 'active' }, other),
    ];
    const rule = await aRule(service, { rate: 10 }, other);
    for (const [affiliate, amountCents] of [
      [first, 1000],
      [first, 1005],
      [second, 3000],
    ] as const)
      await anOrder(service, { affiliateId: affiliate.id, amountCents }, other);
    const before = await service.pool.query('select * from commissions where program_id = $1 order by id', [other.programId]);
    const simulate = (body: object) =>
      service.request('POST', `${other.path}/commission-rules/simulate`, {
        body: { from: '2026-02-01T00:00:00Z', to: '2026-04-01T00:00:00Z', ...body },
        key: other.key,
      });
    const { body } = await simulate({ replace: [{ ruleId: rule, name: 'twelve and a half', type: 'percentage', rate: 12.5 }] });
    assert.deepEqual(body.total, { beforeCents: 501, afterCents: 626, differenceCents: 125, conversions: 3 });
    assert.deepEqual(
      body.affiliates.map(({ affiliateId, differenceCents }: Record<string, unknown>) => [affiliateId, differenceCents]),
      [
        [second.id, 75],
        [first.id, 50],
      ],
    );
    assert.ok(body.affiliates.every((row: object) => !('affiliate' in row)));
    const path = `${other.path}/commission-rules/simulate?expand=affiliate`;
    const expanded = await service.request('POST', path, {
      body: { from: '2026-02-01T00:00:00Z', to: '2026-04-01T00:00:00Z' },
      key: other.key,
    });
    for (const { affiliateId, affiliate } of expanded.body.affiliates) {
      const { body: stored } = await service.request('GET', `${other.path}/affiliates/${affiliateId}`, { key: other.key });
      assert.equal(affiliate.name, `${stored.firstName} ${stored.lastName}`);
    }
    const added = await simulate({ add: [{ name: 'flat', type: 'flat', amountCents: 7, affiliateId: first.id }] });
    assert.equal(added.body.total.afterCents, 7 + 7 + 300);
    assert.equal((await simulate({ archiveRuleIds: [rule] })).body.total.afterCents, 0);
    assert.equal((await simulate({ to: '2026-01-01T00:00:00Z' })).status, 400);
    assert.equal((await simulate({ archiveRuleIds: [service.ctx.ids.uuid()] })).status, 404);
    const after = await service.pool.query('select * from commissions where program_id = $1 order by id', [other.programId]);
    assert.deepEqual(after.rows, before.rows);
  });
});

describe('a batch', () => {
  test('returns for each row what a single report would, and an invalid row does not affect the others', async () => {
    const rows = [
      { orderId: 'b1', amountCents: 100, affiliateId: ada.id },
      { orderId: 'b1', amountCents: 100, affiliateId: ada.id },
      { orderId: 'b2', amountCents: -1 },
      { orderId: 'b3', amountCents: 100 },
      { orderId: 'b4', amountCents: 100, affiliateId: service.ctx.ids.uuid() },
      { orderId: 'b5', amountCents: 100, currency: 'EUR', affiliateId: ada.id },
      'nonsense',
      { orderId: 'b6', amountCents: 200, affiliateId: eve.id },
    ];
    const { status, body } = await post('/v1/conversions/batch', { conversions: rows });
    assert.equal(status, 200);
    assert.deepEqual(
      body.results.map((row: { orderId: string; status: number }) => [row.orderId, row.status]),
      [
        ['b1', 201],
        ['b1', 409],
        ['b2', 400],
        ['b3', 422],
        ['b4', 404],
        ['b5', 400],
        [null, 400],
        ['b6', 201],
      ],
    );
    assert.equal(body.results[1].error.conversionId, body.results[0].conversion.id);
    assert.equal(body.results[2].error.details[0].path[0], 'amountCents');
    assert.equal(body.results[7].conversion.commissionCents, 20);
    const tooMany = await post('/v1/conversions/batch', { conversions: Array(201).fill(rows[0]) });
    assert.equal(tooMany.status, 400);
  });

  test('of 200 rows is recorded completely', async () => {
    const conversions = Array.from({ length: 200 }, (_, index) => ({
      orderId: `many-${index}`,
      amountCents: 1000 + index,
      affiliateId: ada.id,
      metadata: { note: 'x'.repeat(300) },
    }));
    const { body } = await post('/v1/conversions/batch', { conversions });
    assert.ok(body.results.every(({ status }: { status: number }) => status === 201));
  });
});

describe('lists', () => {
  test('conversions are filtered by affiliate, order, status, time and conflict', async () => {
    const all = await get('/conversions');
    assert.ok(all.body.total >= 4);
    const mine = await get(`/conversions?affiliateId=${eve.id}`);
    assert.ok(mine.body.conversions.every(({ affiliateId }: { affiliateId: string }) => affiliateId === eve.id));
    const one = await get('/conversions?orderId=explained');
    assert.equal(one.body.total, 1);
    assert.equal(one.body.conversions[0].attribution.conflict[0].affiliateId, ada.id);
    assert.equal((await get('/conversions?conflict=true')).body.total, 1);
    assert.equal((await get('/conversions?status=held')).body.total, 0);
    assert.equal((await get('/conversions?occurredFrom=2030-01-01T00:00:00Z')).body.total, 0);
    assert.equal((await get('/conversions?status=nope')).status, 400);
    const got = await get(`/conversions/${one.body.conversions[0].id}?expand=affiliate`);
    assert.deepEqual(got.body.affiliate.name, 'Eve Curie');
    const { affiliate: _, ...conversion } = got.body;
    assert.deepEqual(conversion, one.body.conversions[0]);
    assert.equal((await get('/conversions?from=2030-01-01T00:00:00Z')).status, 400);
    assert.equal((await get('/conversions?method=click&method=coupon')).body.total, 1);
    const byAmount = await get('/conversions?sort=amountCents');
    const amounts = byAmount.body.conversions.map(({ amountCents }: { amountCents: number }) => amountCents);
    assert.deepEqual(
      amounts,
      amounts.toSorted((a: number, b: number) => a - b),
    );
  });

  test('the response to a report equals the conversion that is read afterwards', async () => {
    const reported = await anOrder(service, { orderId: 'same', affiliateId: ada.id, subId: 'newsletter', customer: { externalId: 'c1' } });
    assert.deepEqual((await get(`/conversions/${reported.id}`)).body, reported);
  });
});
