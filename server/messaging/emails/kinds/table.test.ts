// The kinds of emails that the code knows are those that the database accepts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { emailKindNames } from './table.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service?.close());

test('the database accepts every kind of email, and no other', async () => {
  const { rows } = await service.pool.query<{ check: string }>(
    `select pg_get_constraintdef(oid) as check from pg_constraint where conname = 'emails_kind_known'`,
  );
  const accepted = [...(rows[0]?.check ?? '').matchAll(/'(\w+)'::text/g)].map(([, kind = '']) => kind);
  assert.deepEqual(accepted.toSorted(), [...emailKindNames].sort());
});
