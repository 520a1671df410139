// A program with payees to whom something is due, written as rows: what happened before is not measured.
import type pg from 'pg';
import { typedQueries } from '../server/db/connect.ts';
import { databaseMark } from '../server/db/mark.ts';
import type { Vault } from '../server/lib/vault.ts';
import { hashKey, makeKey } from '../server/programs/api-key.ts';
import { externalSecret } from '../test/rails/external.ts';

const program = '00000000-0000-7000-8000-000000000001';
const provider = '00000000-0000-7000-8000-000000000002';

type Filling = { items: number; vault: Vault; railUrl: string };

export async function fillPayees(pool: pg.Pool, { items, vault, railUrl }: Filling): Promise<{ path: string; key: string }> {
  const key = makeKey('live');
  await pool.query(
    `insert into programs (id, name, slug, mode, currency, timezone, website_url, created_at)
     values ($1, 'Bench', 'bench', 'live', 'USD', 'UTC', 'https://brand.example/', now())`,
    [program],
  );
  const mark = await databaseMark({ db: typedQueries(pool) });
  await pool.query(`insert into payout_safety (program_id, database_mark, seen_at) values ($1, $2, now())`, [program, mark]);
  await pool.query(
    `insert into api_keys (id, program_id, key_hash, name, prefix, last_four, scopes, created_at)
     values (gen_random_uuid(), $1, $2, 'Bench', 'trb_live_', 'xxxx', '{read,write}', now())`,
    [program, hashKey(key)],
  );
  const secrets = vault.seal(JSON.stringify({ signingSecret: externalSecret }), `providers:${provider}`);
  await pool.query(
    `insert into providers (program_id, id, kind, type, name, status, is_default, mode, currencies, config, secrets, created_at, updated_at)
     values ($1, $2, 'payout', 'external_webhook', 'Bank', 'connected', true, 'live', '{USD}', $3, $4, now(), now())`,
    [program, provider, { url: railUrl, supportsList: true }, secrets],
  );
  await fillPeople(pool, items);
  const ids = Array.from({ length: items }, (_, index) =>
    (index + 1)
      .toString(16)
      .padStart(32, '0')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  );
  const sealed = ids.map((id) => vault.seal(JSON.stringify({ method: 'external', account: `acct-${id}` }), `payout_details:${id}`));
  await pool.query(
    `insert into payout_details (program_id, affiliate_id, method, sealed, fingerprint, usable_from, created_at, updated_at)
     select $1, id, 'external', sealed, id::text, now(), now(), now() from unnest($2::uuid[], $3::bytea[]) as detail (id, sealed)`,
    [program, ids, sealed],
  );
  await pool.query('vacuum analyze');
  return { path: `/v1/programs/${program}`, key };
}

/** Three commissions of each, matured and unpaid. */
async function fillPeople(pool: pg.Pool, items: number): Promise<void> {
  await pool.query(
    `insert into affiliates (program_id, id, first_name, last_name, email, email_key, referral_code, status, search, created_at, updated_at)
     select $1, lpad(to_hex(number), 32, '0')::uuid, 'Ada', 'L' || number, number || '@example.com', number || '@example.com',
       'C' || lpad(number::text, 7, '0'), 'active', 'ada l' || number, now(), now()
     from generate_series(1, ${items}) as number`,
    [program],
  );
  await pool.query(`insert into affiliate_counts (program_id, status, affiliates) values ($1, 'active', $2)`, [program, items]);
  await pool.query(
    `insert into commissions (program_id, id, affiliate_id, amount_cents, kind, status, currency, reason, matures_at, created_at, updated_at)
     select $1, gen_random_uuid(), id, 5000 + part, 'bonus', 'approved', 'USD', 'bench', now(), now(), now()
     from affiliates cross join generate_series(1, 3) as part`,
    [program],
  );
  await pool.query(
    `insert into commission_events (program_id, id, commission_id, step, from_status, to_status, actor_kind, actor_id, created_at)
     select program_id, gen_random_uuid(), id, 1, null, 'approved', 'command', 'bench', now() from commissions`,
  );
}
