import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestService } from '../../../test/support/harness.ts';
import { limitConnectionsPerProgram } from './program-connections.ts';

test("a program's queries use at most a fifth of the connections; further ones wait, but other programs do not", async () => {
  const service = await openTestService();
  try {
    const getDatabase = limitConnectionsPerProgram(() => service.pool, 10);
    const sleep = async (program: string) => sql`select pg_sleep(0.5)`.execute(getDatabase(program));
    let isBusy = true;
    const busy = Promise.all(Array.from({ length: 6 }, () => sleep('a'))).finally(() => {
      isBusy = false;
    });
    let most = 0;
    while (isBusy) {
      const { rows } = await sql<{ active: number }>`
        select count(*)::int as active from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%' and state = 'active'
      `.execute(getDatabase('b'));
      most = Math.max(most, rows[0]?.active ?? 0);
    }
    assert.equal(most, 2);
    await busy;
    await assert.rejects(sql`select nonsense`.execute(getDatabase('a')));
    await Promise.all([sleep('a'), sleep('a')]);
  } finally {
    await service.close();
  }
});

test('a transaction uses one connection of the share and releases it when it fails', async () => {
  const service = await openTestService();
  try {
    const db = limitConnectionsPerProgram(() => service.pool, 5)('a');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await assert.rejects(
        db.transaction().execute(async (trx) => {
          await sql`select 1`.execute(trx);
          throw new Error('failed');
        }),
        /failed/,
      );
    }
    assert.equal((await sql`select 1 as one`.execute(db)).rows.length, 1);
  } finally {
    await service.close();
  }
});
