// Claims decide which process sends a delivery. A claim commits before the request is sent. When the process of a claim
// has ended, or its lease, others send the delivery again: it may arrive twice, but is never lost.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { groupByNode, isOnNode, toNodeContext } from '../../../platform/db/cluster/of-program.ts';
import { hasProcessEnded } from '../../../platform/db/process-lock.ts';
import { transact } from '../../../platform/db/transact.ts';
import { forEachProgram, readPrograms, type Scope } from '../../../platform/queue/each-program.ts';
import { findWork, finishWork, type Work } from '../../../platform/queue/program-work.ts';
import { readTimes, toProgramContext } from '../../../platform/test-clocks/program-clock.ts';
import { type Delivery, markDeliveries } from '../deliveries/delivery.ts';
import { mayReceive } from '../postbacks/postback.ts';
import type { Candidate } from './plan-claims.ts';
import { type Claimed, prepareRequests } from './prepare.ts';

/** Longer than an attempt can take, with its recording. */
const leaseSeconds = 60;

/** The active webhooks with deliveries that are due, in the programs that are marked, or only in one of them. */
export async function findCandidates(ctx: Context, only: string | null = null): Promise<Candidate[]> {
  const works = (await findWork(ctx, 'deliveries')).filter(({ programId }) => only === null || programId === only);
  const programIds = works.map(({ programId }) => programId);
  const { rows, failures } = await readPrograms(ctx, programIds, selectCandidates);
  const busy = new Set([...rows, ...failures].map(({ programId }) => programId));
  for (const work of works) if (!busy.has(work.programId)) await settle(await toProgramContext(ctx, work.programId), work);
  return rows;
}

const selectCandidates = (scope: Scope, now: Date) => sql<Candidate>`
  select webhook.program_id, webhook.id, webhook.failing_since is not null as is_failing, due.next_attempt_at as due_since
  from (select * from webhooks where ${scope}) as webhook cross join lateral (
    select next_attempt_at from webhook_deliveries as delivery
    where delivery.program_id = webhook.program_id and delivery.webhook_id = webhook.id and delivery.status = 'pending'
      and delivery.next_attempt_at <= ${now}
    order by delivery.next_attempt_at limit 1) as due
  where ${mayReceive}`;

/**
 * Moves the mark of a program without candidates to its next attempt, or removes it. A webhook that becomes active marks its
 * program. One that may not receive anything for another reason, such as a suspended affiliate, leaves it due.
 */
async function settle(ctx: Context, work: Work): Promise<void> {
  const { programId } = work;
  const { rows } = await sql<{ nextAt: Date | null }>`
    select min(next.next_attempt_at) as next_at from webhooks as webhook cross join lateral (
      select next_attempt_at from webhook_deliveries as delivery
      where delivery.program_id = ${programId} and delivery.webhook_id = webhook.id and delivery.status = 'pending'
      order by delivery.next_attempt_at limit 1) as next
    where webhook.program_id = ${programId} and webhook.status = 'active' and webhook.deleted_at is null`.execute(ctx.db);
  const nextAt = rows[0]?.nextAt ?? null;
  if (nextAt === null || nextAt > ctx.clock.now()) await finishWork(ctx, 'deliveries', work, nextAt);
}

type Share = { programId: string; id: string; limit: number };

/** Claims up to `limit` due deliveries of each webhook, and reads what their attempts need. Programs that fail are left out. */
export async function claimDeliveries(ctx: Context, shares: readonly Share[]): Promise<Claimed[]> {
  const groups = groupByNode(ctx, shares, ({ programId }) => programId);
  const [all] = groups;
  if (groups.length === 1 && all)
    try {
      return await claimTogether(ctx, all);
    } catch (error) {
      if (new Set(all.map(({ programId }) => programId)).size === 1) throw error;
    }
  const claimed: Claimed[] = [];
  for (const [programId, ofProgram] of Map.groupBy(shares, ({ programId }) => programId))
    await claimTogether(ctx, ofProgram).then(
      (found) => claimed.push(...found),
      (failure: unknown) => ctx.log.error({ err: failure, programId }, 'failed to claim webhook deliveries'),
    );
  return claimed;
}

