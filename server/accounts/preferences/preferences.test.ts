import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
let dana: TestMember;
let tom: TestMember;
let base: string;
before(async () => {
  service = await openTestService();
  [dana, tom] = [await service.asMember('viewer'), await service.asMember('reviewer')];
  base = `/app/programs/${service.program.programId}/saved-views`;
});
after(() => service.close());

describe('preferences', () => {
  test('are stored by user and screen', async () => {
    const affiliates = { columns: ['name', 'status'], density: 'compact' };
    await dana.request('PATCH', '/app/preferences', { body: { preferences: { affiliates, overview: { range: 30 } } } });
    const changed = await dana.request('PATCH', '/app/preferences', { body: { preferences: { overview: null } } });
    assert.deepEqual([changed.status, changed.body], [200, { preferences: { affiliates } }]);
    assert.deepEqual((await dana.request('GET', '/app/preferences')).body, { preferences: { affiliates } });
    assert.deepEqual((await tom.request('GET', '/app/preferences')).body, { preferences: {} });
    const long = { preferences: { affiliates: { text: 'x'.repeat(9_000) } } };
    assert.equal((await dana.request('PATCH', '/app/preferences', { body: long })).status, 400);
  });
});

describe('saved views', () => {
  test('are private unless shared, and changed by the member who saved them only', async () => {
    const view = { screen: 'affiliates', name: 'Creators', state: { filter: { tags: ['creator'] } } };
    const { body: created, status } = await dana.request('POST', base, { body: view });
    assert.equal(status, 201);
    const seenBy = async (member: TestMember) => (await member.request('GET', `${base}?screen=affiliates`)).body.savedViews;
    assert.deepEqual([(await seenBy(dana)).length, (await seenBy(tom)).length], [1, 0]);
    await dana.request('PATCH', `${base}/${created.id}`, { body: { isShared: true } });
    assert.deepEqual(
      (await seenBy(tom)).map(({ name, isOwn }: { name: string; isOwn: boolean }) => [name, isOwn]),
      [['Creators', false]],
    );
    assert.equal((await tom.request('DELETE', `${base}/${created.id}`)).body.code, 'not_the_author');
    assert.equal((await dana.request('DELETE', `${base}/${created.id}`)).status, 200);
    assert.deepEqual(await seenBy(dana), []);
  });
});
