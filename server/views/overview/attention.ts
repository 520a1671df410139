// What awaits a decision, and what doesn't work. Each part reads an index that contains open items only.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { isDecided } from '../../earning/pending-decisions/pending.ts';
import { countAwaitingAffiliates, isOpenInvitation } from '../../partners/applications/open-invitations.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { Permission } from '../../platform/http/declaration/permissions.ts';

const expiryNoticeMs = 7 * 24 * 60 * 60_000;

/** The alerts that have no separate part. */
const alertParts = [
  'payouts_locked',
  'payouts_unknown',
  'payouts_duplicate',
  'invariant_broken',
  'emails_failing',
  'proxy_untrusted',
] as const;

export const AttentionKind = z
  .enum([
    ...alertParts,
    'stores_failing',
    'payout_providers_failing',
    'batch_approval',
    'setting_changes',
    'discrepancies',
    'fraud_alerts',
    'pages',
    'applications',
    'claims',
    'bounty_submissions',
    'erasure_requests',
    'access_requests',
    'api_keys_expiring',
  ])
  .meta({ id: 'AttentionKind' });
export type AttentionKind = z.infer<typeof AttentionKind>;

export const AttentionItem = z
  .object({
    kind: AttentionKind,
    count: countOut.describe('How many there are of this kind.'),
    oldestAt: timestampOut.nullable().describe('Since when the oldest one has been waiting, where that is known.'),
    amountCents: centsOut.nullable().describe('The amount held or awaiting approval, or the orders claimed; null where none is concerned.'),
    names: z.array(z.string()).describe('The names of up to two of them: affiliates, stores or providers.'),
    id: uuidOut.nullable().describe('The object, if it is the only one.'),
  })
  .meta({
    id: 'AttentionItem',
    example: {
      kind: 'batch_approval',
      count: 1,
      oldestAt: '2026-11-20T09:30:00.000Z',
      amountCents: 753_000,
      names: ['PayPal'],
      id: '01980a7c-2f90-7a13-9b2c-4d5e6f708192',
    },
  });
export type AttentionItem = z.input<typeof AttentionItem>;

type Row = { kind: AttentionKind; count: number; oldestAt: Date | null; amountCents: number | null; names: string[]; ids: string[] };

/** The most urgent first. Kinds without items are omitted. */
export async function readAttention(
  ctx: Pick<Context, 'db' | 'clock'>,
  { programId, permissions }: { programId: string; permissions: ReadonlySet<Permission> },
): Promise<AttentionItem[]> {
  const parts = [
    alerts,
    connections,
    batches,
    settingChanges,
    discrepancies,
    fraudAlerts,
    pages,
    applications,
    claims,
    bountySubmissions,
    erasureRequests,
    accessRequests,
    expiringKeys,
  ].map((part) => part(programId, ctx.clock.now()));
  const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(ctx.db);
  const found = rows.filter(({ kind, count }) => count > 0 && isFor(kind, permissions));
  return AttentionKind.options.flatMap((kind) => found.filter((row) => row.kind === kind).map(toItem));
}

/** Whether a member with these permissions can act on it. */
function isFor(kind: AttentionKind, permissions: ReadonlySet<Permission>): boolean {
  if (kind === 'erasure_requests') return permissions.has('settings.write');
  if (kind === 'access_requests') return permissions.has('members.write');
  return kind !== 'api_keys_expiring' || permissions.has('keys.write');
}

function toItem({ kind, count, oldestAt, amountCents, names, ids }: Row): AttentionItem {
  const [id = null] = ids;
  return { kind, count, oldestAt: oldestAt?.toISOString() ?? null, amountCents, names: names.slice(0, 2), id: count === 1 ? id : null };
}

const alerts = (programId: string) => sql`
  select kind, count(*) as count, min(created_at) as oldest_at, null::bigint as amount_cents, '{}'::text[] as names,
    array_agg(id order by created_at) as ids
  from alerts where program_id = ${programId} and status = 'open' and kind = any(${[...alertParts]}::text[]) group by kind`;

const connections = (programId: string) => sql`
  select case kind when 'payout' then 'payout_providers_failing' else 'stores_failing' end, count(*), null::timestamptz, null::bigint,
    coalesce(array_agg(name order by created_at), '{}'), coalesce(array_agg(id order by created_at), '{}')
  from providers where program_id = ${programId} and status = 'needs_attention' group by kind`;

const batches = (programId: string) => sql`
  select 'batch_approval', count(*), min(created_at), sum(total_cents)::bigint, coalesce(array_agg(distinct provider_type), '{}'),
    coalesce(array_agg(id order by created_at), '{}')
  from payout_batches as batch
  where program_id = ${programId} and needs_approval and approved_at is null and exists (
    select from payouts where program_id = ${programId} and batch_id = batch.id and status in ('queued', 'sending', 'sent', 'unknown'))`;

