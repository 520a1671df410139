// Archiving and restoring several coupons in the console.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';

describe('archiving several coupons', () => {
  let service: TestService;
  let dana: TestMember;
  before(async () => {
    service = await openTestService();
    dana = await service.asMember('admin', { name: 'Dana Calder' });
  });
  after(() => service.close());

  const set = (changes: object[]) =>
    dana.request('POST', `/app/programs/${service.program.programId}/coupons/statuses`, { key: null, body: { changes } });
  const statusOf = async (id: string) => (await service.request('GET', `${service.program.path}/coupons/${id}`)).body.status;
  const audited = async (id: string) =>
    (await service.pool.query(`select after from audit_log where subject_id = $1 and action = 'coupon.updated' order by id`, [id])).rows;
  let serial = 0;
  const aCouponId = async () => {
    serial += 1;
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
    await aCoupon(service, { affiliateId, code: `BULK${serial}` });
    const { rows } = await service.pool.query(`select id from coupons where code = $1`, [`BULK${serial}`]);
    return rows[0].id as string;
  };

  test('returns what happened to each of them, and the previous statuses undo it', async () => {
    const [first, second, unknown] = [await aCouponId(), await aCouponId(), service.ctx.ids.uuid()];
    await service.request('PATCH', `${service.program.path}/coupons/${second}`, { body: { status: 'archived' } });
    const { status, body } = await set([first, second, unknown].map((id) => ({ id, status: 'archived' })));
    assert.equal(status, 200);
    assert.deepEqual(body, {
      changed: 1,
      results: [
        { id: first, outcome: 'changed', previousStatus: 'active' },
        { id: second, outcome: 'unchanged', previousStatus: 'archived' },
        { id: unknown, outcome: 'not_found', previousStatus: null },
      ],
    });
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['archived', 'archived']);
    assert.deepEqual(await audited(first), [{ after: { status: 'archived' } }]);
    const { rows } = await service.pool.query(`select type from events where object_id = $1 and type = 'coupon.disabled'`, [first]);
    assert.equal(rows.length, 1);
    assert.equal((await set([{ id: first, status: 'active' }])).body.changed, 1);
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['active', 'archived']);
  });

  test('two simultaneous requests in opposite orders change each coupon once', async () => {
    const ids = [await aCouponId(), await aCouponId(), await aCouponId()];
    const changes = ids.map((id) => ({ id, status: 'archived' }));
    const answers = await Promise.all([set(changes), set(changes.toReversed()), set(changes)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(
      answers.reduce((sum, { body }) => sum + body.changed, 0),
      3,
    );
    for (const id of ids) assert.equal((await audited(id)).length, 1);
  });

  test('need the permission, and an id and a status that exist', async () => {
    const id = await aCouponId();
    const viewer = await service.asMember('viewer', { name: 'Ana Lopes' });
    const path = `/app/programs/${service.program.programId}/coupons/statuses`;
    const body = { changes: [{ id, status: 'archived' }] };
    assert.equal((await viewer.request('POST', path, { key: null, body })).status, 403);
    for (const changes of [[], [{ id: 'x', status: 'archived' }], [{ id, status: 'expired' }], Array(201).fill({ id, status: 'active' })])
      assert.equal((await set(changes)).status, 400);
    assert.equal(await statusOf(id), 'active');
  });
});
