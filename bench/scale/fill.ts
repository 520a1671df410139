// A program with a million orders in all states, and five million clicks.
import type pg from 'pg';
import { generateKey, hashKey } from '../../server/accounts/programs/api-key.ts';
import { program } from '../conversions-script.ts';
import { cents, fill as fillOrders, type States } from '../verify.ts';

/** A day in the middle of the data. */
export const day = { from: '2026-01-03T00:00:00.000Z', to: '2026-01-04T00:00:00.000Z' };

type Size = { orders: number; clicks: number };

/** Writes the rows and returns an API key of the program. */
export async function fillScale(pool: pg.Pool, { orders, clicks }: Size): Promise<string> {
  await fillOrders(pool, orders, states);
  await pool.query(setBalances);
  await addClicks(pool, clicks);
  await pool.query(countClicks);
  const key = generateKey('live');
  await pool.query(
    `with registered as (insert into api_key_hashes (key_id, program_id, key_hash) values (gen_random_uuid(), $1, $2) returning key_id, program_id)
     insert into api_keys (id, program_id, name, prefix, last_four, scopes, created_at)
     select key_id, program_id, 'Bench', 'trb_live_', 'xxxx', '{read,write}', now() from registered`,
    [program, hashKey(key)],
  );
  await pool.query('vacuum analyze');
  return key;
}

/** Most orders are approved, an eighth of them paid, a twentieth pending, a few held or in conflict. */
const states: States = {
  status: `case when n % 20 = 0 then 'pending' when n % 500 = 1 then 'held' when n % 8 = 3 then 'paid' else 'approved' end`,
  hasConflict: 'n % 100 = 7',
  settledCents: `case when n % 20 <> 0 and n % 500 <> 1 and n % 8 = 3 then ${cents} else 0 end`,
  maturesAt: `case when n % 20 = 0 then now() + interval '20 days' else timestamptz '2026-02-01' end`,
};

/** The balances that follow from the states. The ledger itself says that everything is pending. */
const setBalances = `
  update ledger_balances as balance set pending_cents = sums.pending, available_cents = sums.available, paid_cents = sums.paid from (
    select affiliate_id, coalesce(sum(amount_cents) filter (where status in ('pending', 'held')), 0) as pending,
      coalesce(sum(amount_cents) filter (where status = 'approved'), 0) as available,
      coalesce(sum(amount_cents) filter (where status = 'paid'), 0) as paid from commissions group by 1
  ) as sums where sums.affiliate_id = balance.affiliate_id`;

/** Clicks are part of the totals of their affiliates and days, and affiliates have the text that searches look at. */
const countClicks = `
  update affiliates as affiliate set clicks = counted.clicks, search = lower('ada l' || ltrim(right(id::text, 12), '0') || ' ' || email || ' ' || referral_code)
    from (select program_id, affiliate_id, count(*) as clicks from clicks group by 1, 2) as counted
    where counted.program_id = affiliate.program_id and counted.affiliate_id = affiliate.id;
  update affiliate_figures as figure set clicks = affiliate.clicks
    from affiliates as affiliate where affiliate.program_id = figure.program_id and affiliate.id = figure.affiliate_id;
  insert into daily_totals as total (program_id, day, affiliate_id, clicks)
    select program_id, (created_at at time zone 'UTC')::date, affiliate_id, count(*) from clicks group by 1, 2, 3
    on conflict (program_id, day, affiliate_id) do update set clicks = excluded.clicks`;

async function addClicks(pool: pg.Pool, clicks: number): Promise<void> {
  // The rows refer to each other as they should: checking that would take longer than everything else.
  await pool.query('alter table clicks disable trigger all');
  await pool.query(
    `insert into clicks (program_id, id, affiliate_id, slug, visitor_id, agent, reason, action, created_at)
     select $1, ('00000000-0000-7000-8005-' || lpad(to_hex(n), 12, '0'))::uuid, lpad(to_hex(1 + (n * 7919) % 5000), 32, '0')::uuid, 'c', md5(n::text),
       'Mozilla/5.0', case when n % 200 = 0 then 'bot' end, case when n % 200 = 0 then 'record_flagged' end,
       timestamptz '2026-01-01' + n * interval '0.2 s'
     from generate_series(1, ${clicks}::bigint) as n`,
    [program],
  );
  await pool.query('alter table clicks enable trigger all');
}