async function claimTogether(ctx: Context, shares: readonly Share[]): Promise<Claimed[]> {
  const times = await readTimes(
    ctx,
    shares.map(({ programId }) => programId),
  );
  const leases = times.map((now) => new Date(now.getTime() + leaseSeconds * 1000));
  const claimedBy = ctx.processLock?.id() ?? null;
  const programId = shares[0]?.programId ?? '';
  const own = toNodeContext(ctx, programId);
  const { rows } = await sql<Delivery>`
    with chosen as (
      select due.program_id, due.id, share.now, share.lease_until
      from unnest(${shares.map(({ programId }) => programId)}::uuid[], ${shares.map(({ id }) => id)}::uuid[],
        ${shares.map(({ limit }) => limit)}::integer[], ${times}::timestamptz[], ${leases}::timestamptz[])
        as share (program_id, webhook_id, places, now, lease_until)
      cross join lateral (
        select delivery.program_id, delivery.id from webhook_deliveries as delivery
        where delivery.program_id = share.program_id and delivery.webhook_id = share.webhook_id and delivery.status = 'pending'
          and delivery.next_attempt_at <= share.now and ${isOnNode(ctx, 'delivery.programId', programId)}
        order by delivery.next_attempt_at, delivery.id limit share.places for no key update skip locked) as due
    )
    update webhook_deliveries as delivery set status = 'sending', lease_until = chosen.lease_until,
      claimed_by = ${claimedBy}, attempts = attempts + 1, last_attempt_at = chosen.now
    from chosen where delivery.program_id = chosen.program_id and delivery.id = chosen.id
      and ${isOnNode(ctx, 'delivery.programId', programId)} returning delivery.*`.execute(own.db);
  return rows.length === 0 ? [] : prepareRequests(own, rows);
}

/** Returns claims to the queue whose deliveries were not sent. */
export async function releaseClaims(ctx: Context, deliveries: readonly Delivery[]): Promise<void> {
  for (const ofNode of groupByNode(ctx, deliveries, ({ programId }) => programId)) await releaseTogether(ctx, ofNode);
}

async function releaseTogether(ctx: Context, deliveries: readonly Delivery[]): Promise<void> {
  const programId = deliveries[0]?.programId ?? '';
  const keys = deliveries.map(({ programId, id, attempts }) => ({ program_id: programId, id, attempts }));
  await transact(toNodeContext(ctx, programId), async (tx) => {
    await sql`
      update webhook_deliveries as delivery set status = 'pending', lease_until = null, claimed_by = null, attempts = delivery.attempts - 1
      from json_to_recordset(${JSON.stringify(keys)}::json) as key (program_id uuid, id uuid, attempts integer)
      where delivery.program_id = key.program_id and delivery.id = key.id and delivery.status = 'sending'
        and delivery.attempts = key.attempts and ${isOnNode(tx, 'delivery.programId', programId)}`.execute(tx.db);
    await markDeliveries(tx, deliveries);
  });
}

/** Returns claims of ended processes and leases to the queue, program by program. Returns how many. */
export async function expireClaims(ctx: Context): Promise<number> {
  let expired = 0;
  await forEachProgram(ctx, {
    find: (scope, now) => sql`select distinct program_id from webhook_deliveries where ${hasExpired(now)} and ${scope}`,
    run: async (programId, own) => {
      expired += await transact(own, (tx) => expireClaimsOf(tx, programId));
    },
  });
  return expired;
}

const hasExpired = (now: Date) => sql`status = 'sending' and (lease_until <= ${now} or ${hasProcessEnded('claimed_by')})`;

async function expireClaimsOf(tx: Tx, programId: string): Promise<number> {
  const now = tx.clock.now();
  const { rows } = await sql<Delivery & { url: string }>`
    update webhook_deliveries as delivery set status = 'pending', lease_until = null, claimed_by = null, next_attempt_at = ${now}, updated_at = ${now}
    from (select id, url from webhooks where program_id = ${programId}) as webhook
    where delivery.program_id = ${programId} and webhook.id = delivery.webhook_id and ${hasExpired(now)}
    returning delivery.*, webhook.url`.execute(tx.db);
  if (rows.length === 0) return 0;
  const interrupted = rows.map(({ id, attempts, url, lastAttemptAt }) => ({
    programId,
    deliveryId: id,
    number: attempts,
    outcome: 'interrupted',
    url,
    durationMs: 0,
    createdAt: lastAttemptAt ?? now,
  }));
  await tx.db
    .insertInto('webhookAttempts')
    .values(interrupted)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await markDeliveries(tx, rows);
  return rows.length;
}
