// What follows the totals within about a second: recorded clicks are added to them, and marked figures are copied.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import { copyFigures } from './copy-figures.ts';
import { foldClicks } from './fold-clicks.ts';

const intervalMs = 1000;

/** Runs each second until it is stopped. Returns a function that stops it. */
export function startTotals(ctx: Context): () => Promise<void> {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await foldClicks(ctx).catch((error: unknown) => ctx.log.error({ err: error }, 'failed to add clicks to the totals'));
      await copyFigures(ctx).catch((error: unknown) => ctx.log.error({ err: error }, 'failed to copy the figures of affiliates'));
      await sleep(intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