const settingChanges = (programId: string) => sql`
  select 'setting_changes', count(*), min(requested_at), null::bigint, '{}'::text[], coalesce(array_agg(id order by requested_at), '{}')
  from setting_changes where program_id = ${programId}`;

const discrepancies = (programId: string) => sql`
  select 'discrepancies', count(*), min(created_at), sum(amount_cents)::bigint, '{}'::text[], coalesce(array_agg(id order by created_at), '{}')
  from payout_discrepancies where program_id = ${programId} and resolved_at is null`;

const fraudAlerts = (programId: string, now: Date) => sql`
  select 'fraud_alerts', count(*), min(created_at), (
    select sum(amount_cents - reversed_cents - settled_cents)::bigint from commissions
    where program_id = ${programId} and status = 'held' and exists (
      select from commission_holds as hold
      where hold.program_id = ${programId} and hold.commission_id = commissions.id and hold.cause = 'fraud_event'
        and hold.closed_at is null)),
    '{}'::text[], coalesce((array_agg(id order by created_at))[1:2], '{}')
  from fraud_events where program_id = ${programId} and status = 'open' and not ${isDecided(programId, 'fraud_alert', { now, id: sql.ref('fraud_events.id') })}`;

const pages = (programId: string) => sql`
  select 'pages', count(*), min(updated_at), null::bigint, coalesce((
    select array_agg(name) from (
      select trim(affiliate.first_name || ' ' || affiliate.last_name) as name
      from landing_pages as page join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = page.affiliate_id
      where page.program_id = ${programId} and page.review_status = 'draft' order by page.updated_at limit 2) as oldest), '{}'),
    coalesce((array_agg(id order by updated_at))[1:2], '{}')
  from landing_pages where program_id = ${programId} and review_status = 'draft'`;

/** The count is maintained, so that a program with many applications doesn't count them. */
const applications = (programId: string) => sql`
  select 'applications', ${countAwaitingAffiliates(programId)},
    min(created_at), null::bigint, coalesce(array_agg(name order by created_at, id), '{}'), coalesce(array_agg(id order by created_at, id), '{}')
  from (
    select id, created_at, trim(first_name || ' ' || last_name) as name from affiliates as affiliate
    where program_id = ${programId} and status = 'pending' and not ${isOpenInvitation(programId)} order by created_at, id limit 2) as oldest`;

const claims = (programId: string, now: Date) => sql`
  select 'claims', count(*), min(claim.created_at), sum(unattributed.amount_cents)::bigint, '{}'::text[],
    coalesce((array_agg(claim.id order by claim.created_at))[1:2], '{}')
  from claims as claim left join unattributed_orders as unattributed
    on unattributed.program_id = ${programId} and unattributed.order_id = claim.order_id
  where claim.program_id = ${programId} and claim.status = 'open' and not ${isDecided(programId, 'claim', { now, id: sql.ref('claim.id') })}`;

const bountySubmissions = (programId: string, now: Date) => sql`
  select 'bounty_submissions', count(*), min(submission.created_at), null::bigint, '{}'::text[],
    coalesce((array_agg(submission.id order by submission.created_at))[1:2], '{}')
  from bounty_submissions as submission
  where submission.program_id = ${programId} and submission.status = 'open'
    and not ${isDecided(programId, 'bounty_submission', { now, id: sql.ref('submission.id') })}`;

const erasureRequests = (programId: string) => sql`
  select 'erasure_requests', count(*), min(request.created_at), null::bigint,
    coalesce(array_agg(trim(affiliate.first_name || ' ' || affiliate.last_name) order by request.created_at), '{}'),
    coalesce(array_agg(request.id order by request.created_at), '{}')
  from erasure_requests as request
  join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = request.affiliate_id
  where request.program_id = ${programId} and request.status = 'open'`;

const accessRequests = (programId: string) => sql`
  select 'access_requests', count(*), min(request.created_at), null::bigint, coalesce(array_agg(users.name order by request.created_at), '{}'),
    coalesce(array_agg(request.id order by request.created_at), '{}')
  from access_requests as request join users on users.id = request.user_id
  where request.program_id = ${programId} and request.status = 'open'`;

/** Keys that expire within seven days, unless they were replaced. */
const expiringKeys = (programId: string, now: Date) => sql`
  select 'api_keys_expiring', count(*), null::timestamptz, null::bigint, coalesce(array_agg(name order by expires_at), '{}'),
    coalesce(array_agg(id order by expires_at), '{}')
  from api_keys where program_id = ${programId} and revoked_at is null and replaced_by_id is null
    and expires_at > ${now} and expires_at <= ${new Date(now.getTime() + expiryNoticeMs)}`;
