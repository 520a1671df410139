import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { conflicts, foreignKeyFields, isUnvalidatedInput, toApiError } from './constraints.ts';
import { transact } from './transact.ts';

const failure = (code: string, constraint?: string) => Object.assign(new Error('select secret from pg_catalog'), { code, constraint });

describe('database errors', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  test('every mapped constraint or unique index exists and has the expected type', async () => {
    const { rows } = await service.pool.query<{ conname: string; contype: string }>(`
      select conname, contype::text from pg_constraint
      union all
      select indexrelid::regclass::text, 'u' from pg_index where indisunique and indpred is not null`);
    const kinds = new Map(rows.map(({ conname, contype }) => [conname, contype]));
    for (const name of Object.keys(conflicts)) assert.match(kinds.get(name) ?? 'missing', /^[pu]$/, name);
    for (const name of Object.keys(foreignKeyFields)) assert.equal(kinds.get(name), 'f', name);
  });

  for (const [code, status] of [
    ['40001', 503],
    ['40P01', 503],
    ['55P03', 503],
    ['57014', 503],
    ['57P01', 503],
    ['53300', 503],
    ['08006', 503],
    ['ECONNREFUSED', 503],
    ['ENOENT', 503],
    ['22021', 400],
    ['22P02', 400],
    ['54000', 400],
  ] as const) {
    test(`${code} results in ${status} with a message that contains no SQL`, () => {
      const response = toApiError(failure(code));
      assert.equal(response?.status, status);
      assert.ok(!/select|pg_/.test(response?.message ?? ''));
      assert.equal(response?.retryAfterSeconds, status === 503 ? 1 : undefined);
      assert.equal(isUnvalidatedInput(failure(code)), status === 400);
    });
  }

  test('a cluster names the constraint in the message only, with the number of a shard', () => {
    const message = 'duplicate key value violates unique constraint "affiliates_email_unique_102060"';
    const ofShard = Object.assign(new Error(message), { code: '23505' });
    assert.deepEqual([toApiError(ofShard)?.status, toApiError(ofShard)?.code], [409, 'email_taken']);
    const reference = 'insert or update on table "affiliates_102061" violates foreign key constraint "affiliates_group_fkey_102061"';
    assert.equal(toApiError(Object.assign(new Error(reference), { code: '23503' }))?.status, 404);
  });

  test('a constraint that no request should violate is a bug, not a 409', () => {
    for (const [code, constraint] of [
      ['23505', 'emails_once_per_change'],
      ['23503', 'emails_audit_fkey'],
      ['23514', 'affiliates_status_known'],
      ['42P01', undefined],
    ] as const) {
      assert.equal(toApiError(failure(code, constraint)), null);
    }
  });

  test('after a deadlock the transaction is repeated, and both complete', async () => {
    const { programId } = service.program;
    let attempts = 0;
    let arrived = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    /** Waits until both transactions hold their first lock. Repeated ones don't wait. */
    const meet = (): Promise<void> => {
      arrived += 1;
      if (arrived === 2) bothHoldOne.resolve();
      return bothHoldOne.promise;
    };
    const lockInOrder = (first: string, second: string, hasOpponent = true) =>
      transact(service.ctx, async (tx) => {
        attempts += 1;
        const now = tx.clock.now();
        for (const name of [first, second]) {
          const values = { programId, id: tx.ids.uuid(), name, nameKey: name, status: 'active', createdAt: now, updatedAt: now };
          await tx.db
            .insertInto('groups')
            .values(values)
            .onConflict((conflict) => conflict.columns(['programId', 'nameKey']).doUpdateSet({ name }))
            .execute();
          if (name === first && hasOpponent) await meet();
        }
      });
    await lockInOrder('x', 'y', false);
    await Promise.all([lockInOrder('x', 'y'), lockInOrder('y', 'x')]);
    assert.ok(attempts > 3, `${attempts} attempts`);
  });
});
