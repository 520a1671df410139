// The time of programs in test mode, which can be ahead of the system clock. Each has a row in test_clocks; what runs for one
// program (a request, a job, a delivery) sees its clock. Live programs have no row, and cost no statement.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import type { Clock } from '../lib/clock.ts';

/** How far the clocks of programs in test mode are ahead, in milliseconds, by the program's id. */
export type TestClocks = ReadonlyMap<string, number>;

type Ctx = Pick<Context, 'db' | 'allProgramsDb' | 'config' | 'log'>;

const freshMs = 1000;

/** `freshFrom`: what was read before then may be outdated. */
type Known = { clocks: TestClocks; readAt: number; freshFrom: number };

/** By the settings of the process, which all contexts of a process share. */
const known = new WeakMap<Context['config'], Known>();
const unread: Known = { clocks: new Map(), readAt: Number.NEGATIVE_INFINITY, freshFrom: Number.NEGATIVE_INFINITY };

/**
 * The clocks of all programs in test mode, read at most once a second: a clock that another process adds or advances is seen a
 * second later. If they can't be read, the last ones.
 */
export async function readTestClocks(ctx: Ctx): Promise<TestClocks> {
  const last = known.get(ctx.config) ?? unread;
  const now = performance.now();
  if (now - last.readAt < freshMs && last.readAt >= last.freshFrom) return last.clocks;
  const clocks = await selectClocks(ctx).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'failed to read the clocks of programs in test mode');
    return last.clocks;
  });
  known.set(ctx.config, { clocks, readAt: now, freshFrom: known.get(ctx.config)?.freshFrom ?? last.freshFrom });
  return clocks;
}

/** Makes this process read the clocks again, even before the transaction that changes one has committed. */
export function expectChangedClocks({ config }: Pick<Context, 'config'>): void {
  known.set(config, { ...(known.get(config) ?? unread), freshFrom: performance.now() + freshMs });
}

async function selectClocks({ db, allProgramsDb = db }: Ctx): Promise<TestClocks> {
  const { rows } = await sql<{ programId: string; offsetMs: number }>`select program_id, offset_ms from test_clocks`.execute(allProgramsDb);
  return new Map(rows.map(({ programId, offsetMs }) => [programId, offsetMs]));
}

/** The context of one program: with its clock, if it is in test mode. Its transactions keep the clock from being advanced. */
export async function toProgramContext<C extends Ctx & Pick<Context, 'clock'>>(ctx: C, programId: string): Promise<C> {
  if (ctx.clock.system || !(await readTestClocks(ctx)).has(programId)) return ctx;
  return {
    ...ctx,
    clock: aheadOf(ctx.clock, await readOffset(ctx.db, programId)),
    holdClock: async (db: Tx['db']) => aheadOf(ctx.clock, await readOffset(db, programId, { hold: true })),
  };
}

/** The context of a program's request: its share of the connections, on the node that stores it, and its clock. */
export function toProgramRequest<C extends Ctx & Pick<Context, 'clock' | 'programDb'>>(ctx: C, programId: string): Promise<C> {
  return toProgramContext({ ...ctx, db: ctx.programDb(programId) }, programId);
}

/** The times of programs, in their order. For statements about several programs. */
export async function readTimes(ctx: Ctx & Pick<Context, 'clock'>, programIds: readonly string[]): Promise<Date[]> {
  const clocks = await readTestClocks(ctx);
  return programIds.map((programId) => {
    const clock = aheadOf(ctx.clock, clocks.get(programId) ?? 0);
    return clock.now();
  });
}

/** A clock that is this much ahead of another. It reports no steps: they would be those of the system clock. */
export function aheadOf(system: Clock, offsetMs: number): Clock {
  return { system, now: () => new Date(system.now().getTime() + offsetMs) };
}

async function readOffset(db: Context['db'] | Tx['db'], programId: string, { hold = false } = {}): Promise<number> {
  const { rows } = await sql<{ offsetMs: number }>`
    select offset_ms from test_clocks where program_id = ${programId} ${hold ? sql`for share` : sql``}`.execute(db);
  return rows[0]?.offsetMs ?? 0;
}
