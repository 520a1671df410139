import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

let service: TestService;

before(async () => {
  service = await openTestService();
});
after(() => service.close());

const dispatch = '/payouts/dispatch';

test('a member who can move money needs a second factor for sensitive operations, and for nothing else', async () => {
  const owner = await service.asMember('owner', { hasPasskey: false });
  const { path } = service.program;
  const denied = await owner.request('POST', path + dispatch, { body: {} });
  assert.deepEqual([denied.status, denied.body.code], [403, 'second_factor_required']);
  assert.equal((await owner.request('GET', `${path}/affiliates`)).status, 200);
  assert.equal((await owner.request('POST', `${path}/groups`, { body: { name: 'Gold' } })).status, 201);
  const finance = await service.asMember('finance');
  assert.equal((await finance.request('POST', path + dispatch, { body: {} })).status, 422);
});

test('a passkey that was removed, or an app that was not confirmed, is no second factor', async () => {
  const finance = await service.asMember('finance');
  await service.ctx.db.deleteFrom('passkeys').where('userId', '=', finance.userId).execute();
  const row = { userId: finance.userId, secret: Buffer.from('x'), createdAt: service.clock.now() };
  await service.ctx.db.insertInto('secondFactors').values(row).execute();
  const denied = await finance.request('POST', service.program.path + dispatch, { body: {} });
  assert.equal(denied.body.code, 'second_factor_required');
  await service.ctx.db
    .updateTable('secondFactors')
    .set({ confirmedAt: service.clock.now() })
    .where('userId', '=', finance.userId)
    .execute();
  assert.equal((await finance.request('POST', service.program.path + dispatch, { body: {} })).status, 422);
});
