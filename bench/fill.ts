// What every benchmark over a real server starts with: one program, its key, and its affiliates, written as rows.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { generateKey, hashKey } from '../server/accounts/programs/api-key.ts';

/** The code of an affiliate, by its number. */
export function codeOf(number: number): string {
  return `C${String(number).padStart(7, '0')}`;
}

/** Several programs, each with this many affiliates. Returns their ids and keys. */
export async function fillPrograms(pool: pg.Pool, { programs, affiliates }: { programs: number; affiliates: number }) {
  const filled: { id: string; key: string }[] = [];
  for (let number = 0; number < programs; number += 1) {
    const id = `00000000-0000-7000-8000-${(number + 1).toString(16).padStart(12, '0')}`;
    filled.push({ id, key: await fillProgram(pool, id, affiliates, number * affiliates) });
  }
  return filled;
}

/**
 * The program with affiliates 1 to `affiliates`, or from a later number, whose ids are those numbers in hex. Returns a key of
 * both scopes.
 */
export async function fillProgram(pool: pg.Pool, program: string, affiliates: number, after = 0): Promise<string> {
  const key = generateKey('live');
  const keyId = randomUUID();
  const numbers = `generate_series(${after + 1}, ${after + affiliates}) as number`;
  await pool.query(`insert into organizations (id, name, created_at) values ($1, 'Bench', now())`, [program]);
  await pool.query(
    `insert into programs (id, organization_id, name, slug, mode, currency, timezone, website_url, created_at)
     values ($1, $1, 'Bench', $2, 'live', 'USD', 'UTC', 'https://brand.example/', now())`,
    [program, after === 0 ? 'bench' : `bench-${after}`],
  );
  await pool.query('insert into program_locks (program_id) values ($1)', [program]);
  await pool.query('insert into api_key_hashes (key_id, program_id, key_hash) values ($1, $2, $3)', [keyId, program, hashKey(key)]);
  await pool.query(
    `insert into api_keys (id, program_id, name, prefix, last_four, scopes, created_at)
     values ($1, $2, 'Bench', 'trb_live_', 'xxxx', '{read,write}', now())`,
    [keyId, program],
  );
  await pool.query(
    `insert into affiliates (program_id, id, first_name, last_name, email, email_key, referral_code, status, search, created_at, updated_at)
     select $1, lpad(to_hex(number), 32, '0')::uuid, 'Ada', 'L' || number, number || '@example.com', number || '@example.com',
       'C' || lpad(number::text, 7, '0'), 'active', 'ada l' || number, now(), now() from ${numbers}`,
    [program],
  );
  await pool.query(
    `insert into affiliate_figures (program_id, affiliate_id, status) select $1, lpad(to_hex(number), 32, '0')::uuid, 'active' from ${numbers}`,
    [program],
  );
  return key;
}

/** Programs as `fillPrograms`, whose affiliates have short links and earn 10 percent. Returns their keys. */
export async function fillRules(pool: pg.Pool, given: { programs: number; affiliates: number }): Promise<string[]> {
  const filled = await fillPrograms(pool, given);
  await pool.query(
    `insert into short_links (program_id, slug, affiliate_id, kind) select program_id, lower(referral_code), id, 'code' from affiliates`,
  );
  for (const { id } of filled) {
    await pool.query(
      `insert into commission_rules (program_id, id, name, status, level, terms, version, search, created_at, updated_at)
       values ($1, $2, 'All affiliates', 'active', 1, '{"type": "percentage", "rate": 10}', 1, 'all affiliates', now(), now())`,
      [id, rule],
    );
    await pool.query(
      `insert into commission_rule_versions (program_id, rule_id, version, rule, valid_from, created_at) values ($1, $2, 1, '{}', now(), now())`,
      [id, rule],
    );
  }
  return filled.map(({ key }) => key);
}

const rule = '00000000-0000-7000-8000-00000000000a';
