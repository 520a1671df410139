// Work of a job or command that concerns all programs: program by program, so that one that fails does not stop the others.
// On several database servers, a program fails while its server does not respond. Programs in test mode whose clock is ahead
// are looked for and worked on at their time.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { toNodeOf } from '../db/program-connections.ts';
import { readTestClocks, toProgramContext } from '../test-clocks/program-clock.ts';

/** Work that doesn't depend on the time, such as verifying, needs no clock. */
type Ctx = Pick<Context, 'db' | 'allProgramsDb'> & Partial<Pick<Context, 'programDb' | 'clock' | 'config' | 'log'>>;

/** A condition on `program_id`: one program, or all. */
export type Scope = RawBuilder<unknown>;

type Work<C> = {
  /**
   * The programs with something to do, as a query with the column `program_id` for the programs that meet `scope`. It is sent once
   * for all programs; if that fails, once for each; and once for each program whose clock is ahead. Without it, `run` is called for
   * every program. `now` is the time of the programs in `scope`.
   */
  find?: (scope: Scope, now: Date) => RawBuilder<{ programId: string }>;
  /** Runs for each program, whose clock `ctx` has; its changes commit separately. */
  run(programId: string, ctx: C): Promise<unknown>;
  /** How many programs run concurrently. */
  atOnce?: number;
};

export type ProgramFailure = { programId: string; error: unknown };

/** Some programs failed; the work on the others is done. */
export class ProgramsFailed extends Error {
  readonly failures: readonly ProgramFailure[];

  constructor(failures: readonly ProgramFailure[]) {
    const named = failures.slice(0, maxNamed).map(({ programId, error }) => `${programId} (${toMessage(error)})`);
    const more = failures.length > maxNamed ? `, and ${failures.length - maxNamed} more` : '';
    super(`Failed for ${failures.length === 1 ? 'program' : `${failures.length} programs:`} ${named.join(', ')}${more}`);
    this.failures = failures;
  }
}

const maxNamed = 20;
const toMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The database for a statement on the rows of several programs. */
export function forAllPrograms({ db, allProgramsDb }: Pick<Context, 'db' | 'allProgramsDb'>): Context['db'] {
  return allProgramsDb ?? db;
}

/** Runs `run` for every program that `find` returns, whatever happens to the others. Throws `ProgramsFailed` at the end. */
export async function forEachProgram<C extends Ctx>(ctx: C, work: Work<C>): Promise<void> {
  throwFailures(await tryEachProgram(ctx, work));
}

/** Like `forEachProgram`, but returns the programs that failed. */
export async function tryEachProgram<C extends Ctx>(ctx: C, { find, run, atOnce = 1 }: Work<C>): Promise<ProgramFailure[]> {
  return runPlanned(ctx, await plan(ctx, find ? { find, run } : { run }), atOnce);
}

/**
 * Runs `run` once for all programs together, and for each whose clock is ahead; if that fails, for each program separately. Throws
 * `ProgramsFailed` for those that failed again. For work that reads little and can be repeated.
 */
export async function togetherOrEach<C extends Ctx>(
  ctx: C,
  run: (scope: Scope, programId: string | null, ctx: C) => Promise<void>,
): Promise<void> {
  const ahead = [...(await readClocksAhead(ctx)).keys()];
  const others = ahead.length === 0 ? sql`true` : sql`program_id <> all(${ahead}::uuid[])`;
  const runAlone = (programId: string, own: C) => run(sql`program_id = ${programId}`, programId, own);
  try {
    await run(others, null, { ...ctx, db: forAllPrograms(ctx) });
  } catch (error) {
    if (error instanceof ProgramsFailed) throw error;
    ctx.log?.warn({ err: error }, separately);
    return forEachProgram(ctx, { run: runAlone });
  }
  const withOwn = async (programId: string): Promise<void> => runAlone(programId, await toOwnContext(ctx, programId));
  throwFailures(await runPlanned(ctx, { programIds: ahead, run: withOwn }, 1));
}

/**
 * Reads rows of these programs in one statement, and of each whose clock is ahead; if that fails, of each program. `select` returns
 * the query for the programs that meet `scope`, at the time of their clock. Rows of programs that fail are missing.
 */
