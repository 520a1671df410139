// A click is decided in memory, and those to record are written together: their visitors are redirected after the commit.
// Each program has its own queue. It is bounded: beyond it, and while the program's clicks can't be written, clicks
// are not recorded.
import type { Context } from '../../../context.ts';
import { sqlState } from '../../../platform/db/statements/sql-state.ts';
import { createByProgram } from '../../../platform/lib/concurrency/by-program.ts';
import { type Batcher, createBatcher } from '../../../platform/lib/concurrency/micro-batch.ts';
import { withTimeout } from '../../../platform/lib/concurrency/timeout.ts';
import { Unavailable } from '../../../platform/lib/errors.ts';
import type { Click, ClickRow, Recorded } from './click.ts';
import type { Progress } from './deadline.ts';
import { decide, hasLimits, identify, type Memory } from './decide.ts';
import { createExchange } from './exchange.ts';
import { createInactive } from './inactive.ts';
import { createSaltCache } from './networks.ts';
import { createRepeats } from './repeats.ts';
import { writeClicks } from './write-clicks.ts';

/** The statement timeout of the database (db/connect.ts). Visits have a shorter deadline. */
const writeMs = 5000;
const pauseMs = 500;
export const unavailable: Recorded = { recorded: false, clickId: null, reason: 'unavailable' };

export type Recorder = {
  /** Records a click in the next batch. Without a promise when it is rejected immediately. Never throws or rejects. */
  record(click: Click): Recorded | Promise<Recorded>;
  /** Publishes this process's counts immediately. */
  flush(): Promise<void>;
};

/** `progress` moves with each batch. */
export function createClickRecorder(ctx: Context, progress: Progress = { movedAt: 0 }): Recorder {
  const loadSalt = createSaltCache(ctx);
  const exchange = createExchange(ctx);
  const memory: Memory = { repeats: createRepeats(), inactive: createInactive() };
  const queueOf = createByProgram(() => createQueue(ctx, memory, progress));
  const decideWith = (click: Click, salt: string): Recorded | Promise<Recorded> => {
    // A visitor who was redirected in the meantime neither counts nor is recorded.
    if (click.wait.isOver) return unavailable;
    const found = identify(click, salt);
    if (!exchange.windows.admit(found.windows, click.at)) return { recorded: false, clickId: null, reason: 'rate_limited' };
    exchange.schedule();
    const { outcome, row } = decide(memory, found, ctx.ids.uuid());
    if (row === null) return outcome;
    const settle = (recorded: Recorded): Recorded => {
      if (recorded === unavailable) exchange.windows.takeBack(found.windows, click.at);
      return recorded;
    };
    return queueOf(row.click.link.programId)(row).then(settle, () => settle(unavailable));
  };
  const record = (click: Click): Recorded | Promise<Recorded> => {
    const salt = loadSalt(click.at);
    const loading = hasLimits(click.settings) ? exchange.load(click.link.programId) : undefined;
    if (typeof salt === 'string' && !loading) return decideWith(click, salt);
    const loaded = Promise.all([salt, loading]).then(([read]) => decideWith(click, read));
    return loaded.catch(() => unavailable);
  };
  return { record, flush: exchange.flush };
}

/** The queue of one program. When its batch fails, only this program pauses. */
function createQueue(ctx: Context, memory: Memory, progress: Progress): Batcher<ClickRow, Recorded> {
  let pausedUntil = 0;
  return createBatcher<ClickRow, Recorded>({
    concurrency: 1,
    maxBatch: 500,
    maxWaiting: 20_000,
    overloadError: () => new Unavailable('Too many clicks are waiting. Try again.'),
    async run(waiting) {
      const isLive = waiting.map(({ click }) => !click.wait.isOver);
      const rows = waiting.filter((_, index) => isLive[index]);
      // Visitors who already waited for an unresponsive database don't wait for it again.
      if (rows.length === 0 || performance.now() < pausedUntil) return waiting.map(() => unavailable);
      try {
        const written = (await withTimeout(writeMs, writeClicks(ctx, rows, memory))).values();
        progress.movedAt = performance.now();
        return isLive.map((live) => (live ? (written.next().value ?? unavailable) : unavailable));
      } catch (error) {
        const isInvalidRow = /^2[23]/.test(sqlState(error));
        // The clicks are retried one by one, so that an invalid row doesn't fail the others.
        if (isInvalidRow && waiting.length > 1) throw error;
        if (!isInvalidRow) pausedUntil = performance.now() + pauseMs;
        ctx.log.warn({ reason: error instanceof Error ? error.message : String(error), clicks: rows.length }, 'clicks were not recorded');
        return waiting.map(() => unavailable);
      }
    },
  });
}
