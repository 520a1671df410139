// A click is decided in memory, and those to record are written together: their visitors are redirected after the commit.
// Each program has a queue of its own. It is bounded: beyond it, and while the program's clicks can't be written, clicks
// are not recorded.
import type { Context } from '../../../context.ts';
import { sqlState } from '../../../platform/db/transact.ts';
import { createBatcher } from '../../../platform/lib/concurrency/micro-batch.ts';
import { Unavailable } from '../../../platform/lib/errors.ts';
import type { Click, ClickRow, Recorded } from './click.ts';
import { type Progress, withTimeout } from './deadline.ts';
import { decide, hasLimits, type Identified, identify } from './decide.ts';
import { createExchange } from './exchange.ts';
import { createSaltCache } from './networks.ts';
import { createRepeats, type Repeats } from './repeats.ts';
import { writeClicks } from './write-clicks.ts';

/** The statement timeout of the database (db/connect.ts). Visits have a shorter deadline of their own. */
const writeMs = 5000;
const pauseMs = 500;
export const unavailable: Recorded = { recorded: false, clickId: null, reason: 'unavailable' };

export type Recorder = {
  /** Records a click in the next batch, unless it is rejected. Never rejects its promise. */
  record(click: Click): Promise<Recorded>;
  /** Tells other processes at once what this one counted. */
  flush(): Promise<void>;
};

type Queue = (row: ClickRow) => Promise<Recorded>;

/** `progress` moves with each batch. */
export function createClickRecorder(ctx: Context, progress: Progress = { movedAt: 0 }): Recorder {
  const loadSalt = createSaltCache(ctx);
  const exchange = createExchange(ctx);
  const repeats = createRepeats();
  const queues = new Map<string, Queue>();
  const write = async (found: Identified): Promise<Recorded> => {
    const { programId } = found.click.link;
    const { outcome, row } = decide(repeats, found, await found.click.isActive());
    if (row === null) return outcome;
    const enqueue = queues.get(programId) ?? createQueue(ctx, repeats, progress);
    queues.set(programId, enqueue);
    return enqueue(row);
  };
  const record = async (click: Click): Promise<Recorded> => {
    const salt = await loadSalt(click.at);
    if (hasLimits(click.settings)) await exchange.load(click.link.programId);
    // A visitor who was redirected in the meantime neither counts nor is recorded.
    if (click.isOver()) return unavailable;
    const found = identify(click, ctx.ids.uuid(), salt);
    if (!exchange.windows.admit(found.windows, click.at)) return { recorded: false, clickId: null, reason: 'rate_limited' };
    exchange.schedule();
    const recorded = await write(found).catch(() => unavailable);
    if (recorded === unavailable) exchange.windows.takeBack(found.windows, click.at);
    return recorded;
  };
  return { record: (click) => record(click).catch(() => unavailable), flush: exchange.flush };
}

/** The queue of one program. When its batch fails, only this program pauses. */
function createQueue(ctx: Context, repeats: Repeats, progress: Progress): Queue {
  let pausedUntil = 0;
  return createBatcher<ClickRow, Recorded>({
    concurrency: 2,
    maxBatch: 500,
    maxWaiting: 20_000,
    overloadError: () => new Unavailable('Too many clicks are waiting. Try again.'),
    async run(waiting) {
      const isLive = waiting.map(({ click }) => !click.isOver());
      const rows = waiting.filter((_, index) => isLive[index]);
      // Visitors who already waited for an unresponsive database don't wait for it again.
      if (rows.length === 0 || performance.now() < pausedUntil) return waiting.map(() => unavailable);
      try {
        const written = (await withTimeout(writeMs, writeClicks(ctx, rows, repeats))).values();
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