export async function readPrograms<Row>(
  ctx: Ctx,
  programIds: readonly string[],
  select: (scope: Scope, now: Date) => RawBuilder<Row>,
): Promise<{ rows: Row[]; failures: ProgramFailure[] }> {
  if (programIds.length === 0) return { rows: [], failures: [] };
  const clocks = await readClocksAhead(ctx);
  const rows: Row[] = [];
  const run = async (programId: string): Promise<void> => {
    const now = timeOf(ctx, clocks.get(programId));
    rows.push(...(await select(sql`program_id = ${programId}`, now).execute(ctx.db)).rows);
  };
  const together = programIds.filter((programId) => !clocks.has(programId));
  try {
    const scope = sql`program_id = any(${together}::uuid[])`;
    if (together.length > 0) rows.push(...(await select(scope, timeOf(ctx)).execute(forAllPrograms(ctx))).rows);
  } catch (error) {
    ctx.log?.warn({ err: error }, separately);
    return { failures: await runPlanned(ctx, { programIds, run }, 1), rows };
  }
  const alone = programIds.filter((programId) => clocks.has(programId));
  return { failures: await runPlanned(ctx, { programIds: alone, run }, 1), rows };
}

/** Throws `ProgramsFailed` if any program failed. */
export function throwFailures(failures: readonly ProgramFailure[]): void {
  if (failures.length > 0) throw new ProgramsFailed(failures);
}

const separately = 'the work on all programs together failed, so it is done program by program';

type Planned = { programIds: readonly string[]; run(programId: string): Promise<unknown> };

async function plan<C extends Ctx>(ctx: C, { find, run }: Work<C>): Promise<Planned> {
  const runOne = async (programId: string): Promise<unknown> => run(programId, await toOwnContext(ctx, programId));
  if (!find) return { programIds: await listPrograms(ctx), run: runOne };
  const ahead = await readClocksAhead(ctx);
  const findOne = async (programId: string): Promise<boolean> => {
    const now = timeOf(ctx, ahead.get(programId));
    return (await find(sql`program_id = ${programId}`, now).execute(ctx.db)).rows.length > 0;
  };
  const findAndRun = async (programId: string): Promise<void> => {
    if (await findOne(programId)) await runOne(programId);
  };
  try {
    const { rows } = await find(sql`true`, timeOf(ctx)).execute(forAllPrograms(ctx));
    const found = new Set(rows.map(({ programId }) => programId));
    // What is due by the system clock is due by a clock that is ahead, too.
    const run = (programId: string) => (found.has(programId) ? runOne(programId) : findAndRun(programId));
    return { programIds: [...found, ...[...ahead.keys()].filter((programId) => !found.has(programId))], run };
  } catch (error) {
    ctx.log?.warn({ err: error }, separately);
    return { programIds: await listPrograms(ctx), run: findAndRun };
  }
}

type Timed = Pick<Context, 'db' | 'allProgramsDb' | 'clock' | 'config' | 'log'>;

const isTimed = <C extends Ctx>(ctx: C): ctx is C & Timed => ctx.clock !== undefined && ctx.config !== undefined && ctx.log !== undefined;

async function readClocksAhead(ctx: Ctx): Promise<ReadonlyMap<string, number>> {
  return isTimed(ctx) ? new Map([...(await readTestClocks(ctx))].filter(([, offsetMs]) => offsetMs > 0)) : new Map();
}

/** With the clock of the program, and the connections to its node. */
async function toOwnContext<C extends Ctx>(ctx: C, programId: string): Promise<C> {
  const own = ctx.programDb ? { ...ctx, db: toNodeOf({ ...ctx, programDb: ctx.programDb }, programId) } : ctx;
  return isTimed(own) ? toProgramContext(own, programId) : own;
}

/** The time of a program whose clock is this much ahead. */
function timeOf({ clock }: Ctx, aheadMs = 0): Date {
  return new Date((clock?.now().getTime() ?? Number.NaN) + aheadMs);
}

async function runPlanned(ctx: Ctx, { programIds, run }: Planned, atOnce: number): Promise<ProgramFailure[]> {
  const failures: ProgramFailure[] = [];
  const waiting = [...programIds];
  const work = async (): Promise<void> => {
    for (let programId = waiting.shift(); programId !== undefined; programId = waiting.shift()) {
      try {
        await run(programId);
      } catch (error) {
        failures.push({ programId, error });
        ctx.log?.error({ err: error, programId }, 'failed for a program, and continued with the others');
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return failures;
}

/** The ids of all programs of this installation. */
export async function listPrograms({ db }: Pick<Context, 'db'>): Promise<string[]> {
  const programs = await db.selectFrom('programs').select('id').orderBy('id').execute();
  return programs.map(({ id }) => id);
}
