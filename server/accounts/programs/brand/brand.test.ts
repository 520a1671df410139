import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { defaultDisclosure } from './brand.ts';

describe('the brand of a program', () => {
  let service: TestService;
  let owner: TestMember;
  before(async () => {
    service = await openTestService();
    owner = await service.asMember('owner');
  });
  after(() => service.close());

  const path = () => `/app/programs/${service.program.programId}/brand`;
  const update = async (body: object) => {
    const answer = await owner.request('PATCH', path(), { body });
    return { ...answer, fields: answer.body };
  };

  test('has a disclosure before anything was set', async () => {
    const { status, body } = await owner.request('GET', path());
    assert.deepEqual([status, body.disclosure, body.restrictedPhrases, body.color], [200, defaultDisclosure, [], null]);
  });

  test('changes the sent fields only, with one audit entry for each change', async () => {
    assert.equal((await update({ color: '#0b5f59', restrictedPhrases: ['cures', 'cures', ' '] })).status, 200);
    const { fields } = await update({ disclaimer: 'No medical advice.' });
    assert.deepEqual([fields.color, fields.restrictedPhrases, fields.disclaimer], ['#0B5F59', ['cures'], 'No medical advice.']);
    await update({ disclaimer: 'No medical advice.' });
    const { rows } = await service.pool.query(`select after from audit_log where action = 'brand.updated' order by created_at, id`);
    assert.deepEqual(
      rows.map(({ after }) => Object.keys(after)),
      [['color', 'restrictedPhrases'], ['disclaimer']],
    );
  });

  test('never loses its disclosure', async () => {
    assert.equal((await update({ disclosure: 'Ad. {affiliate} is paid.' })).fields.disclosure, 'Ad. {affiliate} is paid.');
    assert.equal((await update({ disclosure: '' })).fields.disclosure, defaultDisclosure);
    await update({ disclosure: 'Ad.' });
    assert.equal((await update({ disclosure: null })).fields.disclosure, defaultDisclosure);
  });

  test('accepts no color or address that a page could not show safely', async () => {
    for (const body of [{ color: 'red' }, { color: '#fff' }, { color: '#000000;}' }, { logoUrl: 'javascript:alert(1)' }])
      assert.equal((await update(body)).status, 400, JSON.stringify(body));
  });
});
