// How fast the console's overview is over a year of clicks and orders, compared with reading the rows of daily totals that it sums
// up, and how long a rebuild of these takes.
import type pg from 'pg';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { getActivity } from '../../server/views/overview/activity.ts';
import { getOverview } from '../../server/views/overview/overview.ts';
import { rebuildDailyTotalsJob } from '../../server/views/overview/rebuild-daily-totals.ts';
import { program } from '../conversions-script.ts';
import { fillProgram } from '../fill.ts';
import { createReadContext, timed } from '../list.ts';
import { readOption } from '../processes.ts';
import { measure, request } from './as-member.ts';

const affiliates = 10_000;
const rounds = 15;
const limitMs = 300;
const activityLimitMs = 50;

/** Runs the benchmark; true when every promise was kept. */
export async function benchOverview(args: string[]): Promise<boolean> {
  const clicks = readOption(args, '--clicks', 5_000_000);
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const pool = connect({ ...database.connection, max: 12, statement_timeout: 0, query_timeout: 0, idle_in_transaction_session_timeout: 0 });
  try {
    await migrate(pool, new Date());
    const loading = await timed(() => fill(pool, clicks));
    const ctx = createReadContext(pool);
    const rebuilding = await timed(() => rebuildDailyTotalsJob.run(ctx, { programId: program }, { isLast: true }));
    await pool.query('vacuum analyze');
    console.log(
      `\n  ${clicks.toLocaleString('en')} clicks and ${(clicks * 0.06).toLocaleString('en')} orders, loaded in ${show(loading / 1000)} s`,
    );
    console.log(`  their daily totals were rebuilt in ${show(rebuilding / 1000)} s\n`);
    return await runCases(pool, ctx);
  } finally {
    await pool.end();
    await database.close();
  }
}

async function runCases(pool: pg.Pool, ctx: ReturnType<typeof createReadContext>): Promise<boolean> {
  const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const overview = (query: object) => getOverview.handle?.(ctx, { ...request, query: getOverview.query?.parse(query) ?? fail() });
  const activity = () => getActivity.handle?.(ctx, { ...request, query: getActivity.query?.parse({}) ?? fail() });
  const bare = () =>
    pool.query(
      `select day, sum(sales_cents), sum(commissions_cents) from daily_totals where program_id = $1 and day > current_date - 60
       and (conversions <> 0 or commissions_cents <> 0 or reversals_cents <> 0) group by day`,
      [program],
    );
  const bareMs = await measure(rounds, bare);
  const cases: [string, number, () => Promise<unknown> | undefined][] = [
    ['30 days, compared (the default)', limitMs, () => overview({})],
    ['90 days', limitMs, () => overview({ from: day(89) })],
    ['a year by weeks', Number.POSITIVE_INFINITY, () => overview({ from: day(364) })],
    ['latest activity', activityLimitMs, activity],
  ];
  console.log(`  ${'case'.padEnd(36)}${'median ms'.padStart(12)}${'worst ms'.padStart(10)}${'× bare sum'.padStart(12)}`);
  console.log(
    `  ${'the bare sum of 60 days'.padEnd(36)}${show(bareMs.median).padStart(12)}${show(bareMs.worst).padStart(10)}${'1.0'.padStart(12)}`,
  );
  let isKept = true;
  for (const [name, limit, run] of cases) {
    const ms = await measure(rounds, run);
    const verdict = ms.median < limit ? '' : `   > ${limit} ms`;
    console.log(
      `  ${name.padEnd(36)}${show(ms.median).padStart(12)}${show(ms.worst).padStart(10)}${show(ms.median / bareMs.median).padStart(12)}${verdict}`,
    );
    isKept &&= ms.median < limit;
  }
  return isKept;
}

function fail(): never {
  throw new Error('The endpoint declares no query.');
}

function show(value: number): string {
  return value.toFixed(1);
}

const idOf = (prefix: string) => `('${prefix}' || lpad(to_hex(n), 12, '0'))::uuid`;
const person = `lpad(to_hex(1 + (n * 7919) % ${affiliates}), 32, '0')::uuid`;
const cents = '(500 + n % 9000)';

/** A year of clicks, 6 orders per 100 clicks, a month of pending commissions, and half of the balances to pay. */
export async function fill(pool: pg.Pool, clicks: number): Promise<void> {
  await fillProgram(pool, program, affiliates);
  const orders = Math.floor(clicks * 0.06);
  const at = (rows: number) => `now() - interval '365 days' * (1 - n::float8 / ${rows})`;
  const status = `case when ${at(orders)} > now() - interval '30 days' then case when n % 400 = 0 then 'held' else 'pending' end
    when n % 12 < 11 then 'paid' else 'approved' end`;
  // The rows refer to each other as they should: checking that would take longer than everything else.
  await pool.query(
    'alter table clicks disable trigger all; alter table conversions disable trigger all; alter table commissions disable trigger all',
  );
  await pool.query(`
    insert into affiliate_counts select program_id, status, count(*) from affiliates group by 1, 2;
    insert into ledger_heads (program_id, seq, hash) values ('${program}', 0, '\\x00');
    insert into clicks (program_id, id, affiliate_id, slug, created_at)
    select '${program}', ${idOf('00000000-0000-7000-8005-')}, ${person}, 'c', ${at(clicks)} from generate_series(1, ${clicks}::bigint) as n`);
  await pool.query(`
    insert into conversions (program_id, id, affiliate_id, order_id, amount_cents, created_at, currency, occurred_at, method, facts, decision, cap_cents)
    select '${program}', ${idOf('00000000-0000-7000-8001-')}, ${person}, 'o-' || n, ${cents} * 10, ${at(orders)}, 'USD', ${at(orders)}, 'affiliate',
      '{}', '{}', ${cents} * 10 from generate_series(1, ${orders}::bigint) as n;
    insert into commissions (program_id, id, conversion_id, affiliate_id, amount_cents, settled_cents, created_at, status, currency, type, rate, source,
      positions, base_cents, matures_at, updated_at)
    select '${program}', ${idOf('00000000-0000-7000-8002-')}, ${idOf('00000000-0000-7000-8001-')}, ${person}, ${cents},
      case when ${status} = 'paid' then ${cents} else 0 end, ${at(orders)}, ${status}, 'USD', 'percentage', 10, 'rule', '{0}', ${cents} * 10,
      ${at(orders)} + interval '30 days', ${at(orders)} from generate_series(1, ${orders}::bigint) as n;
    insert into ledger_balances (program_id, affiliate_id, pending_cents, available_cents, paid_cents)
    select program_id, affiliate_id, coalesce(sum(amount_cents - settled_cents) filter (where status in ('pending', 'held')), 0),
      coalesce(sum(amount_cents - settled_cents) filter (where status not in ('pending', 'held')), 0), sum(settled_cents)
    from commissions group by 1, 2;
    insert into owed_commissions select program_id, affiliate_id, count(*) from commissions
      where status not in ('pending', 'held') and amount_cents - reversed_cents - settled_cents <> 0 group by 1, 2`);
  await pool.query('vacuum analyze');
}
