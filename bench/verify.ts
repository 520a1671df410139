// How long `tributary verify` takes over a million conversions: every invariant, and every hash of the chain.

import { sql } from 'kysely';
import type pg from 'pg';
import { openTemporaryDatabase } from '../scripts/temporary-database.ts';
import { countRowsOfCommissions, countRowsOwed } from '../server/earning/commissions/counts.ts';
import { countRowsOfLedger } from '../server/earning/ledger/entry-counts.ts';
import { genesis, hashEntry } from '../server/earning/ledger/post.ts';
import { sumSummaries } from '../server/earning/orders/totals.ts';
import { checkInvariants } from '../server/operations/verify/invariants.ts';
import { connect, typedQueries } from '../server/platform/db/connect.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { recordedValues } from '../server/platform/db/recorded-values.ts';
import { program } from './conversions-script.ts';

const leastConversions = 1_000_000;
const mostSeconds = 10;
const affiliates = 5000;
const rule = '00000000-0000-7000-8000-00000000000a';

/** Runs the benchmark; true when every promise was kept. */
export async function benchVerify(args: string[]): Promise<boolean> {
  const given = args.indexOf('--rows');
  const rows = given < 0 ? leastConversions : Number(args[given + 1]);
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const pool = connect({ ...database.connection, max: 4, statement_timeout: 0, query_timeout: 0 });
  try {
    await migrate(pool, new Date());
    const started = performance.now();
    await fill(pool, rows);
    console.log(`\n  ${rows.toLocaleString('en')} conversions, as many commissions and ledger entries, loaded in ${seconds(started)} s`);
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const from = performance.now();
      const broken = (await checkInvariants({ db: typedQueries(pool) })).filter((finding) => finding.broken.length > 0);
      times.push(Number(seconds(from)));
      if (broken.length > 0) throw new Error(`What was loaded does not hold: ${JSON.stringify(broken[0]).slice(0, 300)}`);
    }
    const median = [...times].sort((a, b) => a - b)[1] ?? 0;
    await pool.query(`update ledger_entries set cents = cents + 1 where seq = ${Math.floor(rows / 2)}`);
    const found = (await checkInvariants({ db: typedQueries(pool) })).filter((finding) => finding.broken.length > 0);
    const [isFast, isFound] = [median < mostSeconds, found.length >= 2];
    console.log(`  ${isFast ? 'kept  ' : 'MISSED'} verify took ${times.join(', ')} s (median < ${mostSeconds})`);
    console.log(`  ${isFound ? 'kept  ' : 'MISSED'} one changed cent was found by ${found.length} checks`);
    return isFast && isFound;
  } finally {
    await pool.end();
    await database.close();
  }
}

function seconds(from: number): string {
  return ((performance.now() - from) / 1000).toFixed(1);
}

/** The amount of the commission. */
export const cents = '(100 + n % 900)';
const idOf = (prefix: string) => `('${prefix}' || lpad(to_hex(n), 12, '0'))::uuid`;
const person = `lpad(to_hex(1 + n % ${affiliates}), 32, '0')::uuid`;
const at = `timestamptz '2026-01-01' + n * interval '1 s'`;

/** What differs between rows, as SQL expressions of `n`. */
export type States = { status: string; hasConflict: string; settledCents: string; maturesAt: string };

/** Every commission is pending. */
const newOrders: States = { status: `'pending'`, hasConflict: 'false', settledCents: '0', maturesAt: `${at} + interval '30 days'` };

