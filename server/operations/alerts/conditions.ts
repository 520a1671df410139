// The conditions of alerts, each a query that reads an index of open or recent rows. `scope` is a condition on program_id.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Condition } from '../../messaging/alerts/update.ts';
import { explainLock, LockReason } from '../../paying/payouts/lock.ts';
import { openStatuses } from '../../paying/payouts/payout.ts';
import { listRestores } from '../../platform/db/cluster/node-restores.ts';
import { identityAfter, readDatabaseIdentity } from '../../platform/db/database-identity.ts';
import { explainUntrustedProxies, listUntrustedProxies } from '../../platform/http/proxies/untrusted-proxies.ts';
import type { Scope } from '../../platform/queue/each-program.ts';

type Ctx = Pick<Context, 'db' | 'allProgramsDb' | 'clock' | 'config'>;

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
/** Fewer addresses that fail are a matter of the addresses. */
const failingAddresses = 3;
/** An email that was not accepted at its first attempts may be delayed on purpose. */
const retriedMinutes = 10;

const ago = ({ clock }: Ctx, ms: number) => new Date(clock.now().getTime() - ms);

/** Programs whose dispatch is locked, even if no dispatch has noticed the restored database yet. */
export async function findLockedPayouts(ctx: Ctx, scope: Scope): Promise<Condition[]> {
  const identity = await readDatabaseIdentity(ctx);
  const restores = await listRestores(ctx);
  const { rows } = await sql<{ programId: string; lockReason: string | null; isLocked: boolean; databaseIdentity: string }>`
    select program_id, lock_reason, locked_at is not null as "isLocked", database_identity from payout_safety
    where (locked_at is not null or database_identity <> ${identity} or program_id = any(${[...restores.keys()]}::uuid[]))
      and ${scope}`.execute(ctx.db);
  const isRestored = ({ programId, databaseIdentity }: (typeof rows)[number]) =>
    databaseIdentity !== identityAfter(identity, restores.get(programId) ?? 0);
  const locked = rows.filter((row) => row.isLocked || isRestored(row));
  return locked.map(({ programId, lockReason }) => {
    const reason = LockReason.safeParse(lockReason ?? 'database_restored');
    return { programId, subject: '', name: null, reason: reason.success ? explainLock(reason.data) : 'Payouts are locked.' };
  });
}

/** Programs with payouts whose outcome has been unknown for an hour. */
export async function findUnknownPayouts(ctx: Ctx, scope: Scope): Promise<Condition[]> {
  const { rows } = await sql<{ programId: string; payouts: number }>`
    select program_id, count(*)::int as payouts from payouts
    where status = 'unknown' and first_attempt_at < ${ago(ctx, hourMs)} and ${scope} group by program_id`.execute(ctx.db);
  return rows.map(({ programId, payouts }) => {
    const reason = `The outcome of ${payouts === 1 ? 'a payout' : `${payouts} payouts`} has been unknown for more than an hour.`;
    return { programId, subject: '', name: null, reason };
  });
}

/** Programs with open payouts of commissions that a payout paid although it had been cancelled or had failed. */
export async function findDuplicatePayouts(ctx: Ctx, scope: Scope): Promise<Condition[]> {
  const { rows } = await sql<{ programId: string }>`
    select distinct program_id from payout_events
    where to_status = 'paid' and from_status in ('cancelled', 'failed') and ${scope}`.execute(ctx.db);
  const conditions: Condition[] = [];
  for (const { programId } of rows) {
    const ids = await findDuplicates(ctx, programId);
    const [subject, object] = ids.length === 1 ? ['An open payout includes', 'it if it was'] : ['Open payouts include', 'those that were'];
    const reason = `${subject} commissions that another payout already paid: cancel ${object} not paid (${ids.join(', ')}).`;
    if (ids.length > 0) conditions.push({ programId, subject: '', name: null, reason });
  }
  return conditions;
}

/** Open payouts of commissions that were already paid in full by a payout that was believed not to be paid. */
async function findDuplicates(ctx: Ctx, programId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct duplicate.id from payout_events as event
    join payout_lines as paid on paid.program_id = ${programId} and paid.payout_id = event.payout_id
    join payout_lines as again on again.program_id = ${programId} and again.commission_id = paid.commission_id
      and again.payout_id <> event.payout_id and again.is_live
    join payouts as duplicate on duplicate.program_id = ${programId} and duplicate.id = again.payout_id
      and duplicate.status = any(${[...openStatuses]})
    join commissions as commission on commission.program_id = ${programId} and commission.id = paid.commission_id
    where event.program_id = ${programId} and event.to_status = 'paid' and event.from_status in ('cancelled', 'failed')
      and commission.settled_cents > greatest(commission.amount_cents - commission.reversed_cents, 0)
    order by duplicate.id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** Stores that stopped sending orders, and connections that stopped working. */
export async function findFailingProviders(ctx: Ctx, scope: Scope): Promise<Condition[]> {
  const { rows } = await sql<Condition>`
    select program_id, id as subject, name, coalesce(last_error, 'The connection does not work.') as reason
    from providers where status = 'needs_attention' and ${scope}`.execute(ctx.db);
  return rows;
}

/**
 * Programs whose last emails failed, to several addresses, and none that was created later was sent. Emails about alerts
 * don't count, so that an alert can't keep itself open.
 */
export async function findFailingEmails(ctx: Ctx, scope: Scope): Promise<Condition[]> {
  const dayAgo = ago(ctx, dayMs);
  const { rows } = await sql<{ programId: string; addresses: number; lastError: string }>`
    select program_id, count(distinct to_address)::int as addresses, (array_agg(last_error order by created_at desc))[1] as last_error
    from emails as failing
    where ${scope} and last_error is not null and created_at > ${dayAgo} and kind <> 'alert'
      and (status in ('failed', 'unconfirmed') or (status = 'queued' and coalesce(not_before, created_at) < ${ago(ctx, retriedMinutes * minuteMs)}))
      and not exists (
        select from emails as sent
        where sent.program_id = failing.program_id and sent.created_at > ${dayAgo} and sent.status = 'sent'
          and sent.sent_at > failing.created_at)
    group by program_id having count(distinct to_address) >= ${failingAddresses}`.execute(ctx.db);
  return rows.map(({ programId, addresses, lastError }) => {
    const reason = `Emails to ${addresses} addresses in a row were not delivered. The last answer: ${lastError.slice(0, 300)}`;
    return { programId, subject: '', name: null, reason };
  });
}

/** Every program, if requests arrive through proxies that are not trusted: it concerns the installation. */
export async function findUntrustedProxies(ctx: Ctx, scope: Scope): Promise<Condition[]> {
  const addresses = await listUntrustedProxies(ctx);
  if (addresses.length === 0) return [];
  const reason = explainUntrustedProxies(addresses, ctx.config);
  const { rows } = await sql<{ programId: string }>`
    select program_id from (select id as program_id from programs) as program where ${scope}`.execute(ctx.db);
  return rows.map(({ programId }) => ({ programId, subject: '', name: null, reason }));
}
