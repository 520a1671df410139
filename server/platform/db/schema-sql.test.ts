// `migrations/schema.sql` is what readers and reviewers see of the schema: it must leave nothing out.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { schemaSql } from '../../../scripts/documents/schema-sql.ts';
import { template } from '../../../test/support/harness.ts';
import { connect } from './connect.ts';

describe('migrations/schema.sql', () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const text = readFileSync('migrations/schema.sql', 'utf8');
  let pool: pg.Pool;
  const runAsAdministrator = async (statement: string) => {
    const client = new pg.Client({ ...template(), database: 'postgres' });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  before(async () => {
    await runAsAdministrator(`create database ${name}`);
    pool = connect({ ...template(), database: name, max: 1 });
  });
  after(async () => {
    await pool.end();
    await runAsAdministrator(`drop database ${name} with (force)`);
  });

  test('executed in an empty database, creates the schema that the migrations create', async () => {
    await pool.query('create extension pg_trgm');
    await pool.query(text);
    assert.equal(await schemaSql(pool), text);
  });
});
