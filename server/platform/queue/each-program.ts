// Work of a job or command that concerns all programs: program by program, so that one that fails does not stop the others.
// On several database servers, a program fails while its server does not respond.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';

type Ctx = Pick<Context, 'db'> & Partial<Pick<Context, 'log'>>;

/** A condition on `program_id`: one program, or all. */
export type Scope = RawBuilder<unknown>;

type Work = {
  /**
   * The programs with something to do, as a query with the column `program_id` for the programs that meet `scope`. It is sent once
   * for all programs; if that fails, once for each. Without it, `run` is called for every program.
   */
  find?: (scope: Scope) => RawBuilder<{ programId: string }>;
  /** Runs for each program; its changes commit separately. */
  run(programId: string): Promise<unknown>;
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

/** Runs `run` for every program that `find` returns, whatever happens to the others. Throws `ProgramsFailed` at the end. */
export async function forEachProgram(ctx: Ctx, work: Work): Promise<void> {
  throwFailures(await tryEachProgram(ctx, work));
}

/** Like `forEachProgram`, but returns the programs that failed. */
export async function tryEachProgram(ctx: Ctx, { find, run, atOnce = 1 }: Work): Promise<ProgramFailure[]> {
  return runPlanned(ctx, await plan(ctx, find ? { find, run } : { run }), atOnce);
}

/**
 * Runs `run` once for all programs together; if that fails, for each program separately, and throws `ProgramsFailed` for those
 * that failed again. For work that reads little and can be repeated.
 */
export async function togetherOrEach(ctx: Ctx, run: (scope: Scope, programId: string | null) => Promise<void>): Promise<void> {
  try {
    await run(sql`true`, null);
  } catch (error) {
    if (error instanceof ProgramsFailed) throw error;
    ctx.log?.warn({ err: error }, separately);
    await forEachProgram(ctx, { run: (programId) => run(sql`program_id = ${programId}`, programId) });
  }
}

/**
 * Reads rows of these programs in one statement; if that fails, of each program. `select` returns the query for the programs that
 * meet `scope`. Rows of programs that fail are missing.
 */
export async function readPrograms<Row>(
  ctx: Ctx,
  programIds: readonly string[],
  select: (scope: Scope) => RawBuilder<Row>,
): Promise<{ rows: Row[]; failures: ProgramFailure[] }> {
  if (programIds.length === 0) return { rows: [], failures: [] };
  try {
    return { rows: (await select(sql`program_id = any(${[...programIds]}::uuid[])`).execute(ctx.db)).rows, failures: [] };
  } catch (error) {
    ctx.log?.warn({ err: error }, separately);
    const rows: Row[] = [];
    const run = async (programId: string) => void rows.push(...(await select(sql`program_id = ${programId}`).execute(ctx.db)).rows);
    return { failures: await runPlanned(ctx, { programIds, run }, 1), rows };
  }
}

/** Throws `ProgramsFailed` if any program failed. */
export function throwFailures(failures: readonly ProgramFailure[]): void {
  if (failures.length > 0) throw new ProgramsFailed(failures);
}

const separately = 'the work on all programs together failed, so it is done program by program';

type Planned = { programIds: readonly string[]; run(programId: string): Promise<unknown> };

async function plan(ctx: Ctx, { find, run }: Work): Promise<Planned> {
  if (!find) return { programIds: await listPrograms(ctx), run };
  try {
    const { rows } = await find(sql`true`).execute(ctx.db);
    return { programIds: rows.map(({ programId }) => programId), run };
  } catch (error) {
    ctx.log?.warn({ err: error }, separately);
    const findAndRun = async (programId: string): Promise<void> => {
      const { rows } = await find(sql`program_id = ${programId}`).execute(ctx.db);
      if (rows.length > 0) await run(programId);
    };
    return { programIds: await listPrograms(ctx), run: findAndRun };
  }
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
