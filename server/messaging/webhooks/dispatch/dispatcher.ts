// Sends deliveries in the background: adds those of new events, claims what is due as places become free, attempts them
// side by side and records the outcomes together. Any number of processes can do this at the same time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import { isFrozen } from '../../../platform/freeze/freeze.ts';
import { createBatcher } from '../../../platform/lib/concurrency/micro-batch.ts';
import { Unavailable } from '../../../platform/lib/errors.ts';
import { attemptDelivery, type Recorded } from './attempt.ts';
import { claimDeliveries, expireClaims, findCandidates, releaseClaims } from './claim.ts';
import { fanOut } from './fan-out.ts';
import { planClaims, toShare } from './plan-claims.ts';
import type { Claimed } from './prepare.ts';
import { createRecorder } from './record.ts';

const pollMs = 500;
const expiryMs = 2000;
/** How long running attempts may go on when the process stops. */
const graceMs = 3000;
const recordTries = 5;
/** Deliveries that one place claims at a time, of webhooks that respond in time. Sent within the lease: each takes two seconds at most. */
const laneLength = 10;

export type Dispatcher = {
  /** Adds and claims what is due, and starts the attempts. Returns how many were started. */
  round(): Promise<number>;
  /** Resolves when no attempt is in progress. */
  settled(): Promise<void>;
  /** Resolves when an attempt has ended since the last round. */
  placeFree(): Promise<void>;
  /** Ends attempts in progress. */
  abort(): void;
};

export function createDispatcher(ctx: Context, only: string | null = null): Dispatcher {
  const busy = new Map<string, number>();
  const proven = new Map<string, number>();
  let freed = Promise.withResolvers<void>();
  const failing = new Set<string>();
  const lanes = new Set<Promise<void>>();
  const stopping = new AbortController();
  const record = createRecordQueue(ctx);
  const attempt = async (claimed: Claimed): Promise<number | null> => {
    const attempted = await attemptDelivery(ctx, claimed, stopping.signal);
    await recordSurely(ctx, () => record({ claimed, attempted }));
    return attempted.outcome === 'succeeded' ? toShare(attempted.durationMs) : null;
  };
  /** Sends deliveries of one webhook in turn. What is left after one that did not succeed in time is returned to the queue. */
  const runLane = async (webhookId: string, lane: readonly Claimed[]): Promise<void> => {
    for (const [index, claimed] of lane.entries()) {
      const isStopped = await isFrozenOrUnknown(ctx);
      const share = isStopped ? null : await attempt(claimed);
      if (share !== null) proven.set(webhookId, share);
      else {
        proven.delete(webhookId);
        const left = lane.slice(isStopped ? index : index + 1).map(({ delivery }) => delivery);
        await recordSurely(ctx, () => releaseClaims(ctx, left));
        break;
      }
    }
    busy.set(webhookId, (busy.get(webhookId) ?? 1) - 1);
    if (busy.get(webhookId) === 0) busy.delete(webhookId);
    freed.resolve();
  };
  return {
    placeFree: () => freed.promise,
    async round() {
      freed = Promise.withResolvers<void>();
      if (await isFrozen(ctx)) return 0;
      const candidates = await findCandidates(ctx, only);
      failing.clear();
      for (const { id, isFailing } of candidates) if (isFailing) failing.add(id);
      const shares = planClaims(candidates, { busy, proven, failing });
      if (shares.length === 0 || stopping.signal.aborted) return 0;
      const depths = shares.map((share) => ({ ...share, limit: share.limit * (proven.has(share.id) ? laneLength : 1) }));
      const claimed = await claimDeliveries(ctx, depths);
      const byWebhook = Map.groupBy(claimed, ({ delivery }) => delivery.webhookId);
      for (const { id, limit } of shares) {
        for (const lane of toLanes(byWebhook.get(id) ?? [], limit)) {
          busy.set(id, (busy.get(id) ?? 0) + 1);
          const running = runLane(id, lane).finally(() => lanes.delete(running));
          lanes.add(running);
        }
      }
      return claimed.length;
    },
    async settled() {
      while (lanes.size > 0) await Promise.all(lanes);
    },
    abort: () => stopping.abort(),
  };
}

/** A lane must end, so a lost connection counts as a freeze: its deliveries return to the queue. */
function isFrozenOrUnknown(ctx: Context): Promise<boolean> {
  return isFrozen(ctx).catch(() => true);
}

/** Records outcomes together: those of all webhooks that arrive while the ones before are written. */
function createRecordQueue(ctx: Context): (recorded: Recorded) => Promise<null> {
  return createBatcher<Recorded, null>({
    run: createRecorder(ctx),
    concurrency: 1,
    maxBatch: 100,
    maxWaiting: 10_000,
    overloadError: () => new Unavailable('Too many outcomes wait to be recorded.'),
  });
}

/** Deals deliveries out to lanes, in their order. */
function toLanes(claimed: readonly Claimed[], count: number): Claimed[][] {
  const dealt = Array.from({ length: count }, (_, lane) => claimed.filter((_one, index) => index % count === lane));
  return dealt.filter((lane) => lane.length > 0);
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

/** Delivers everything that is due in all programs, or only in one, and resolves when nothing is. */
export async function deliverDue(ctx: Context, only: string | null = null): Promise<number> {
  const dispatcher = createDispatcher(ctx, only);
  await expireClaims(ctx);
  for (let total = 0; ; ) {
    const unfinished = await fanOut(ctx, only);
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
  const every = async (ms: number, work: () => Promise<unknown>, what: string): Promise<void> => {
    while (!isStopped) {
      const isMore = await work().catch((error: unknown) => ctx.log.error({ err: error }, `failed to ${what}`));
      if (!isStopped && !isMore) await sleep(ms);
    }
  };
  // Deliveries are looked for whenever events have been read, and again as places become free.
  let eventsRead = Promise.withResolvers<void>();
  const readEvents = async (): Promise<boolean> => {
    const unfinished = await fanOut(ctx);
    eventsRead.resolve();
    return unfinished > 0;
  };
  const send = async (): Promise<true> => {
    eventsRead = Promise.withResolvers<void>();
    const started = await dispatcher.round();
    await Promise.race([sleep(pollMs), started > 0 ? dispatcher.placeFree() : eventsRead.promise]);
    return true;
  };
  const loops = Promise.all([
    every(pollMs, readEvents, 'add webhook deliveries'),
    every(pollMs, send, 'send webhook deliveries'),
    every(expiryMs, async () => void (await expireClaims(ctx)), 'return webhook deliveries of ended processes'),
  ]);
  return async () => {
    isStopped = true;
    await loops;
    const grace = setTimeout(() => dispatcher.abort(), graceMs);
    await dispatcher.settled();
    clearTimeout(grace);
  };
}
