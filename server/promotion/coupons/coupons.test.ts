import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate, aProduct } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('coupons', () => {
  let service: TestService;
  let affiliateId: string;
  before(async () => {
    service = await openTestService();
    affiliateId = (await anAffiliate(service)).id;
  });
  after(() => service.close());

  const send = (method: string, path: string, body?: unknown) =>
    service.request(method, `${service.program.path}/coupons${path}`, body === undefined ? {} : { body });
  const create = (given: Record<string, unknown> = {}) => send('POST', '', { affiliateId, ...given });
  const codes = async (query: string) => (await send('GET', `?${query}`)).body.coupons.map(({ code }: { code: string }) => code);
  const auditOf = async (id: string) =>
    (await service.pool.query('select action, before, after from audit_log where subject_id = $1 order by id', [id])).rows;

  test('are created with defaults, and returned identically by id', async () => {
    const { status, body } = await create({ code: ' Plain_1 ' });
    assert.equal(status, 201);
    const { id, version, createdAt, updatedAt, ...rest } = body;
    assert.match(version, /^[\w-]{16}$/);
    assert.deepEqual(rest, {
      code: 'Plain_1',
      affiliateId,
      status: 'active',
      discountType: null,
      discountRate: null,
      discountCents: null,
      minOrderCents: null,
      currency: 'USD',
      productIds: [],
      startsAt: null,
      endsAt: null,
      maxRedemptions: null,
      redemptions: 0,
      creditPolicy: 'always',
      commissionType: null,
      commissionRate: null,
      commissionCents: null,
      externalId: null,
      leakSuspectedAt: null,
    });
    assert.equal(createdAt, updatedAt);
    assert.deepEqual((await send('GET', `/${id}`)).body, body);
  });

  test('store every term as it was sent, with times in UTC', async () => {
    const [one, two] = [await aProduct(service), await aProduct(service)];
    const terms = {
      discountType: 'percentage',
      discountRate: 12.3456,
      minOrderCents: 0,
      maxRedemptions: 1_000_000_000,
      creditPolicy: 'only_without_click',
      commissionType: 'percentage',
      commissionRate: 0.0001,
      externalId: 'shop-7',
    };
    const { status, body } = await create({
      ...terms,
      productIds: [two, one, two],
      startsAt: '2026-11-21T10:00:00+02:00',
      endsAt: '2026-12-31T23:59:59.999Z',
      redemptions: 99,
      status: 'archived',
    });
    assert.equal(status, 201);
    assert.deepEqual({ ...body, ...terms }, body);
    assert.deepEqual([body.startsAt, body.endsAt], ['2026-11-21T08:00:00.000Z', '2026-12-31T23:59:59.999Z']);
    assert.deepEqual([body.productIds, body.redemptions, body.status], [[one, two].sort(), 0, 'active']);
    const flat = { discountType: 'flat', discountCents: 500, commissionType: 'flat', commissionCents: 99_999_999_999 };
    const changed = (await send('PATCH', `/${body.id}`, flat)).body;
    assert.deepEqual({ ...changed, ...flat, discountRate: null, commissionRate: null }, changed);
  });

  test('twenty simultaneous creations of one code in any case: one 201, nineteen 409', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => create({ code: index % 2 ? 'RACE-me' : 'race-ME' })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)]);
    assert.deepEqual(new Set(responses.filter(({ status }) => status === 409).map(({ body }) => body.code)), new Set(['coupon_taken']));
  });

  test('two programs can use the same code', async () => {
    await create({ code: 'SHARED' });
    const theirs = await anAffiliate(service, {}, service.foreign);
    assert.equal((await aCoupon(service, { affiliateId: theirs.id, code: 'shared' }, service.foreign)).code, 'shared');
  });

  test('an omitted code is generated from the name; simultaneous ones differ', async () => {
    const invite = async (firstName: string, lastName: string) => (await anAffiliate(service, { firstName, lastName })).id;
    const generatedCode = async (given: Record<string, unknown>) => (await create(given)).body.code;
    assert.equal(await generatedCode({ affiliateId: await invite('Zoë', 'Q'), discountType: 'percentage', discountRate: 20 }), 'ZOE20');
    assert.equal(await generatedCode({ affiliateId: await invite('李', 'Wang-Li') }), 'WANGLI10');
    assert.match(await generatedCode({ affiliateId: await invite('李', '小龙') }), /^[2-9A-Z]{8}10$/);
    assert.equal(await generatedCode({ affiliateId: await invite('Bo'.repeat(50), 'X') }), `${'BO'.repeat(10)}10`);
    const id = await invite('Many', 'Codes');
    const responses = await Promise.all(Array.from({ length: 12 }, () => create({ affiliateId: id })));
    const unique = new Set(responses.map(({ body }) => body.code.toLowerCase()));
    assert.deepEqual([unique.size, new Set(responses.map(({ status }) => status)).size], [12, 1]);
    assert.ok(responses.every(({ body }) => /^MANY10[2-9A-Z]*$/.test(body.code)));
  });

  test('expire at their end, including in the list', async () => {
    const now = service.clock.now().getTime();
    const { body } = await create({ code: 'ENDS', endsAt: new Date(now + 60_000).toISOString() });
    const statusOf = async () => [
      (await send('GET', `/${body.id}`)).body.status,
      await codes('search=ends&status=active'),
      await codes('search=ends&status=expired'),
    ];
    service.clock.advance({ seconds: 59 });
    assert.deepEqual(await statusOf(), ['active', ['ENDS'], []]);
    service.clock.advance({ seconds: 1 });
    assert.deepEqual(await statusOf(), ['expired', [], ['ENDS']]);
    await send('PATCH', `/${body.id}`, { status: 'archived' });
    assert.deepEqual(await statusOf(), ['archived', [], []]);
    assert.deepEqual(await codes('search=ends&status=archived'), ['ENDS']);
    assert.deepEqual(await codes('search=ends&status=active&status=archived'), ['ENDS']);
    assert.equal((await send('PATCH', `/${body.id}`, { status: 'active', endsAt: null })).body.status, 'active');
  });

  test('the list filters, searches literally, sorts and expands', async () => {
    const { id } = await anAffiliate(service);
    for (const code of ['Find_1', 'FINDx1', 'other']) await create({ affiliateId: id, code });
    assert.deepEqual(await codes(`affiliateId=${id}`), ['other', 'FINDx1', 'Find_1']);
    assert.deepEqual(await codes(`affiliateId=${id}&search=FIND_`), ['Find_1']);
    assert.deepEqual((await send('GET', `?affiliateId=${id}&limit=1&offset=1`)).body.total, 3);
    assert.deepEqual(await codes(`affiliateId=${service.ctx.ids.uuid()}`), []);
    assert.deepEqual(await codes(`affiliateId=${id}&sort=code`), ['FINDx1', 'Find_1', 'other']);
    const later = new Date(service.clock.now().getTime() + 1000).toISOString();
    assert.deepEqual(await codes(`affiliateId=${id}&createdFrom=${later}`), []);
    const productId = await aProduct(service, { name: 'Only this', externalId: 'only-1' });
    await create({ affiliateId: id, code: 'EXPANDED', productIds: [productId], externalId: 'promo_1' });
    const [expanded] = (await send('GET', '?externalId=promo_1&expand=affiliate,products')).body.coupons;
    assert.deepEqual([expanded.affiliate.id, expanded.products], [id, [{ id: productId, name: 'Only this', externalId: 'only-1' }]]);
    for (const query of ['affiliateId=x', 'status=disabled', 'sort=endsAt', 'expand=group', 'limit=0', `search=${'x'.repeat(201)}`])
      assert.equal((await send('GET', `?${query}`)).status, 400, query);
  });

  test('an archived coupon is returned and can be reactivated; its code stays reserved', async () => {
    const { body } = await create({ code: 'GONE' });
    const archived = await send('PATCH', `/${body.id}`, { status: 'archived' });
    assert.deepEqual([archived.status, archived.body.status], [200, 'archived']);
    assert.deepEqual((await send('GET', `/${body.id}`)).body, archived.body);
    assert.deepEqual([await codes('search=gone'), await codes('search=gone&status=active')], [['GONE'], []]);
    const again = await create({ code: 'gone' });
    assert.deepEqual([again.status, again.body.code], [409, 'coupon_taken']);
    assert.equal((await send('PATCH', `/${body.id}`, { status: 'active' })).body.status, 'active');
    assert.equal((await send('DELETE', `/${body.id}`)).status, 405);
    assert.deepEqual(
      (await auditOf(body.id)).map(({ action }) => action),
      ['coupon.created', 'coupon.updated', 'coupon.updated'],
    );
  });

  test('a change is audited with the changed fields; code and affiliate never change', async () => {
    const other = (await anAffiliate(service)).id;
    const { body } = await create({ code: 'FIXED', startsAt: '2026-01-01T00:00:00Z', discountType: 'percentage', discountRate: 5 });
    const same = await send('PATCH', `/${body.id}`, {
      startsAt: '2026-01-01T01:00:00+01:00',
      discountRate: 5,
      status: 'active',
      code: 'MINE',
      affiliateId: other,
    });
    assert.deepEqual([same.status, same.body], [200, body]);
    await send('PATCH', `/${body.id}`, { discountRate: 6, status: 'archived' });
    assert.deepEqual((await auditOf(body.id)).slice(1), [
      { action: 'coupon.updated', before: { discountRate: 5, status: 'active' }, after: { discountRate: 6, status: 'archived' } },
    ]);
  });

  test('an unknown affiliate or product, or one of another program, is 404 naming the field, and nothing is written', async () => {
    const theirs = (await anAffiliate(service, {}, service.foreign)).id;
    const theirProduct = await aProduct(service, {}, service.foreign);
    const total = async () => (await send('GET', '')).body.total;
    const before = await total();
    for (const [field, given] of [
      ['affiliateId', { affiliateId: theirs }],
      ['affiliateId', { affiliateId: service.ctx.ids.uuid() }],
      ['productIds', { productIds: [theirProduct] }],
      ['productIds', { productIds: [await aProduct(service), service.ctx.ids.uuid()] }],
    ] as const) {
      const { status, body } = await create({ code: 'NEVER', ...given });
      assert.equal(status, 404);
      assert.match(body.error, new RegExp(field));
    }
    assert.equal(await total(), before);
    const { body } = await create();
    assert.equal((await send('PATCH', `/${body.id}`, { productIds: [theirProduct] })).status, 404);
  });
});
