// A program with payees to whom something is due, written as rows: what happened before is not measured.
import type pg from 'pg';
import { typedQueries } from '../../server/platform/db/connect.ts';
import { readDatabaseIdentity } from '../../server/platform/db/database-identity.ts';
import type { Vault } from '../../server/platform/secrets/vault.ts';
import { externalSecret } from '../../test/support/rails/external.ts';
import { fillProgram } from '../fill.ts';

const program = '00000000-0000-7000-8000-000000000001';
const provider = '00000000-0000-7000-8000-000000000002';

type Filling = { items: number; vault: Vault; railUrl: string };

export async function fillPayees(pool: pg.Pool, { items, vault, railUrl }: Filling): Promise<{ path: string; key: string }> {
  const key = await fillProgram(pool, program, items);
  const mark = await readDatabaseIdentity({ db: typedQueries(pool) });
  await pool.query(`insert into payout_safety (program_id, database_mark, seen_at) values ($1, $2, now())`, [program, mark]);
  const secrets = vault.encrypt(JSON.stringify({ signingSecret: externalSecret }), `providers:${provider}`);
  await pool.query(
    `insert into providers (program_id, id, kind, type, name, status, is_default, mode, currencies, config, secrets, created_at, updated_at)
     values ($1, $2, 'payout', 'external_webhook', 'Bank', 'connected', true, 'live', '{USD}', $3, $4, now(), now())`,
    [program, provider, { url: railUrl, supportsList: true }, secrets],
  );
  await fillDue(pool, items);
  const ids = Array.from({ length: items }, (_, index) =>
    (index + 1)
      .toString(16)
      .padStart(32, '0')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  );
  const sealed = ids.map((id) => vault.encrypt(JSON.stringify({ method: 'external', account: `acct-${id}` }), `payout_details:${id}`));
  await pool.query(
    `insert into payout_details (program_id, affiliate_id, method, sealed, fingerprint, usable_from, created_at, updated_at)
     select $1, id, 'external', sealed, id::text, now(), now(), now() from unnest($2::uuid[], $3::bytea[]) as detail (id, sealed)`,
    [program, ids, sealed],
  );
  await pool.query('vacuum analyze');
  return { path: `/v1/programs/${program}`, key };
}

/** Three commissions of each, matured and unpaid. */
async function fillDue(pool: pg.Pool, items: number): Promise<void> {
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
  await pool.query(`insert into ledger_balances (program_id, affiliate_id, available_cents)
      select program_id, affiliate_id, sum(amount_cents) from commissions group by 1, 2;
    insert into owed_commissions select program_id, affiliate_id, count(*) from commissions group by 1, 2`);
}
