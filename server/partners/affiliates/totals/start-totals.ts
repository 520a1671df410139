// What follows the totals: recorded clicks are added to them, and marked figures are copied. Each second, or less often under
// load: a popular affiliate's row is then updated once for more clicks and orders.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import { copyFigures } from './copy-figures.ts';
import { foldClicks } from './fold-clicks.ts';

const minPauseMs = 1000;
const maxPauseMs = 5000;
/** A pause is this many times as long as the run before it, so that runs take a small share of the database's time. */
const pauseFactor = 20;

/** Runs in intervals until it is stopped. Returns a function that stops it. */
export function startTotals(ctx: Context): () => Promise<void> {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      await foldClicks(ctx).catch((error: unknown) => ctx.log.error({ err: error }, 'failed to add clicks to the totals'));
      await copyFigures(ctx).catch((error: unknown) => ctx.log.error({ err: error }, 'failed to copy the figures of affiliates'));
      const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, pauseFactor * (performance.now() - startedAt)));
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
