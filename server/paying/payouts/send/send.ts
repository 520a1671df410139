// Sends payouts: claims are committed, providers are called with no transaction open, and responses are applied in groups.
// The idempotency key of every call is permanently the payout's id. After a kill at any point, another process continues.
import { sql } from 'kysely';
import { getUsableProvider, openPayoutProvider, type Provider } from '../../../connections/providers/provider.ts';
import { getRailType } from '../../../connections/rails/index.ts';
import type { Outcome, Rail, RailType } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { isFrozen } from '../../../platform/freeze/freeze.ts';
import { createBatcher } from '../../../platform/lib/concurrency/micro-batch.ts';
import { createPacer } from '../../../platform/lib/concurrency/pacing.ts';
import { job } from '../../../platform/queue/job.ts';
import { applyResponses, type PayoutResponse } from '../apply-responses.ts';
import { findLock } from '../lock.ts';
import type { Payout } from '../payout.ts';
import { compareProvider } from '../reconcile/compare-provider.ts';
import { callProvider } from './call-provider.ts';
import { claimQueued } from './claim.ts';
import { sendPayoutsJob } from './send-job.ts';

const lingerMs = 100;
/** Payouts claimed per concurrent call: fewer transactions, and short enough for one lease. */
const claimsPerCall = 2;
/** The longest time that one payment with all of its calls can take. A claim that could expire in the meantime is released. */
const longestSendMs = 150_000;

export const sendPayouts = job<{ programId: string }>({
  ...sendPayoutsJob,
  retries: 5,
  async run(ctx, { programId }) {
    await sendQueued(ctx, programId);
  },
});

/** Sends the queued payouts of the program. Returns how many responses were received. */
export async function sendQueued(ctx: Context, programId: string): Promise<number> {
  if ((await isFrozen(ctx)) || (await transact(ctx, (tx) => findLock(tx, programId)))) return 0;
  let responses = 0;
  for (const providerId of await findWaitingProviders(ctx, programId)) {
    const provider = await getUsableProvider(ctx, programId, providerId);
    const type = getRailType(provider.type);
    if (!type.isAutomatic || provider.status === 'disabled') continue;
    responses += await sendThrough(ctx, provider, type);
  }
  return responses;
}

/** Providers with payouts to send that no other process is calling: one process calls a provider at a time. */
async function findWaitingProviders(ctx: Context, programId: string): Promise<string[]> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ providerId: string }>`
    select distinct batch.provider_id from payouts as payout
    join payout_batches as batch on batch.program_id = payout.program_id and batch.id = payout.batch_id
    where payout.program_id = ${programId} and payout.status = 'queued' and batch.provider_id is not null
      and (payout.next_check_at is null or payout.next_check_at <= ${now}) and (not batch.needs_approval or batch.approved_at is not null)
      and not exists (
        select 1 from payouts as busy join payout_batches as other on other.program_id = busy.program_id and other.id = busy.batch_id
        where busy.program_id = ${programId} and busy.status = 'sending' and busy.lease_until > ${now}
          and other.provider_id = batch.provider_id)`.execute(ctx.db);
  return rows.map(({ providerId }) => providerId);
}

/** Compares with the provider's own list first: an unknown payment in it stops everything. */
async function sendThrough(ctx: Context, provider: Provider, type: RailType): Promise<number> {
  const { programId, id: providerId } = provider;
  const { concurrency } = type;
  const rail = openPayoutProvider(ctx, provider);
  if (!(await compareProvider(ctx, provider, rail)).isClean) return 0;
  const applyResponse = batchResponses(ctx, provider);
  const claims = prefetchClaims(ctx, { programId, providerId, limit: concurrency * claimsPerCall });
  const pace = createPacer(concurrency);
  const applying: Promise<void>[] = [];
  const work = async () => {
    for (let payout = await claims.next(); payout; payout = await claims.next()) {
      const claimed = payout;
      const isSkipped = claims.isPaused() || isClaimStale(ctx, claimed);
      const response = isSkipped ? paused : await pace.run(() => callUnlessFrozen(ctx, claimed, { rail, type }));
      if (response.outcome === 'retry_later') claims.pause();
      // Not awaited here, because the provider is slower than the database. After a kill, the payout is looked up.
      const applied = applyResponse({ payoutId: claimed.id, response });
      applied.catch(() => {}); // Awaited at the end, even if a call fails before.
      applying.push(applied);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await Promise.all(applying);
  return applying.length;
}

/** While the service is frozen, the payout returns to the queue. */
async function callUnlessFrozen(ctx: Context, payout: Payout, through: { rail: Rail; type: RailType }): Promise<Outcome> {
  return (await isFrozen(ctx)) ? frozen : callProvider(ctx, payout, through);
}

/** Prefetches claimed payouts so that concurrent calls don't wait for one another. */
function prefetchClaims(ctx: Context, query: { programId: string; providerId: string; limit: number }) {
  const ready: Payout[] = [];
  let [isPaused, isOver] = [false, false];
  const fill = oneAtATime(async () => {
    if (ready.length >= query.limit || isPaused || isOver) return;
    const claimed = await claimQueued(ctx, query);
    isOver = claimed.length < query.limit;
    ready.push(...claimed);
  });
  return {
    isPaused: () => isPaused,
    pause() {
      isPaused = true;
    },
    async next(): Promise<Payout | undefined> {
      if (ready.length === 0) await fill();
      else if (ready.length < query.limit) fill().catch(() => {}); // The next caller without a claim fills again and awaits it.
      return ready.shift();
    },
  };
}

/** Also after this process lost its process lock, because another process may have expired the claim. */
function isClaimStale({ clock, processLock }: Pick<Context, 'clock' | 'processLock'>, { leaseUntil, claimedBy }: Payout): boolean {
  if (claimedBy !== null && claimedBy !== processLock?.id()) return true;
  return leaseUntil === null || leaseUntil.getTime() - clock.now().getTime() < longestSendMs;
}

const paused: Outcome = { outcome: 'retry_later', retryAfterSeconds: 5, reason: 'rate limited by the provider' };

const frozen: Outcome = { outcome: 'retry_later', retryAfterSeconds: 5, reason: 'the service is frozen' };

/** Applies responses in groups, so that each group locks the ledger once. After a kill, their payouts are looked up. */
function batchResponses(ctx: Context, { programId, id }: Provider) {
  return createBatcher<PayoutResponse, void>({
    concurrency: 1,
    maxBatch: 500,
    maxWaiting: 10_000,
    lingerMs,
    failsAll: () => true,
    overloadError: () => new Error('Too many responses of the provider are waiting to be applied.'),
    async run(responses) {
      await applyResponses(ctx, programId, responses, { kind: 'provider', id });
      return responses.map(() => undefined);
    },
  });
}

/** Runs one call at a time; concurrent callers wait for their own run. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