export async function fill(pool: pg.Pool, rows: number, states = newOrders): Promise<void> {
  const each = `from generate_series(1, ${rows}) as n`;
  await pool.query(
    `with organization as (insert into organizations (id, name, created_at) values ($1, 'Bench', now()) returning id)
     insert into programs (id, organization_id, name, slug, mode, currency, timezone, created_at)
     select $1, id, 'Bench', 'bench', 'live', 'USD', 'UTC', now() from organization`,
    [program],
  );
  await pool.query(
    `insert into affiliates (program_id, id, first_name, last_name, email, email_key, referral_code, status, search, created_at, updated_at)
     select $1, lpad(to_hex(n), 32, '0')::uuid, 'Ada', 'L' || n, n || '@example.com', n || '@example.com', 'C' || lpad(n::text, 7, '0'), 'active', '', now(), now()
     from generate_series(1, ${affiliates}) as n`,
    [program],
  );
  await pool.query(`insert into referral_codes (code, program_id, affiliate_id) select referral_code, program_id, id from affiliates;
    insert into short_links (program_id, slug, affiliate_id, kind) select program_id, lower(referral_code), id, 'code' from affiliates;
    insert into person_programs (kind, person, program_id) select 'affiliate', email_key, program_id from affiliates;
    insert into affiliate_counts select program_id, status, count(*) from affiliates group by 1, 2;
    insert into commission_rules (program_id, id, name, status, level, terms, version, search, created_at, updated_at)
      values ('${program}', '${rule}', 'R', 'active', 1, '{"type":"percentage","rate":10}', 1, '', now(), now());
    insert into commission_rule_versions (program_id, rule_id, version, rule, valid_from, created_at) values ('${program}', '${rule}', 1, '{}', now(), now())`);
  await pool.query(`
    insert into conversions (program_id, id, affiliate_id, order_id, amount_cents, created_at, currency, occurred_at, method, facts, decision, cap_cents)
    select '${program}', ${idOf('00000000-0000-7000-8001-')}, ${person}, 'o-' || n, ${cents} * 10, ${at}, 'USD', ${at}, 'affiliate', '{}', '{"warnings":[]}', ${cents} * 10 ${each};
    insert into conversion_summaries (program_id, id, affiliate_id, status, method, has_conflict, amount_cents, commission_cents, occurred_at, created_at)
    select '${program}', ${idOf('00000000-0000-7000-8001-')}, ${person}, ${states.status}, 'affiliate', ${states.hasConflict}, ${cents} * 10, ${cents}, ${at}, ${at} ${each};
    insert into commissions (program_id, id, conversion_id, affiliate_id, amount_cents, created_at, status, currency, type, rate, source, rule_id, rule_version,
      positions, base_cents, settled_cents, matures_at, updated_at)
    select '${program}', ${idOf('00000000-0000-7000-8002-')}, ${idOf('00000000-0000-7000-8001-')}, ${person}, ${cents}, ${at}, ${states.status}, 'USD', 'percentage', 10,
      'rule', '${rule}', 1, '{0}', ${cents} * 10, ${states.settledCents}, ${states.maturesAt}, ${at} ${each};
    insert into commission_events (program_id, id, commission_id, step, to_status, actor_kind, actor_id, created_at)
    select '${program}', ${idOf('00000000-0000-7000-8003-')}, ${idOf('00000000-0000-7000-8002-')}, 1, 'pending', 'command', 'bench', ${at} ${each}`);
  await chain(pool, rows);
  await pool.query(`
    insert into ledger_balances (program_id, affiliate_id, pending_cents) select program_id, affiliate_id, sum(cents) from ledger_entries group by 1, 2;
    update ledger_heads set commissions_cents = -(select sum(cents) from ledger_entries);
    update affiliates as a set conversions = t.orders, commission_cents = t.cents
      from (select affiliate_id, count(*) as orders, sum(amount_cents) as cents from commissions group by 1) as t
      where a.id = t.affiliate_id;
    insert into affiliate_figures (program_id, affiliate_id, status, conversions, sales_cents, commission_cents, last_sale_at)
      select a.program_id, id, a.status, conversions, commission_cents * 10, commission_cents, coalesce(t.last_at, '-infinity')
      from affiliates as a left join (select affiliate_id, max(created_at) as last_at from commissions group by 1) as t on t.affiliate_id = a.id;
    insert into daily_totals (program_id, day, affiliate_id, conversions, sales_cents, commissions_cents)
      select program_id, (created_at at time zone 'UTC')::date, affiliate_id, count(*), sum(amount_cents) * 10, sum(amount_cents)
      from commissions group by 1, 2, 3`);
  await fillCounts(pool);
  await pool.query('vacuum analyze');
}

/** The numbers and sums that lists show, as the service stores them. */
async function fillCounts(pool: pg.Pool): Promise<void> {
  const everything = sql`true`;
  const db = typedQueries(pool);
  for (const table of ['programs', 'affiliates', 'commission_rule_versions', 'conversions', 'commissions'] as const)
    await sql`update ${sql.table(table)} set recorded_values = ${sql.raw(recordedValues(table))}`.execute(db);
  for (const [table, rows] of [
    ['conversion_totals', sumSummaries(everything)],
    ['commission_counts', countRowsOfCommissions(everything)],
    ['ledger_counts', countRowsOfLedger(everything)],
    ['owed_commissions', countRowsOwed(everything)],
  ] as const) {
    await sql`delete from ${sql.table(table)}`.execute(db);
    await sql`insert into ${sql.table(table)} ${rows}`.execute(db);
  }
}

/** The entries with their true hashes, and the head. */
async function chain(pool: pg.Pool, rows: number): Promise<void> {
  let hash: Buffer = genesis;
  for (let from = 0; from < rows; from += 5000) {
    const entries = Array.from({ length: Math.min(5000, rows - from) }, (_, index) => {
      const n = from + index + 1;
      const hex = n.toString(16).padStart(12, '0');
      const link = {
        seq: n,
        id: `00000000-0000-7000-8004-${hex}`,
        kind: 'accrue',
        ref: `00000000-0000-7000-8002-${hex}`,
        debit: 'commissions',
        affiliateId: `00000000-0000-0000-0000-${(1 + (n % affiliates)).toString(16).padStart(12, '0')}`,
        credit: 'pending',
        commissionId: `00000000-0000-7000-8002-${hex}`,
        cents: 100 + (n % 900),
        currency: 'USD',
        createdAt: new Date(Date.UTC(2026, 0, 1) + n * 1000),
      };
      hash = hashEntry(hash, link);
      return { n, hash: hash.toString('hex') };
    });
    await pool.query(
      `insert into ledger_entries (program_id, seq, id, kind, ref, affiliate_id, commission_id, debit, credit, cents, currency, created_at, hash)
       select '${program}', n, ${idOf('00000000-0000-7000-8004-')}, 'accrue', ${idOf('00000000-0000-7000-8002-')}, ${person}, ${idOf('00000000-0000-7000-8002-')},
         'commissions', 'pending', ${cents}, 'USD', ${at}, decode(hash, 'hex')
       from unnest($1::bigint[], $2::text[]) as made (n, hash)`,
      [entries.map(({ n }) => n), entries.map((entry) => entry.hash)],
    );
  }
  await pool.query(`insert into ledger_heads (program_id, seq, hash) values ($1, $2, $3)`, [program, rows, hash]);
}
