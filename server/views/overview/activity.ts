// The latest activity of a program: orders, clicks, refunds, payouts, and decisions. The console polls it every few
// seconds. Every part reads the last rows of an index by time, however many there are.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { ActorShape } from '../../platform/http/declaration/actor-shape.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, currencyOut, timestampIn, timestampOut, uuidOut, wholeNumber } from '../../platform/http/declaration/fields.ts';

/** A transaction can commit after a later one: activity of this time before `after` is returned again. */
const overlapMs = 10_000;
/** Clicks must not displace everything else. */
const maxClicks = 4;
/** The audit log is searched for decisions only this far. */
const auditRows = 50;

/** Changes in the audit log that are shown. */
export const activityActions = [
  'affiliate.invited',
  'affiliate.applied',
  'affiliate.updated',
  'landing_page.written',
  'landing_page.created',
  'landing_page.approved',
  'landing_page.changes_requested',
  'fraud.resolved',
  'claim.created',
  'claim.accepted',
  'claim.rejected',
  'commission.held',
  'commission.released',
  'commission.adjusted',
  'commission.granted',
  'payouts.dispatched',
  'payouts.approved',
  'payouts.marked_paid',
  'payouts.cancelled',
] as const;

const ActivityItem = z
  .object({
    id: uuidOut.describe('The object, or the change in the audit log.'),
    kind: z.enum(['order', 'click', 'refund', 'payout_paid', 'change']),
    at: timestampOut.describe('When it happened.'),
    affiliate: z.object({ id: uuidOut, name: z.string() }).nullable().describe('The affiliate concerned; null if none is.'),
    orderId: z.string().nullable(),
    conversionId: uuidOut.nullable(),
    amountCents: centsOut.nullable(),
    action: z.enum(activityActions).nullable().describe('Of a change.'),
    status: z.string().nullable().describe('The new status of an affiliate, or the resolution of a fraud alert.'),
    subjectId: uuidOut.nullable().describe('The changed object.'),
    actor: ActorShape.nullable().describe('Of a change.'),
  })
  .meta({ id: 'ActivityItem' });

export const getActivity = endpoint({
  id: 'overview.activity',
  route: 'GET /app/programs/:programId/activity',
  scope: 'read',
  isUserOnly: true,
  tag: 'Overview',
  summary: 'Get the latest activity of a program',
  description:
    'Newest first. Call it again with the returned `cursor` as `after`: items that were returned before can be returned once more, so ' +
    'merge them by `id`.',
  query: z.object({
    after: timestampIn.optional().describe('The `cursor` of the previous call: only newer activity is returned.'),
    limit: wholeNumber({ min: 1, max: 50, fallback: 10 }).describe('The maximum number of items.'),
  }),
  statuses: [200],
  result: z
    .object({ currency: currencyOut, items: z.array(ActivityItem).describe('The activity, the newest first.'), cursor: timestampOut })
    .meta({
      id: 'Activity',
      example: {
        currency: 'USD',
        items: [
          {
            id: '01980a53-8d01-7f42-8a3c-0b1c2d3e4f50',
            kind: 'order',
            at: '2026-11-02T09:30:00.000Z',
            affiliate: { id: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', name: 'Ada Lindqvist' },
            orderId: 'FF-10023',
            conversionId: '01980a53-8d01-7f42-8a3c-0b1c2d3e4f50',
            amountCents: 10_000,
            action: null,
            status: null,
            subjectId: null,
            actor: null,
          },
        ],
        cursor: '2026-11-02T09:30:00.000Z',
      },
    }),
  async handle(ctx, { actor: { programId, currency }, query: { after, limit } }) {
    const since = after ? new Date(after.getTime() - overlapMs) : new Date(0);
    const rows = await readActivity(ctx, programId, { since, limit });
    const cursor = rows[0] && (!after || rows[0].at > after) ? rows[0].at : (after ?? ctx.clock.now());
    return { currency, items: rows.map(toItem), cursor: cursor.toISOString() };
  },
});

type Row = {
  id: string;
  kind: z.input<typeof ActivityItem>['kind'];
  at: Date;
  affiliateId: string | null;
  affiliateName: string | null;
  orderId: string | null;
  conversionId: string | null;
  amountCents: number | null;
  action: string | null;
  status: string | null;
  subjectId: string | null;
  actorKind: string | null;
  actorId: string | null;
};

function toItem({ affiliateId, affiliateName, action, actorKind, actorId, ...row }: Row): z.input<typeof ActivityItem> {
  return {
    ...row,
    at: row.at.toISOString(),
    affiliate: affiliateId && affiliateName ? { id: affiliateId, name: affiliateName } : null,
    action: activityActions.find((known) => known === action) ?? null,
    actor: actorKind === null ? null : ActorShape.parse({ kind: actorKind, id: actorId }),
  };
}

/** An event is what happened here: an order that a store reports late is activity of today. */
async function readActivity(ctx: Pick<Context, 'db'>, programId: string, { since, limit }: { since: Date; limit: number }): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with latest as (
      (select conversion.id, 'order' as kind, conversion.created_at as at, conversion.affiliate_id, conversion.order_id,
        conversion.id as conversion_id, conversion.amount_cents, null as action, null as status, null::uuid as subject_id,
        null as actor_kind, null as actor_id
      from (
        select id from conversion_summaries where program_id = ${programId} and created_at >= ${since}
        order by created_at desc, id desc limit ${limit}
      ) as newest join conversions as conversion on conversion.program_id = ${programId} and conversion.id = newest.id)
      union all
      (select id, 'click', created_at, affiliate_id, null, null, null, null, null, null, null, null
      from clicks where program_id = ${programId} and created_at >= ${since} order by created_at desc, id desc limit ${maxClicks})
      union all
      (select refund.id, 'refund', refund.created_at, conversion.affiliate_id, conversion.order_id, conversion.id, refund.amount_cents, null,
        refund.reason, null, null, null
      from refunds as refund join conversions as conversion
        on conversion.program_id = ${programId} and conversion.id = refund.conversion_id
      where refund.program_id = ${programId} and refund.created_at >= ${since} order by refund.created_at desc, refund.id desc limit ${limit})
      union all
      (select id, 'payout_paid', settled_at, affiliate_id, null, null, amount_cents, null, null, id, null, null
      from payouts where program_id = ${programId} and status = 'paid' and settled_at >= ${since} order by settled_at desc, id desc limit ${limit})
      union all
      (select id, 'change', created_at, coalesce((after ->> 'affiliateId')::uuid, case when action like 'affiliate.%' then subject_id end),
        null, null, coalesce((after ->> 'amountCents')::bigint, (after ->> 'totalCents')::bigint), action,
        coalesce(after ->> 'status', after ->> 'resolution'), subject_id, actor_kind, actor_id
      from (select * from audit_log where program_id = ${programId} and created_at >= ${since}
        order by created_at desc, id desc limit ${auditRows}) as change
      where action = any(${activityActions}) and (action <> 'affiliate.updated' or after ? 'status'))
    )
    select latest.*, trim(affiliate.first_name || ' ' || affiliate.last_name) as affiliate_name
    from latest left join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = latest.affiliate_id
    order by latest.at desc, latest.id desc limit ${limit}`.execute(ctx.db);
  return rows;
}
