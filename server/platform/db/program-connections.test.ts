import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestService } from '../../../test/support/harness.ts';
import { limitConnectionsPerProgram } from './program-connections.ts';

test("a program's queries use at most a fifth of the connections; the others wait, and other programs don't", async () => {
  const service = await openTestService();
  try {
    const dbOf = limitConnectionsPerProgram(service.pool, 10);
    const lock = async (program: string) => sql`select pg_sleep(0.5)`.execute(dbOf(program));
    const busy = Array.from({ length: 6 }, () => lock('a'));
    await sql`select 1`.execute(dbOf('b'));
    const { rows } = await sql<{ active: number }>`
      select count(*)::int as active from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%' and state = 'active'
    `.execute(dbOf('b'));
    assert.equal(rows[0]?.active, 2);
    await Promise.all(busy);
    await assert.rejects(sql`select nonsense`.execute(dbOf('a')));
    await Promise.all([lock('a'), lock('a')]);
  } finally {
    await service.close();
  }
});

test('a transaction holds one connection of the share and gives it back when it fails', async () => {
  const service = await openTestService();
  try {
    const db = limitConnectionsPerProgram(service.pool, 5)('a');
    for (let turn = 0; turn < 3; turn += 1) {
      await assert.rejects(
        db.transaction().execute(async (trx) => {
          await sql`select 1`.execute(trx);
          throw new Error('undone');
        }),
        /undone/,
      );
    }
    assert.equal((await sql`select 1 as one`.execute(db)).rows.length, 1);
  } finally {
    await service.close();
  }
});
