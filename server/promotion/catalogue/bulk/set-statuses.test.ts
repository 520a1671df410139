// Archiving and restoring several products in the console.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aProduct } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';

describe('archiving several products', () => {
  let service: TestService;
  let dana: TestMember;
  before(async () => {
    service = await openTestService();
    dana = await service.asMember('admin', { name: 'Dana Calder' });
  });
  after(() => service.close());

  const set = (changes: object[]) =>
    dana.request('POST', `/app/programs/${service.program.programId}/products/statuses`, { key: null, body: { changes } });
  const statusOf = async (id: string) => (await service.request('GET', `${service.program.path}/products/${id}`)).body.status;
  const audited = async (id: string) =>
    (await service.pool.query(`select after from audit_log where subject_id = $1 and action = 'product.updated' order by id`, [id])).rows;
  const aProductId = () => aProduct(service);

  test('returns what happened to each of them, and the previous statuses undo it', async () => {
    const [active, draft] = [await aProductId(), await aProduct(service, { status: 'draft' })];
    const foreign = await aProduct(service, {}, service.foreign);
    const { status, body } = await set([active, draft, foreign].map((id) => ({ id, status: 'archived' })));
    assert.equal(status, 200);
    assert.deepEqual(body, {
      changed: 2,
      results: [
        { id: active, outcome: 'changed', previousStatus: 'active' },
        { id: draft, outcome: 'changed', previousStatus: 'draft' },
        { id: foreign, outcome: 'not_found', previousStatus: null },
      ],
    });
    assert.deepEqual([await statusOf(active), await statusOf(draft)], ['archived', 'archived']);
    const { rows } = await service.pool.query('select status from products where id = $1', [foreign]);
    assert.deepEqual(rows, [{ status: 'active' }]);
    assert.deepEqual(await audited(draft), [{ after: { status: 'archived' } }]);
    const undo = body.results
      .slice(0, 2)
      .map(({ id, previousStatus }: { id: string; previousStatus: string | null }) => ({ id, status: previousStatus }));
    assert.equal((await set(undo)).body.changed, 2);
    assert.deepEqual([await statusOf(active), await statusOf(draft)], ['active', 'draft']);
  });

  test('two simultaneous requests in opposite orders change each product once', async () => {
    const ids = [await aProductId(), await aProductId(), await aProductId()];
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
    const id = await aProductId();
    const viewer = await service.asMember('viewer', { name: 'Ana Lopes' });
    const path = `/app/programs/${service.program.programId}/products/statuses`;
    const body = { changes: [{ id, status: 'archived' }] };
    assert.equal((await viewer.request('POST', path, { key: null, body })).status, 403);
    for (const changes of [[], [{ id: 'x', status: 'archived' }], [{ id, status: 'expired' }], Array(201).fill({ id, status: 'active' })])
      assert.equal((await set(changes)).status, 400);
    assert.equal(await statusOf(id), 'active');
  });
});
