// Random histories of a program; every invariant of money is checked after every step, and orders, leads
// and customers are compared with a model. A failure names its seed:
// TEST_SEED=123 replays only that one. CI runs fewer histories than a release does (TEST_LENGTH=140).
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Context } from '../../server/context.ts';
import { findChainFaults } from '../../server/earning/ledger/verify-chain.ts';
import { scopedInvariants as invariants } from '../../server/operations/verify/scoped.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { openConnections } from '../support/own-connections.ts';
import type { World } from '../support/simulation/call.ts';
import { compareWithModel } from '../support/simulation/model.ts';
import { openWorld, takeStep } from '../support/simulation/world.ts';
import { analyzeRegularly } from '../support/time/analyze.ts';
import { givenSeed, often } from '../support/time/length.ts';

const seeds = givenSeed === null ? often(8) : 1;
const steps = 200;
const atOnce = 6;
/** Each check asks every shard there. */
const stepsPerCheckOnCluster = 20;

/** The names of the broken invariants of one program. */
async function findBroken({ ctx, actor: { programId } }: World, pool: pg.Pool): Promise<string[]> {
  const names = ctx.allProgramsDb ? await findSeparately(ctx.allProgramsDb, programId) : await findTogether(ctx, programId, pool);
  const faults = await findChainFaults(ctx.db, programId);
  return faults.length > 0 ? [...names, `chain: ${JSON.stringify(faults[0])}`] : names;
}

/**
 * In one round trip. The statement is named, since planning it takes longer than running it for a small program; and it reads only
 * the rows of this program, by index, since the tables also contain all others.
 */
async function findTogether(ctx: World['ctx'], programId: string, pool: pg.Pool): Promise<string[]> {
  statement ??= compileChecks(ctx);
  const { rows } = await pool.query<{ index: number }>({
    name: 'invariants',
    text: statement.text,
    values: Array(statement.parameters).fill(programId),
  });
  return rows.map(({ index }) => invariants[index]?.name ?? '');
}

/** A cluster doesn't plan all checks as one statement. */
async function findSeparately(db: Context['db'], programId: string): Promise<string[]> {
  const names: string[] = [];
  for (const { name, breaks } of invariants)
    if ((await breaks(sql`program_id = ${programId}`).execute(db)).rows.length > 0) names.push(name);
  return names;
}

let statement: { text: string; parameters: number } | undefined;

/** Compiled once: the same text for every program, with its id in every parameter. */
function compileChecks({ db }: World['ctx']): { text: string; parameters: number } {
  const scope = sql`program_id = ${''}`;
  const checks = invariants.map(({ breaks }, index) => sql`select ${sql.lit(index)}::int as index where exists (${breaks(scope)})`);
  const { sql: text, parameters } = sql`${sql.join(checks, sql` union all `)}`.compile(db);
  return { text, parameters: parameters.length };
}

// Forty checks in one statement take seconds on a machine with other work.
const checking = { options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off', statement_timeout: 30_000 };

async function replay(ctx: Context, pool: pg.Pool, seed: number): Promise<Map<string, number>> {
  const world = await openWorld(ctx, seed);
  const taken = new Map<string, number>();
  for (let step = 1; step <= steps; step += 1) {
    const where = `TEST_SEED=${seed} step ${step}`;
    const { name, isRolledBack } = await takeStep(world).catch((error) => assert.fail(`${where}: ${error.stack}`));
    taken.set(name, (taken.get(name) ?? 0) + 1);
    if (isRolledBack || (ctx.allProgramsDb && step % stepsPerCheckOnCluster !== 0)) continue;
    const names = await findBroken(world, pool);
    assert.deepEqual(names, [], `${where} (${name}) broke: ${names.join('; ')}`);
    if (step % 20 === 0) await compareWithModel(world).catch((error) => assert.fail(`${where}: ${error.message}`));
  }
  await compareWithModel(world).catch((error) => assert.fail(`TEST_SEED=${seed}: ${error.message}`));
  return taken;
}

describe('simulated programs', () => {
  let service: TestService;
  let queries: ReturnType<typeof openConnections>;
  let checks: pg.Pool;
  before(async () => {
    service = await openTestService();
    queries = openConnections(service.pool, atOnce);
    const { host, port, user, database } = service.pool.options;
    checks = connect({ host, port, user, database, max: 4, ...checking });
  });
  after(async () => {
    await checks.end();
    await queries.close();
    await service.close();
  });

  test(`${seeds} seeds × ${steps} steps, every invariant after each`, async () => {
    const waiting = Array.from({ length: seeds }, (_, index) => givenSeed ?? 1 + index);
    const taken = new Map<string, number>();
    const worker = async () => {
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift())
        for (const [name, count] of await replay({ ...service.ctx, db: queries.db }, checks, seed))
          taken.set(name, (taken.get(name) ?? 0) + count);
    };
    const stopAnalyzing = analyzeRegularly(service.pool);
    await Promise.all(Array.from({ length: atOnce }, worker)).finally(stopAnalyzing);
    const all = [...taken.values()].reduce((sum, count) => sum + count, 0);
    assert.equal(all, seeds * steps);
    if (givenSeed === null) assert.equal(taken.size, 25, 'a kind of step was never taken');
    const changes = await service.pool.query<{ kind: string }>(`select kind, count(*)::int from order_changes group by 1 order by 1`);
    console.log(`  changes of orders: ${JSON.stringify(changes.rows)}`);
    if (givenSeed === null) assert.equal(changes.rows.length, 3);
    const { rows } = await service.pool.query(`select kind, count(*)::int from ledger_entries group by 1 order by 1`);
    console.log(`  ${all} steps; entries: ${rows.map(({ kind, count }) => `${kind} ${count}`).join(', ')}`);
    if (givenSeed === null)
      assert.deepEqual(
        rows.map(({ kind }) => kind),
        ['accrue', 'adjust', 'hold', 'mature', 'release', 'reserve', 'restore', 'return', 'reverse', 'settle'],
      );
  });
});
