// How fast the list of affiliates is, by the product's own functions, compared with the bare query of a page.
import pg from 'pg';
import pino from 'pino';
import { openTemporaryDatabase } from '../scripts/temporary-database.ts';
import { readConfig } from '../server/config.ts';
import type { Context } from '../server/context.ts';
import { countAffiliates, type Filter, findAffiliatePage } from '../server/partners/affiliates/list.ts';
import { connect, typedQueries } from '../server/platform/db/connect.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { systemClock } from '../server/platform/lib/clock.ts';
import { openWorkers } from '../server/platform/lib/concurrency/workers.ts';
import { randomIds } from '../server/platform/lib/ids.ts';
import { foldCase } from '../server/platform/lib/text.ts';
import { createVault } from '../server/platform/secrets/vault.ts';
import { bigProgram, load, smallProgram } from './load.ts';

type Case = { name: string; status?: string; search?: string; offset?: number; program?: string; limitMs?: number };

const rounds = 15;
const pageSize = 50;
const barePage = {
  name: 'bare',
  text: `select id, first_name, last_name, email, referral_code, vanity_slug, status, group_id, parent_affiliate_id, created_at, clicks, conversions, commission_cents
         from affiliates where program_id = $1 order by created_at desc, id desc limit ${pageSize}`,
  values: [bigProgram],
};

/** Runs the benchmark; true when every promise was kept. */
export async function benchList(args: string[]): Promise<boolean> {
  const given = args.indexOf('--rows');
  const rows = given < 0 ? 1_000_000 : Number(args[given + 1]);
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const pool = connect({ ...database.connection, max: 4, statement_timeout: 0 });
  const client = new pg.Client(database.connection);
  try {
    await migrate(pool, new Date());
    await client.connect();
    console.log(
      `\n  ${rows.toLocaleString('en')} affiliates in one program beside 1,000 programs of 100, loaded in ${(await load(client, rows)).toFixed(0)} s\n`,
    );
    const ctx = createReadContext(pool);
    return await runCases(ctx, client, await chooseCases(client));
  } finally {
    await client.end();
    await pool.end();
    await database.close();
  }
}

/** A context whose only dependency is the database. */
export function createReadContext(pool: pg.Pool): Context {
  const db = typedQueries(pool);
  return {
    db,
    programDb: () => db,
    clock: systemClock,
    ids: randomIds,
    log: pino({ level: 'silent' }),
    config: readConfig({}),
    http: async () => {
      throw new Error('The list calls no external system.');
    },
    checkUrl: async () => null,
    findDnsRecords: async () => [],
    vault: createVault([Buffer.alloc(32)]),
    mailer: null,
    jobs: { enqueue: async () => {} },
    workers: openWorkers(),
  };
}

/** The measured cases. Those with a promised time have a limit; the others are shown for comparison. */
async function chooseCases(client: pg.Client): Promise<Case[]> {
  const { rows } = await client.query<{ email: string; referral_code: string; last_name: string }>(
    `select email, referral_code, last_name from affiliates where program_id = $1 order by id offset 777 limit 1`,
    [bigProgram],
  );
  const someone = rows[0] ?? { email: '', referral_code: '', last_name: '' };
  return [
    { name: 'no filter, first page', limitMs: 5 },
    { name: 'status active', status: 'active' },
    { name: 'status pending', status: 'pending' },
    { name: 'part of an email', search: someone.email.slice(2, -6), limitMs: 10 },
    { name: 'part of a code', search: someone.referral_code.slice(1, 7) },
    { name: 'a last name', search: someone.last_name },
    { name: '4 letters', search: someone.last_name.slice(0, 4) },
    { name: '3 letters', search: someone.last_name.slice(0, 3) },
    { name: '2 letters', search: 'ma' },
    { name: 'a mail domain', search: 'gmail' },
    { name: 'nothing found', search: 'qxqx' },
    { name: 'status and 4 letters', status: 'pending', search: someone.last_name.slice(0, 4) },
    { name: 'offset 10,000', offset: 10_000 },
    { name: 'small program, first page', program: smallProgram },
    { name: 'small program, search', program: smallProgram, search: 'mar' },
  ];
}

async function runCases(ctx: Context, client: pg.Client, cases: Case[]): Promise<boolean> {
  console.log(
    `  ${'case'.padEnd(28)}${'matches'.padStart(10)}${'median ms'.padStart(12)}${'p95 ms'.padStart(10)}${'× bare page'.padStart(14)}   promise`,
  );
  let isKept = true;
  for (const one of cases) {
    const filter: Filter = {
      programId: one.program ?? bigProgram,
      status: one.status === undefined ? undefined : [one.status],
      search: one.search === undefined ? undefined : foldCase(one.search),
    };
    const offset = one.offset ?? 0;
    const times: number[] = [];
    const bareTimes: number[] = [];
    let total = 0;
    for (let round = 0; round < rounds; round += 1) {
      bareTimes.push(await timed(() => client.query(barePage)));
      times.push(
        await timed(async () => {
          total = await countAffiliates(ctx, filter);
          await findAffiliatePage(ctx, filter, { limit: pageSize, offset, total });
        }),
      );
    }
    const isExact = total === (await countPlainly(client, filter));
    const isFast = one.limitMs === undefined || median(times) < one.limitMs;
    const promise = [one.limitMs === undefined ? '' : `< ${one.limitMs} ms ${isFast ? 'kept' : 'MISSED'}`, isExact ? '' : 'TOTAL IS WRONG']
      .filter(Boolean)
      .join(', ');
    const ratio = median(times) / median(bareTimes);
    console.log(
      `  ${one.name.padEnd(28)}${String(total).padStart(10)}${median(times).toFixed(2).padStart(12)}${quantile(times, 0.95).toFixed(2).padStart(10)}${ratio.toFixed(1).padStart(14)}   ${promise}`,
    );
    isKept &&= isFast && isExact;
  }
  return isKept;
}

/** The same question asked without the search column and without the kept counts. */
async function countPlainly(client: pg.Client, { programId, status, search }: Filter): Promise<number> {
  const { rows } = await client.query<{ total: string }>(
    `select count(*) as total from affiliates where program_id = $1 and ($2::text is null or status = $2) and ($3::text is null
       or strpos(lower(first_name || ' ' || last_name), $3) > 0 or strpos(lower(email), $3) > 0 or strpos(lower(referral_code), $3) > 0)`,
    [programId, status?.[0] ?? null, search ?? null],
  );
  return Number(rows[0]?.total);
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function quantile(times: number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

export function median(times: number[]): number {
  return quantile(times, 0.5);
}
