// `migrations/schema.sql` is what readers and reviewers see of the schema: it must leave nothing out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type pg from 'pg';
import { schemaSql } from '../../../scripts/documents/schema-sql.ts';
import { emptyDatabase } from '../../../test/support/harness.ts';
import { connect } from './connect.ts';

describe('migrations/schema.sql', () => {
  const text = readFileSync('migrations/schema.sql', 'utf8');
  let pool: pg.Pool;
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  before(async () => {
    database = await emptyDatabase();
    pool = connect({ ...database.connection, max: 1 });
  });
  after(async () => {
    await pool.end();
    await database.drop();
  });

  test('executed in an empty database, creates the schema that the migrations create', async () => {
    await pool.query('create extension pg_trgm');
    await pool.query(text);
    assert.equal(await schemaSql(pool), text);
  });
});
