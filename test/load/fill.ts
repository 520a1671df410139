// Two programs written as rows: one with a large ledger and catalog, and its neighbor.
import type pg from 'pg';
import { generateToken } from '../../server/accounts/identity/sessions/token.ts';
import { generateKey, hashKey } from '../../server/accounts/programs/api-key.ts';
import { type ChainedEntry, genesis, hashEntry } from '../../server/earning/ledger/post.ts';

export type FilledProgram = { programId: string; key: string; affiliateId: string; code: string; path: string };

/** A program with one active affiliate and a key of both scopes. `number` distinguishes programs. */
export async function fillProgram(pool: pg.Pool, number: number): Promise<FilledProgram> {
  const programId = uuidOf(9000 + number);
  const affiliateId = uuidOf(100 + number);
  const code = `LOAD${number}AAA`;
  const key = generateKey('live');
  await pool.query(
    `with organization as (insert into organizations (id, name, created_at) values ($1, 'Load', now()) returning id),
       program as (
         insert into programs (id, organization_id, name, slug, mode, currency, timezone, website_url, created_at)
         select $1, id, 'Load', $2, 'live', 'USD', 'UTC', 'https://brand.example/', now() from organization returning id)
     insert into program_locks (program_id) select id from program`,
    [programId, `load-${number}`],
  );
  await pool.query(
    `with registered as (insert into api_key_hashes (key_id, program_id, key_hash) values (gen_random_uuid(), $1, $2) returning key_id, program_id)
     insert into api_keys (id, program_id, name, prefix, last_four, scopes, created_at)
     select key_id, program_id, 'Load', 'trb_live_', 'xxxx', '{read,write}', now() from registered`,
    [programId, hashKey(key)],
  );
  await insertAffiliate(pool, [programId, affiliateId, 'Ada', 'ada@example.com', code]);
  await pool.query(`insert into referral_codes (code, program_id, affiliate_id) values ($1, $2, $3)`, [code, programId, affiliateId]);
  return { programId, key, affiliateId, code, path: `/v1/programs/${programId}` };
}

/** Entries of March 2026, every third of the program's affiliate and the others of a second one, with a valid hash chain and balances. */
export async function fillLedger(pool: pg.Pool, { programId, affiliateId }: FilledProgram, entries: number): Promise<void> {
  const other = uuidOf(200);
  await insertAffiliate(pool, [programId, other, 'Grace', 'grace@example.com', 'LOADOTHER']);
  let hash: Buffer = genesis;
  for (let from = 1; from <= entries; from += 10_000) {
    const links: (ChainedEntry & { hash: Buffer })[] = [];
    for (let seq = from; seq < from + 10_000 && seq <= entries; seq += 1) {
      const link = linkOf(seq, seq % 3 === 0 ? affiliateId : other);
      hash = hashEntry(hash, link);
      links.push({ ...link, hash });
    }
    await pool.query(
      `insert into ledger_entries (program_id, seq, id, kind, ref, affiliate_id, debit, credit, cents, currency, created_at, hash)
       select $1, seq, id, 'accrue', 'r-' || seq, affiliate, 'commissions', 'pending', cents, 'USD', at, hash
       from unnest($2::uuid[], $3::bigint[], $4::uuid[], $5::bigint[], $6::timestamptz[], $7::bytea[]) as row (affiliate, seq, id, cents, at, hash)`,
      [
        programId,
        links.map((link) => link.affiliateId),
        links.map(({ seq }) => seq),
        links.map(({ id }) => id),
        links.map(({ cents }) => cents),
        links.map(({ createdAt }) => createdAt),
        links.map((link) => link.hash),
      ],
    );
  }
  await pool.query(
    `with total as (select coalesce(sum(cents), 0)::bigint as cents from ledger_entries where program_id = $1),
       balance as (insert into ledger_balances (program_id, affiliate_id, pending_cents)
         select program_id, affiliate_id, sum(cents) from ledger_entries where program_id = $1 group by 1, 2)
     insert into ledger_heads (program_id, seq, hash, commissions_cents) select $1, $2, $3, -cents from total`,
    [programId, entries, hash],
  );
  await pool.query('analyze ledger_entries');
}

