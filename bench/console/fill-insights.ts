// A program for the benchmark of Insights, written as rows.
import type pg from 'pg';
import { fillProgram } from '../fill.ts';

const affiliates = 5000;
/** Orders per click. */
const rate = 0.1;

const idOf = (prefix: string, n = 'n') => `('${prefix}' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const clickId = (n: string) => idOf('00000000-0000-7000-8005-', n);
const orderId = idOf('00000000-0000-7000-8001-');
const affiliateId = `lpad(to_hex(1 + (n * 7919) % ${affiliates}), 32, '0')::uuid`;
const agents = `array['Mozilla/5.0 (iPhone) Mobile', 'Mozilla/5.0 (Windows NT 10.0)', 'Mozilla/5.0 (Linux; Android 14) Mobile',
  'Mozilla/5.0 (iPad)']`;
const countries = "array['US', 'DE', 'GB', 'FR', null, 'NL', 'CA', 'AT']";
const filled = ['clicks', 'conversions', 'conversion_summaries', 'commissions'];

/** Clicks of 5,000 links, 1,000 sub IDs, 8 countries, 200 sources and 20 landing pages; every tenth leads to an order. */
export async function fillInsights(pool: pg.Pool, program: string, clicks: number): Promise<void> {
  await fillProgram(pool, program, affiliates);
  const orders = Math.floor(clicks * rate);
  const at = (rows: number) => `now() - interval '365 days' * (1 - n::float8 / ${rows})`;
  for (const table of filled) await pool.query(`alter table ${table} disable trigger all`);
  await pool.query(`
    insert into ledger_heads (program_id, seq, hash) values ('${program}', 0, '\\x00');
    insert into clicks (program_id, id, affiliate_id, slug, sub_ids, country, referrer_host, destination, agent, created_at)
    select '${program}', ${clickId('n')}, ${affiliateId}, 'c' || n % ${affiliates}, array['s' || n % 1000], (${countries})[1 + n % 8],
      'site' || n % 200 || '.example', 'https://brand.example/p' || n % 20 || '?x=' || n % 7, (${agents})[1 + n % 4], ${at(clicks)}
    from generate_series(1, ${clicks}::bigint) as n`);
  await pool.query(`
    insert into conversions (program_id, id, affiliate_id, order_id, amount_cents, created_at, currency, occurred_at, method, facts, decision,
      cap_cents, click_id, sub_id)
    select '${program}', ${orderId}, ${affiliateId}, 'o-' || n, 5000 + n % 900, ${at(orders)}, 'USD', ${at(orders)}, 'click', '{}', '{}', 5000,
      ${clickId(`n * ${Math.round(1 / rate)}`)}, 's' || n % 1000 from generate_series(1, ${orders}::bigint) as n;
    insert into conversion_summaries (program_id, id, affiliate_id, status, method, has_conflict, amount_cents, commission_cents, occurred_at, created_at)
    select program_id, id, affiliate_id, 'approved', 'click', false, amount_cents, 500, occurred_at, created_at from conversions;
    insert into commissions (program_id, id, conversion_id, affiliate_id, amount_cents, created_at, status, currency, type, rate, source,
      positions, base_cents, matures_at, updated_at, product_id)
    select '${program}', ${idOf('00000000-0000-7000-8002-')}, ${orderId}, ${affiliateId}, 500, ${at(orders)}, 'approved', 'USD', 'percentage', 10,
      'rule', '{0}', 5000, ${at(orders)}, ${at(orders)}, ${idOf('00000000-0000-7000-8009-', '1 + n % 300')}
    from generate_series(1, ${orders}::bigint) as n`);
}
