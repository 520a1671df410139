// How fast every breakdown of Insights and its cohorts are over a year of clicks and orders: 30 days compared with the 30 before, the whole year, and
// 30 days of which five have changed since they were added up.
import type pg from 'pg';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { buildTotalsOf } from '../../server/views/insights/build-totals.ts';
import { getCohorts } from '../../server/views/insights/get-cohorts.ts';
import { getMetrics } from '../../server/views/insights/get-metrics.ts';
import { Breakdown } from '../../server/views/insights/shape.ts';
import { rebuildDailyTotalsJob } from '../../server/views/overview/rebuild-daily-totals.ts';
import { program } from '../conversions-script.ts';
import { createReadContext, timed } from '../list.ts';
import { readOption } from '../processes.ts';
import { type Measured, measure, request } from './as-member.ts';
import { fillInsights } from './fill-insights.ts';

const rounds = 7;
const limitMs = 300;

type ReadContext = ReturnType<typeof createReadContext>;

/** Runs the benchmark; true when every promise was kept. */
export async function benchInsights(args: string[]): Promise<boolean> {
  const clicks = readOption(args, '--clicks', 10_000_000);
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const pool = connect({ ...database.connection, max: 4, statement_timeout: 0, query_timeout: 0, idle_in_transaction_session_timeout: 0 });
  try {
    await migrate(pool, new Date());
    const loading = await timed(() => fillInsights(pool, program, clicks));
    const ctx = createReadContext(pool);
    await rebuildDailyTotalsJob.run(ctx, { programId: program }, { isLast: true });
    await pool.query('vacuum analyze');
    const building = await timed(() => buildAll(ctx, pool));
    await pool.query('vacuum analyze breakdown_totals');
    const seconds = (ms: number) => (ms / 1000).toFixed(0);
    console.log(
      `\n  ${clicks.toLocaleString('en')} clicks and ${(clicks / 10).toLocaleString('en')} orders of a year, loaded in ${seconds(loading)} s; ` +
        `all days added up in ${seconds(building)} s\n`,
    );
    return await runCases(ctx, pool);
  } finally {
    await pool.end();
    await database.close();
  }
}

/** One run adds up a limited number of days. */
async function buildAll(ctx: ReadContext, pool: pg.Pool): Promise<void> {
  do await buildTotalsOf(ctx, program);
  while ((await pool.query('select from breakdown_spans where not is_current limit 1')).rowCount !== 0);
}

async function runCases(ctx: ReadContext, pool: pg.Pool): Promise<boolean> {
  const now = Date.now();
  const day = (daysAgo: number) => new Date(now - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const year = { from: day(364), to: day(0) };
  const time = (query: Record<string, string>) => measure(rounds, () => ask(ctx, query));
  console.log(`  ${'median ms (worst)'.padEnd(20)}${['30 days', 'a year', '5 days changed'].map((name) => name.padStart(18)).join('')}`);
  let isKept = true;
  for (const breakdown of Breakdown.options) {
    const measured = [await time({ breakdown }), await time({ breakdown, ...year })];
    await pool.query(
      `update breakdown_spans set is_current = starts_at >= now() - interval '15 days' or ends_at < now() - interval '20 days' and span <> 'month'`,
    );
    measured.push(await time({ breakdown }));
    await pool.query('update breakdown_spans set is_current = true');
    isKept &&= measured.slice(0, 2).every((ms) => ms.median < limitMs);
    console.log(`  ${breakdown.padEnd(20)}${measured.map(show).join('')}`);
  }
  return (await runCohorts(ctx, pool)) && isKept;
}

/** Cohorts read every month since the first order, whatever is asked for. */
async function runCohorts(ctx: ReadContext, pool: pg.Pool): Promise<boolean> {
  const time = (months: string) => measure(rounds, () => askCohorts(ctx, { months }));
  const measured = [await time('1'), await time('12')];
  await pool.query(`update breakdown_spans set is_current = starts_at < now() - interval '70 days' or span <> 'month'`);
  measured.push(await time('12'));
  await pool.query(`update breakdown_spans set is_current = span <> 'month'`);
  measured.push(await time('12'));
  await pool.query('update breakdown_spans set is_current = true');
  const names = ['1 month', '12 months', '2 months changed', 'all changed'];
  console.log(`\n  ${'median ms (worst)'.padEnd(20)}${names.map((name) => name.padStart(18)).join('')}`);
  console.log(`  ${'cohorts'.padEnd(20)}${measured.map(show).join('')}`);
  return measured.slice(0, 3).every((ms) => ms.median < limitMs);
}

function show({ median: ms, worst }: Measured): string {
  return `${ms < limitMs ? '' : '> '}${ms.toFixed(0)} (${worst.toFixed(0)})`.padStart(18);
}

async function askCohorts(ctx: ReadContext, query: Record<string, string>): Promise<void> {
  const { handle } = getCohorts;
  if (!handle || !getCohorts.query) throw new Error('The endpoint has no handler.');
  await handle(ctx, { ...request, query: getCohorts.query.parse(query) });
}

async function ask(ctx: ReadContext, query: Record<string, string>): Promise<void> {
  const { handle } = getMetrics;
  if (!handle || !getMetrics.query) throw new Error('The endpoint has no handler.');
  await handle(ctx, { ...request, query: getMetrics.query.parse(query) });
}
