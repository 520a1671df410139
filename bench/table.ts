// How fast the console's table of affiliates is: a page, a search, a filter and every sort, by the product's functions.
import pg from 'pg';
import { openTemporaryDatabase } from '../scripts/temporary-database.ts';
import type { Context } from '../server/context.ts';
import { AffiliateFilter } from '../server/partners/affiliates/filter/filter.ts';
import { connect } from '../server/platform/db/connect.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { findPageIds, type SortColumn, sortColumns } from '../server/views/affiliate-table/find-page.ts';
import { readRows } from '../server/views/affiliate-table/row.ts';
import { createReadContext, median, quantile, timed } from './list.ts';
import { bigProgram, load } from './load.ts';

type Case = { name: string; filter?: Record<string, unknown>; sort?: SortColumn; direction?: 'asc' | 'desc'; offset?: number };

const rounds = 7;
const pageSize = 50;
const limitMs = 200;

/** Runs the benchmark; true when every case took less than the limit. */
export async function benchTable(args: string[]): Promise<boolean> {
  const given = args.indexOf('--rows');
  const rows = given < 0 ? 1_000_000 : Number(args[given + 1]);
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const pool = connect({ ...database.connection, max: 4, statement_timeout: 0 });
  const client = new pg.Client(database.connection);
  try {
    await migrate(pool, new Date());
    await client.connect();
    const seconds = await load(client, rows);
    console.log(`\n  ${rows.toLocaleString('en')} affiliates in one program, loaded in ${seconds.toFixed(0)} s\n`);
    return await runCases(createReadContext(pool), createCases());
  } finally {
    await client.end();
    await pool.end();
    await database.close();
  }
}

function createCases(): Case[] {
  const bySort = sortColumns.flatMap((sort): Case[] => [
    { name: `sort ${sort}`, sort, direction: 'asc' },
    { name: `sort -${sort}`, sort },
  ]);
  return [
    { name: 'first page' },
    { name: 'status active', filter: { status: 'active' } },
    { name: 'search: part of an email', filter: { search: 'ba.bafe1000' } },
    { name: 'search: part of a name', filter: { search: 'fogana' } },
    { name: 'search: 2 letters', filter: { search: 'ma' } },
    { name: 'search: a mail domain', filter: { search: 'gmail' } },
    { name: 'search: a mail domain, -salesCents', filter: { search: 'gmail' }, sort: 'salesCents' },
    { name: 'no sales since day 200, active', filter: { status: 'active', lastSaleTo: '2026-07-20T00:00:00Z' } },
    { name: 'no sales since day 200, -clicks', filter: { status: 'active', lastSaleTo: '2026-07-20T00:00:00Z' }, sort: 'clicks' },
    { name: "can't be paid", filter: { hasPayoutDetails: false, balanceCentsMin: 1 }, sort: 'balanceCents' },
    { name: 'pending, -salesCents', filter: { status: 'pending' }, sort: 'salesCents' },
    { name: 'active, -salesCents', filter: { status: 'active' }, sort: 'salesCents' },
    { name: 'page live, name', filter: { pageState: 'live' }, sort: 'name', direction: 'asc' },
    { name: 'offset 10,000, -salesCents', sort: 'salesCents', offset: 10_000 },
    { name: 'offset 999,950', offset: 999_950 },
    ...bySort,
  ];
}

async function runCases(ctx: Context, cases: Case[]): Promise<boolean> {
  console.log(`  ${'case'.padEnd(38)}${'matches'.padStart(10)}${'median ms'.padStart(12)}${'worst ms'.padStart(10)}`);
  let isKept = true;
  for (const { name, filter = {}, sort = 'createdAt', direction = 'desc', offset = 0 } of cases) {
    const match = { ...AffiliateFilter.parse(filter), programId: bigProgram };
    const times: number[] = [];
    let total = 0;
    for (let round = 0; round < rounds; round += 1) {
      const took = await timed(async () => {
        const found = await findPageIds(ctx, match, { limit: pageSize, offset, sort: { column: sort, direction } });
        await readRows(ctx, { programId: bigProgram, currency: 'USD' }, found.ids);
        total = found.total;
      });
      times.push(took);
    }
    const isFast = median(times) < limitMs;
    const verdict = isFast ? '' : `   > ${limitMs} ms`;
    console.log(
      `  ${name.padEnd(38)}${String(total).padStart(10)}${median(times).toFixed(1).padStart(12)}${quantile(times, 1).toFixed(1).padStart(10)}${verdict}`,
    );
    isKept &&= isFast;
  }
  return isKept;
}
