// Clicks that arrive together are written together, and their visitors are redirected after the commit. Each program has
// a queue of its own. It is bounded: beyond it, and while the program's clicks can't be written, clicks are not recorded.
import type { KeyObject } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { sqlState } from '../../../platform/db/transact.ts';
import { createBatcher } from '../../../platform/lib/concurrency/micro-batch.ts';
import { Unavailable } from '../../../platform/lib/errors.ts';
import type { Click, Recorded } from './click.ts';
import { type Progress, withTimeout } from './deadline.ts';
import { decideTogether } from './decide-together.ts';
import { createSaltCache } from './networks.ts';
import { writeClicks } from './write-clicks.ts';

/** The statement timeout of the database (db/connect.ts). Visits have a shorter deadline of their own. */
const writeMs = 5000;
const pauseMs = 500;
export const unavailable: Recorded = { recorded: false, clickId: null, reason: 'unavailable' };

type Recorder = (click: Click) => Promise<Recorded>;

/** Returns a function that records a click in the next batch. It never rejects. `progress` moves with each batch. */
export function createClickRecorder(ctx: Context, progress: Progress = { movedAt: 0 }): Recorder {
  const loadSalt = createSaltCache(ctx);
  const queues = new Map<string, Recorder>();
  return (click) => {
    const { programId } = click.link;
    const enqueue = queues.get(programId) ?? createQueue(ctx, loadSalt, progress);
    queues.set(programId, enqueue);
    return enqueue(click).catch(() => unavailable);
  };
}

/** The queue of one program. When its batch fails, only this program pauses. */
function createQueue(ctx: Context, loadSalt: (at: Date) => Promise<KeyObject>, progress: Progress): Recorder {
  let pausedUntil = 0;
  const write = async (clicks: readonly Click[]): Promise<readonly Recorded[]> => {
    const salt = await loadSalt(clicks[0]?.at ?? ctx.clock.now());
    if (clicks.every((click) => click.isOver())) throw new Unavailable('The visitors have been redirected.');
    return recordTogether(ctx, clicks, salt);
  };
  return createBatcher<Click, Recorded>({
    concurrency: 2,
    maxBatch: 500,
    maxWaiting: 20_000,
    overloadError: () => new Unavailable('Too many clicks are waiting. Try again.'),
    async run(waiting) {
      const isLive = waiting.map((click) => !click.isOver());
      const clicks = waiting.filter((_, index) => isLive[index]);
      // Visitors who already waited for an unresponsive database don't wait for it again.
      if (clicks.length === 0 || performance.now() < pausedUntil) return waiting.map(() => unavailable);
      try {
        const recorded = (await withTimeout(writeMs, write(clicks))).values();
        progress.movedAt = performance.now();
        return isLive.map((live) => (live ? (recorded.next().value ?? unavailable) : unavailable));
      } catch (error) {
        const isInvalidRow = /^2[23]/.test(sqlState(error));
        // The clicks are retried one by one, so that an invalid row doesn't fail the others.
        if (isInvalidRow && waiting.length > 1) throw error;
        if (!isInvalidRow) pausedUntil = performance.now() + pauseMs;
        ctx.log.warn({ reason: error instanceof Error ? error.message : String(error), clicks: clicks.length }, 'clicks were not recorded');
        return waiting.map(() => unavailable);
      }
    },
  });
}

async function recordTogether(ctx: Context, clicks: readonly Click[], salt: KeyObject): Promise<readonly Recorded[]> {
  const decisions = await decideTogether(ctx, clicks, salt);
  await writeClicks(
    ctx,
    decisions.flatMap((decision) => ('row' in decision ? [decision.row] : [])),
  );
  return decisions.map(({ outcome }) => outcome);
}
