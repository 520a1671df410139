// A big program among many small ones, written set by set in SQL in the form the service writes.
import type pg from 'pg';

export const bigProgram = '00000000-0000-7000-8000-000000000001';
export const smallProgram = '00000000-0000-7000-9000-000000000007';

const names = `
  create temporary table syllables as
    select row_number() over () - 1 as number, syllable
    from unnest(string_to_array('ba be co da el fi ga ho in jo ka le ma na or pe ra sa ta vi', ' ')) as syllable;
  create temporary table names as
    select a.number * 400 + b.number * 20 + c.number as number, initcap(a.syllable || b.syllable || c.syllable) as name
    from syllables a, syllables b, syllables c;
  create unique index on names (number);
  analyze names;`;

const programs = `
  insert into organizations (id, name, created_at) values ('${bigProgram}', 'Bench', '2026-01-01');
  insert into programs (id, organization_id, name, slug, mode, currency, timezone, created_at)
  select case number when 0 then '${bigProgram}'::uuid else ('00000000-0000-7000-9000-' || lpad(number::text, 12, '0'))::uuid end, '${bigProgram}',
    'Program ' || number, 'program-' || number, 'live', 'USD', 'UTC', '2026-01-01'
  from generate_series(0, 1000) as number;`;

/** `$1` rows; the program of a row is `program`. Mixed statuses, five mail domains, one row a second. */
const affiliates = (program: string, offset: number) => `
  insert into affiliates (program_id, id, first_name, last_name, email, email_key, referral_code, status, search, created_at, updated_at)
  select program_id, id, first, last, email, email, code, status,
    lower(first || ' ' || last) || E'\\x1f' || email || E'\\x1f' || lower(code), created_at, created_at
  from (
    select ${program} as program_id, lpad(to_hex(${offset} + series.number), 32, '0')::uuid as id, first.name as first, last.name as last,
      lower(first.name || '.' || last.name) || series.number || '@' || (array['gmail.com', 'example.com', 'yahoo.com', 'mail.test', 'shop.test'])[1 + series.number % 5] as email,
      upper(substr(md5((${offset} + series.number)::text), 1, 8)) as code,
      (array['active', 'active', 'active', 'active', 'active', 'active', 'active', 'pending', 'suspended', 'archived'])[1 + series.number % 10] as status,
      timestamptz '2026-01-01' + series.number * interval '1 s' as created_at
    from generate_series(1, $1::int) as series (number)
      join names first on first.number = (series.number * 7919::bigint) % 500
      join names last on last.number = (series.number * 104729::bigint) % 8000
  ) as row;`;

/** Figures of all affiliates: one in ten has sales, and most have clicks. */
const figures = `
  insert into affiliate_figures (program_id, affiliate_id, status, clicks, conversions, sales_cents, commission_cents, balance_cents, last_sale_at,
    page_state, has_payout_details)
  select program_id, id, status, clicks, conversions, conversions * 4900, conversions * 490, case when number % 30 = 0 then conversions * 490 else 0 end,
    case when conversions = 0 then '-infinity' else timestamptz '2026-01-01' + number % 300 * interval '1 day' end,
    case when number % 50 = 0 then 'live' else 'none' end, number % 3 = 0
  from (
    select program_id, id, status, number, number * 7919 % 1000 as clicks, case when number % 10 = 0 then number * 31 % 200 else 0 end as conversions
    from (select program_id, id, status, row_number() over (order by id) as number from affiliates) as numbered
  ) as invented;`;

/** Drops the indexes that no constraint needs: building them afterwards is several times faster. Returns how to build them. */
async function dropIndexes(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename in ('affiliates', 'affiliate_figures') and indexdef not like 'CREATE UNIQUE%'`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}

/** Fills a migrated database and returns the seconds it took. */
export async function load(client: pg.Client, rows: number): Promise<number> {
  const started = performance.now();
  await client.query(names);
  await client.query(programs);
  const restoreIndexes = await dropIndexes(client);
  await client.query(affiliates(`'${bigProgram}'::uuid`, 0), [rows]);
  const spread = `('00000000-0000-7000-9000-' || lpad((1 + series.number % 1000)::text, 12, '0'))::uuid`;
  await client.query(affiliates(spread, 10_000_000), [100_000]);
  await client.query(figures, []);
  await restoreIndexes();
  await client.query(`insert into affiliate_counts select program_id, status, count(*) from affiliates group by 1, 2`);
  await client.query('vacuum analyze');
  return (performance.now() - started) / 1000;
}
