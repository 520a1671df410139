// Sends deliveries in the background: adds those of new events, claims what is due as places become free, attempts them
// side by side and records the outcomes together. Any number of processes can do this at once.
import type { Context } from '../../../context.ts';
import { createBatcher } from '../../../platform/lib/concurrency/micro-batch.ts';
import { Unavailable } from '../../../platform/lib/errors.ts';
import { attemptDelivery, type Recorded } from './attempt.ts';
import { type Claimed, claimDeliveries, expireClaims, findCandidates } from './claim.ts';
import { fanOut } from './fan-out.ts';
import { planClaims } from './plan-claims.ts';
import { recordAttempts } from './record.ts';

const pollMs = 500;
const expiryMs = 2000;
/** How long running attempts may go on when the process stops. */
const graceMs = 3000;
/** A webhook that answers within this time gets more places. */
const quickMs = 2000;
const recordTries = 5;

export type Dispatcher = {
  /** Adds and claims what is due, and starts the attempts. Returns how many were started. */
  round(): Promise<number>;
  /** Resolves when no attempt is in progress. */
  settled(): Promise<void>;
  /** Ends attempts in progress. */
  abort(): void;
};

export function createDispatcher(ctx: Context): Dispatcher {
  const busy = new Map<string, number>();
  const proven = new Set<string>();
  const failing = new Set<string>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const record = createBatcher<Recorded, null>({
    run: (recorded) => recordAttempts(ctx, recorded),
    concurrency: 2,
    maxBatch: 100,
    maxWaiting: 10_000,
    overloadError: () => new Unavailable('Too many outcomes wait to be recorded.'),
  });
  const run = async (claimed: Claimed): Promise<void> => {
    const { webhookId } = claimed.delivery;
    const attempted = await attemptDelivery(ctx, claimed, stopping.signal);
    const isQuick = attempted.outcome === 'succeeded' && attempted.durationMs < quickMs;
    if (isQuick) proven.add(webhookId);
    else proven.delete(webhookId);
    await recordSurely(ctx, () => record({ claimed, attempted }));
    busy.set(webhookId, (busy.get(webhookId) ?? 1) - 1);
    if (busy.get(webhookId) === 0) busy.delete(webhookId);
  };
  return {
    async round() {
      const candidates = await findCandidates(ctx);
      failing.clear();
      for (const { id, isFailing } of candidates) if (isFailing) failing.add(id);
      const shares = planClaims(candidates, { busy, proven, failing });
      const claimed = shares.length === 0 || stopping.signal.aborted ? [] : await claimDeliveries(ctx, shares);
      for (const one of claimed) {
        busy.set(one.delivery.webhookId, (busy.get(one.delivery.webhookId) ?? 0) + 1);
        const attempt = run(one).finally(() => running.delete(attempt));
        running.add(attempt);
      }
      return claimed.length;
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
    abort: () => stopping.abort(),
  };
}

/** An outcome that is not recorded is sent again when its lease ends, so a lost connection is waited for. */
async function recordSurely(ctx: Context, record: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await record();
      return;
    } catch (error) {
      ctx.log.error({ err: error, attempt }, 'failed to record an attempt of a webhook delivery');
      if (attempt === recordTries) return;
      await sleep(attempt * 500);
    }
  }
}

/** Delivers everything that is due, and resolves when nothing is. For tests and commands. */
export async function deliverDue(ctx: Context): Promise<number> {
  const dispatcher = createDispatcher(ctx);
  await expireClaims(ctx);
  for (let total = 0; ; ) {
    const unfinished = await fanOut(ctx);
    const started = await dispatcher.round();
    await dispatcher.settled();
    total += started;
    if (started === 0 && unfinished === 0) return total;
  }
}

/** Delivers until it is stopped. Returns a function that stops it. */
export function startDispatcher(ctx: Context): () => Promise<void> {
  const dispatcher = createDispatcher(ctx);
  let isStopped = false;
  let wake: () => void = () => undefined;
  const every = async (ms: number, work: () => Promise<unknown>, what: string): Promise<void> => {
    while (!isStopped) {
      const isMore = await work().catch((error: unknown) => ctx.log.error({ err: error }, `failed to ${what}`));
      if (!isStopped && !isMore) await sleep(ms);
    }
  };
  const send = async (): Promise<boolean> => {
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const started = await dispatcher.round();
    // The next places become free within moments.
    if (started > 0) await Promise.race([sleep(20), woken]);
    return started > 0;
  };
  const loops = Promise.all([
    every(pollMs, () => fanOut(ctx), 'add webhook deliveries'),
    every(100, send, 'send webhook deliveries'),
    every(expiryMs, async () => void (await expireClaims(ctx)), 'return webhook deliveries of ended processes'),
  ]);
  return async () => {
    isStopped = true;
    wake();
    await loops;
    const grace = setTimeout(() => dispatcher.abort(), graceMs);
    await dispatcher.settled();
    clearTimeout(grace);
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