/** Active products with descriptions of a few hundred characters. */
export async function fillProducts(pool: pg.Pool, { programId }: FilledProgram, products: number): Promise<void> {
  await pool.query(
    `insert into products (program_id, id, external_id, name, description, price_cents, checkout_url, status, availability, search, created_at, updated_at)
     select $1, ('00000000-0000-7000-8003-' || lpad(to_hex(n), 12, '0'))::uuid, 'p-' || n, 'Product ' || n, repeat('Soft wool, warm. ', 20), 1000 + n,
       'https://shop.example/' || n, 'active', 'in_stock', 'product', now(), now() from generate_series(1, $2::int) as n`,
    [programId, products],
  );
}

/** A signed-in owner of the program's organization, as the Cookie header of its requests. */
export async function fillOwner(pool: pg.Pool, { programId }: FilledProgram): Promise<string> {
  const { token, tokenHash } = generateToken();
  await pool.query(
    `with person as (
       insert into users (id, email, email_key, name, created_at) values ($1, $2, $2, 'Olga', now()) returning id),
     member as (
       insert into organization_members (organization_id, user_id, role, role_since, created_at)
       select organization_id, $1, 'owner', now(), now() from programs where id = $3)
     insert into sessions (id, user_id, token_hash, method, user_agent, ip_prefix, fresh_at, last_seen_at, expires_at, created_at)
     select gen_random_uuid(), id, $4, 'email', '', '', now(), now(), now() + interval '1 hour', now() from person`,
    [uuidOf(300), `olga-${programId}@example.com`, programId, tokenHash],
  );
  return `trb=${token}`;
}

/** Active affiliates with figures, and an event about each. */
export async function fillAffiliates(pool: pg.Pool, { programId }: FilledProgram, affiliates: number): Promise<void> {
  await pool.query(
    `insert into affiliates (program_id, id, first_name, last_name, email, email_key, referral_code, status, search, created_at, updated_at)
     select $1, ('00000000-0000-7000-8005-' || lpad(to_hex(n), 12, '0'))::uuid, 'Name ' || n, 'Loader', 'a' || n || '@example.com',
       'a' || n || '@example.com', 'FILL' || n, 'active', 'name ' || n, now() - n * interval '1 second', now()
     from generate_series(1, $2::int) as n`,
    [programId, affiliates],
  );
  await pool.query(
    `insert into affiliate_figures (program_id, affiliate_id, status)
     select program_id, id, status from affiliates where program_id = $1 on conflict do nothing`,
    [programId],
  );
  await pool.query('analyze affiliates, affiliate_figures');
}

/** An active affiliate and its figures: program, id, first name, email, code. */
async function insertAffiliate(pool: pg.Pool, values: [string, string, string, string, string]): Promise<void> {
  await pool.query(
    `with affiliate as (
       insert into affiliates (program_id, id, first_name, last_name, email, email_key, referral_code, status, search, created_at, updated_at)
       values ($1, $2, $3, 'Loader', $4, $4, $5, 'active', lower($3), now(), now()) returning program_id, id, status)
     insert into affiliate_figures (program_id, affiliate_id, status) select program_id, id, status from affiliate`,
    values,
  );
}

function linkOf(seq: number, affiliateId: string): ChainedEntry {
  return {
    seq,
    id: `00000000-0000-7000-8004-${seq.toString(16).padStart(12, '0')}`,
    kind: 'accrue',
    ref: `r-${seq}`,
    affiliateId,
    commissionId: null,
    debit: 'commissions',
    credit: 'pending',
    cents: 100 + (seq % 900),
    currency: 'USD',
    createdAt: new Date(Date.UTC(2026, 2, 1) + seq * 50),
  };
}

function uuidOf(number: number): string {
  return `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}
