// What every benchmark over a real server starts with: one program, its key, and its affiliates, written as rows.
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
  await pool.query(
    `with organization as (insert into organizations (id, name, created_at) values ($1::uuid, 'Bench', now()) returning id),
       program as (
         insert into programs (id, organization_id, name, slug, mode, currency, timezone, website_url, created_at)
         select $1::uuid, id, 'Bench', $2, 'live', 'USD', 'UTC', 'https://brand.example/', now() from organization returning id)
     insert into program_locks (program_id) select id from program`,
    [program, after === 0 ? 'bench' : `bench-${after}`],
  );
  await pool.query(
    `with registered as (insert into api_key_hashes (key_id, program_id, key_hash) values (gen_random_uuid(), $1, $2) returning key_id, program_id)
     insert into api_keys (id, program_id, name, prefix, last_four, scopes, created_at)
     select key_id, program_id, 'Bench', 'trb_live_', 'xxxx', '{read,write}', now() from registered`,
    [program, hashKey(key)],
  );
  await pool.query(
    `with affiliate as (
       insert into affiliates (program_id, id, first_name, last_name, email, email_key, referral_code, status, search, created_at, updated_at)
       select $1, lpad(to_hex(number), 32, '0')::uuid, 'Ada', 'L' || number, number || '@example.com', number || '@example.com',
         'C' || lpad(number::text, 7, '0'), 'active', 'ada l' || number, now(), now()
       from generate_series(${after + 1}, ${after + affiliates}) as number returning program_id, id, status)
     insert into affiliate_figures (program_id, affiliate_id, status) select program_id, id, status from affiliate`,
    [program],
  );
  return key;
}
