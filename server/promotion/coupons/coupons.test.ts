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

  test('is created with what most brands mean where nothing is said, and read back the same', async () => {
    const { status, body } = await create({ code: ' Plain_1 ' });
    assert.equal(status, 201);
    const { id, createdAt, updatedAt, ...rest } = body;
    assert.deepEqual(rest, {
      ...{
        code: 'Plain_1',
        affiliateId,
        status: 'active',
        discountType: null,
        discountRate: null,
        discountCents: null,
        minOrderCents: null,
      },
      ...{ productIds: [], startsAt: null, endsAt: null, maxRedemptions: null, redemptions: 0, creditPolicy: 'always' },
      ...{ commissionType: null, commissionRate: null, externalId: null, leakSuspectedAt: null },
    });
    assert.equal(createdAt, updatedAt);
    assert.deepEqual((await send('GET', `/${id}`)).body, body);
  });

  test('keeps every term as it was sent, times in UTC', async () => {
    const [one, two] = [await aProduct(service), await aProduct(service)];
    const terms = {
      ...{
        discountType: 'percentage',
        discountRate: 12.3456,
        minOrderCents: 0,
        maxRedemptions: 1_000_000_000,
        creditPolicy: 'only_without_click',
      },
      ...{ commissionType: 'percentage', commissionRate: 0.0001, externalId: 'shop-7' },
    };
    const { status, body } = await create({
      ...terms,
      productIds: [two, one, two],
      startsAt: '2026-11-21T10:00:00+02:00',
      endsAt: '2026-12-31T23:59:59.999Z',
      redemptions: 99,
      status: 'disabled',
    });
    assert.equal(status, 201);
    assert.deepEqual({ ...body, ...terms }, body);
    assert.deepEqual([body.startsAt, body.endsAt], ['2026-11-21T08:00:00.000Z', '2026-12-31T23:59:59.999Z']);
    assert.deepEqual([body.productIds, body.redemptions, body.status], [[one, two].sort(), 0, 'active']);
    const flat = { discountType: 'flat', discountCents: 500, commissionType: 'flat', commissionRate: 99_999_999_999 };
    const changed = (await send('PATCH', `/${body.id}`, flat)).body;
    assert.deepEqual({ ...changed, ...flat, discountRate: null }, changed);
  });

  test('twenty simultaneous creations of one code: one 201, nineteen 409, whatever the case', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => create({ code: index % 2 ? 'RACE-me' : 'race-ME' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)]);
    assert.deepEqual(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)), new Set(['coupon_taken']));
  });

  test('another program may use the same code', async () => {
    await create({ code: 'SHARED' });
    const theirs = await anAffiliate(service, {}, service.foreign);
    assert.equal((await aCoupon(service, { affiliateId: theirs.id, code: 'shared' }, service.foreign)).code, 'shared');
  });

  test('a code is made from the name when none is sent, and simultaneous ones differ', async () => {
    const person = async (firstName: string, lastName: string) => (await anAffiliate(service, { firstName, lastName })).id;
    const made = async (given: Record<string, unknown>) => (await create(given)).body.code;
    assert.equal(await made({ affiliateId: await person('Zoë', 'Q'), discountType: 'percentage', discountRate: 20 }), 'ZOE20');
    assert.equal(await made({ affiliateId: await person('李', 'Wang-Li') }), 'WANGLI10');
    assert.match(await made({ affiliateId: await person('李', '小龙') }), /^[2-9A-Z]{8}10$/);
    assert.equal(await made({ affiliateId: await person('Bo'.repeat(50), 'X') }), `${'BO'.repeat(10)}10`);
    const id = await person('Many', 'Codes');
    const answers = await Promise.all(Array.from({ length: 12 }, () => create({ affiliateId: id })));
    const unique = new Set(answers.map(({ body }) => body.code.toLowerCase()));
    assert.deepEqual([unique.size, new Set(answers.map(({ status }) => status)).size], [12, 1]);
    assert.ok(answers.every(({ body }) => /^MANY10[2-9A-Z]*$/.test(body.code)));
  });

  test('expires at its end, not before, and the list agrees', async () => {
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
    await send('PATCH', `/${body.id}`, { status: 'disabled' });
    assert.deepEqual(await statusOf(), ['disabled', [], []]);
    assert.deepEqual(await codes('search=ends&status=disabled'), ['ENDS']);
    assert.equal((await send('PATCH', `/${body.id}`, { status: 'active', endsAt: null })).body.status, 'active');
  });

  test('the list filters by affiliate and by a literal part of the code, newest first', async () => {
    const { id } = await anAffiliate(service);
    for (const code of ['Find_1', 'FINDx1', 'other']) await create({ affiliateId: id, code });
    assert.deepEqual(await codes(`affiliateId=${id}`), ['other', 'FINDx1', 'Find_1']);
    assert.deepEqual(await codes(`affiliateId=${id}&search=FIND_`), ['Find_1']);
    assert.deepEqual((await send('GET', `?affiliateId=${id}&limit=1&offset=1`)).body.total, 3);
    assert.deepEqual(await codes(`affiliateId=${service.ctx.ids.uuid()}`), []);
    for (const query of ['affiliateId=x', 'status=deleted', 'limit=0', `search=${'x'.repeat(201)}`])
      assert.equal((await send('GET', `?${query}`)).status, 400, query);
  });

  test('a deleted coupon is gone, but its code stays taken', async () => {
    const { body } = await create({ code: 'GONE' });
    const deleted = await send('DELETE', `/${body.id}`);
    assert.deepEqual([deleted.status, deleted.body.id, deleted.body.status], [200, body.id, 'disabled']);
    for (const [method, given] of [['GET'], ['PATCH', { status: 'active' }], ['DELETE']] as const)
      assert.equal((await send(method, `/${body.id}`, given)).status, 404, method);
    assert.deepEqual(await codes('search=gone'), []);
    const again = await create({ code: 'gone' });
    assert.deepEqual([again.status, again.body.code], [409, 'coupon_taken']);
    assert.deepEqual(
      (await auditOf(body.id)).map(({ action }) => action),
      ['coupon.created', 'coupon.deleted'],
    );
  });

  test('five simultaneous deletions: one 200, one audit row', async () => {
    const { body } = await create();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('DELETE', `/${body.id}`)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404]);
    assert.equal((await auditOf(body.id)).length, 2);
  });

  test('a change is audited with what differed; one of nothing is not; code and affiliate never change', async () => {
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
    await send('PATCH', `/${body.id}`, { discountRate: 6, status: 'disabled' });
    assert.deepEqual((await auditOf(body.id)).slice(1), [
      { action: 'coupon.updated', before: { discountRate: 5, status: 'active' }, after: { discountRate: 6, status: 'disabled' } },
    ]);
  });

  test('an affiliate or a product of another program, or none, is 404 naming the field, and nothing is written', async () => {
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
