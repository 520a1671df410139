// Sending: claims are committed, rails are called with no transaction open, answers are booked in groups. The key
// of every call is the payout's id, for ever. Killed at any point, another process goes on.
import { sql } from 'kysely';
import { getUsableProvider, openPayoutProvider, type Provider } from '../../../connections/providers/provider.ts';
import { getRailType } from '../../../connections/rails/index.ts';
import type { Answer, Rail, RailType } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { createBatcher } from '../../../platform/lib/concurrency/micro-batch.ts';
import { createPacer } from '../../../platform/lib/concurrency/pacing.ts';
import { job } from '../../../platform/queue/job.ts';
import type { Item } from '../payout.ts';
import { reconcileProvider } from '../reconcile/compare.ts';
import { findLock } from '../safety.ts';
import { settle, type Word } from '../settle.ts';
import { claimQueued } from './claim.ts';
import { sendPayoutsJob } from './job-name.ts';
import { toPayment } from './payment.ts';

const bookingGapMs = 100;
/** Claims at once, for each call at once: fewer transactions, and a lease lasts for all of them. */
const claimsAhead = 2;

export const sendPayouts = job<{ programId: string }>({
  ...sendPayoutsJob,
  retries: 5,
  async run(ctx, { programId }) {
    await sendQueued(ctx, programId);
  },
});

/** Sends whatever of the program is queued and may be sent. Returns how many answers came. */
export async function sendQueued(ctx: Context, programId: string): Promise<number> {
  if (await transact(ctx, (tx) => findLock(tx, programId))) return 0;
  let answers = 0;
  for (const providerId of await waitingProviders(ctx, programId)) {
    const provider = await getUsableProvider(ctx, programId, providerId);
    const type = getRailType(provider.type);
    if (!type.isAutomatic || provider.status === 'disabled') continue;
    answers += await sendBy(ctx, provider, type);
  }
  return answers;
}

/** Where something may go out, and nobody is at it: a rail is called by one process at a time. */
async function waitingProviders(ctx: Context, programId: string): Promise<string[]> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ providerId: string }>`
    select distinct batch.provider_id from payout_items as item
    join payout_batches as batch on batch.program_id = item.program_id and batch.id = item.batch_id
    where item.program_id = ${programId} and item.status = 'queued' and batch.provider_id is not null
      and (item.next_look_at is null or item.next_look_at <= ${now}) and (not batch.needs_approval or batch.approved_at is not null)
      and not exists (
        select 1 from payout_items as busy join payout_batches as other on other.program_id = busy.program_id and other.id = busy.batch_id
        where busy.program_id = ${programId} and busy.status = 'sending' and busy.lease_until > ${now}
          and other.provider_id = batch.provider_id)`.execute(ctx.db);
  return rows.map(({ providerId }) => providerId);
}

/** The rail's own book is read first: a payment in it that we know nothing of stops everything. */
async function sendBy(ctx: Context, provider: Provider, type: RailType): Promise<number> {
  const { programId, id: providerId } = provider;
  const { concurrency } = type;
  const rail = openPayoutProvider(ctx, provider);
  if (!(await reconcileProvider(ctx, provider, rail)).isClean) return 0;
  const book = booksOf(ctx, programId);
  const claims = claiming(ctx, { programId, providerId, limit: concurrency * claimsAhead });
  const pace = createPacer(concurrency);
  const booked: Promise<void>[] = [];
  const lane = async () => {
    for (let item = await claims.next(); item; item = await claims.next()) {
      const answer = claims.isPaused() || isStale(ctx, item) ? paused : await pace.run(() => call(ctx, item, { rail, type }));
      if (answer.outcome === 'later') claims.pause();
      // Not waited for: the rail is slower than our ledger. Killed now, the payout is asked for again.
      const booking = book({ itemId: item.id, answer });
      booking.catch(() => {}); // Waited for at the end, whatever happens to the lanes before.
      booked.push(booking);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  await Promise.all(booked);
  return booked.length;
}

/** Claims for the lanes, some in advance, so that they don't all wait for one another. */
function claiming(ctx: Context, wanted: { programId: string; providerId: string; limit: number }) {
  const ready: Item[] = [];
  let [isPaused, isOver] = [false, false];
  const fill = oneAtATime(async () => {
    if (ready.length >= wanted.limit || isPaused || isOver) return;
    const claimed = await claimQueued(ctx, wanted);
    isOver = claimed.length < wanted.limit;
    ready.push(...claimed);
  });
  return {
    isPaused: () => isPaused,
    pause() {
      isPaused = true;
    },
    async next(): Promise<Item | undefined> {
      if (ready.length === 0) await fill();
      else if (ready.length < wanted.limit) fill().catch(() => {}); // Whoever needs it next asks again, and waits.
      return ready.shift();
    },
  };
}

/** So long may one payment take, with all of its calls. A claim that could run out meanwhile is given back. */
const longestSendMs = 150_000;

/** Also after this process lost its presence: another one may have taken the claim over. */
function isStale({ clock, processLock }: Pick<Context, 'clock' | 'processLock'>, { leaseUntil, claimedBy }: Item): boolean {
  if (claimedBy !== null && claimedBy !== processLock?.id()) return true;
  return leaseUntil === null || leaseUntil.getTime() - clock.now().getTime() < longestSendMs;
}

const paused: Answer = { outcome: 'later', retryAfterSeconds: 5, reason: 'the rail asked for fewer calls' };

/**
 * Answers are booked in groups: nobody waits for them, and each group takes the ledger once. Killed before, they are
 * asked for again.
 */
function booksOf(ctx: Context, programId: string) {
  return createBatcher<Word, void>({
    ...{ concurrency: 1, maxBatch: 500, maxWaiting: 10_000, lingerMs: bookingGapMs, failsAll: () => true },
    overloadError: () => new Error('Too many answers of a rail wait to be booked.'),
    async run(words) {
      await settle(ctx, programId, words, 'rail');
      return words.map(() => undefined);
    },
  });
}

/** Callers that come while it runs wait for their own turn. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
}

/** A rail that throws has given no clear answer; nor has one whose refusal may be about the repeat alone. */
export async function call(ctx: Context, item: Item, { rail, type }: { rail: Rail; type: RailType }): Promise<Answer> {
  try {
    const answer = await rail.send(toPayment(ctx, item));
    const isDoubtful = answer.outcome === 'failed' && item.tries > 1 && !type.believesRefusalOfRepeat;
    return isDoubtful ? { outcome: 'unknown', reason: `refused when it was sent again: ${answer.code}` } : answer;
  } catch (error) {
    ctx.log.error({ err: error, payoutId: item.id }, 'a rail threw');
    return { outcome: 'unknown', reason: 'the call failed in an unexpected way' };
  }
}
