// A conversion as the API shows it: the order, who was credited by what, and what it earns.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { sumForDisplay } from '../../platform/lib/money.ts';
import type { OrderFacts } from '../commission-rules/order-facts.ts';
import type { Earned } from '../commissions/accrue.ts';
import { CommissionStatus } from '../commissions/commission.ts';
import { type Warning, WarningShape } from './warnings.ts';
import type { Credited } from './write.ts';

export const ConversionStatus = z.enum(['pending', 'held', 'approved', 'paid', 'reversed', 'rejected']).meta({ id: 'ConversionStatus' });
type ConversionStatus = z.infer<typeof ConversionStatus>;
const Method = z.enum(['affiliate', 'coupon', 'click', 'referral_code', 'customer']).meta({ id: 'AttributionMethod' });

const EarnedShape = z
  .object({
    id: uuidOut,
    affiliateId: uuidOut,
    level: z.int(),
    amountCents: centsOut,
    reversedCents: centsOut,
    type: z.enum(['percentage', 'flat']),
    rate: z.number().describe('Percent, or cents for a flat commission.'),
    source: z.enum(['rule', 'override', 'coupon']),
    ruleId: uuidOut.nullable(),
    ruleVersion: countOut.nullable(),
    productId: uuidOut.nullable(),
    status: CommissionStatus,
    maturesAt: timestampOut,
  })
  .meta({ id: 'EarnedCommission' });
type EarnedView = z.input<typeof EarnedShape>;

const ConflictShape = z
  .object({ hint: Method, value: z.string(), affiliateId: uuidOut.nullable(), outcome: z.string() })
  .meta({ id: 'AttributionConflict' });

export const ConversionShape = z
  .object({
    id: uuidOut,
    orderId: z.string(),
    status: ConversionStatus.describe('Follows from the commissions; an order that paid nothing is `approved`.'),
    affiliateId: uuidOut,
    amountCents: centsOut,
    refundedCents: centsOut,
    currency: z.string(),
    commissionCents: centsOut.describe('All levels together, as earned.'),
    attribution: z.object({
      method: Method,
      clickId: uuidOut.nullable(),
      couponId: uuidOut.nullable(),
      clickedAt: timestampOut.nullable(),
      conflict: z.array(ConflictShape).nullable().describe('Others who could have been credited.'),
    }),
    commissions: z.array(EarnedShape),
    subId: z.string().nullable(),
    warnings: z.array(WarningShape).describe('What to check in the report. The order is recorded all the same.'),
    occurredAt: timestampOut,
    createdAt: timestampOut,
  })
  .meta({ id: 'Conversion' });

/** A conversion as shown; `facts` stay inside. */
export type ConversionView = z.input<typeof ConversionShape> & { facts: OrderFacts };

export const conversionSlot = idSlot('conversions', 'The id of the conversion.');

/** The answer to a report that was just credited. */
export function conversionView(one: Credited, earned: readonly Earned[], { currency, at }: { currency: string; at: Date }): ConversionView {
  const { credit, conflict } = one.attribution;
  const commissions = earned
    .filter(({ conversionId }) => conversionId === one.id)
    .map((each): EarnedView => ({ ...each, reversedCents: 0, maturesAt: each.maturesAt.toISOString() }));
  return {
    id: one.id,
    orderId: one.order.orderId,
    status: statusOf(commissions),
    affiliateId: one.person.id,
    amountCents: one.order.amountCents,
    refundedCents: 0,
    currency,
    commissionCents: sumForDisplay(commissions.map(({ amountCents }) => amountCents)),
    attribution: {
      method: credit?.method ?? 'affiliate',
      clickId: credit?.visit?.id ?? null,
      couponId: credit?.couponId ?? null,
      clickedAt: credit?.visit?.at.toISOString() ?? null,
      conflict: conflict.length > 0 ? conflict : null,
    },
    commissions,
    subId: one.order.subId ?? null,
    warnings: [...one.warnings],
    occurredAt: one.at.toISOString(),
    createdAt: at.toISOString(),
    facts: one.facts,
  };
}

/** What needs attention first: a held commission holds the order, a maturing one keeps it pending. */
export function statusOf(commissions: readonly { status: ConversionStatus }[]): ConversionStatus {
  const all = new Set(commissions.map(({ status }) => status));
  const first = (['held', 'pending', 'approved', 'paid', 'reversed', 'rejected'] as const).find((status) => all.has(status));
  return first ?? 'approved';
}

type Stored = {
  id: string;
  orderId: string;
  affiliateId: string;
  amountCents: number;
  refundedCents: number;
  currency: string;
  method: z.infer<typeof Method>;
  clickId: string | null;
  couponId: string | null;
  clickedAt: Date | null;
  conflict: z.input<typeof ConflictShape>[] | null;
  subId: string | null;
  warnings: Warning[];
  occurredAt: Date;
  createdAt: Date;
  facts: OrderFacts;
  commissions: (Omit<EarnedView, 'rate'> & { rate: number })[];
};

/** Conversions by id, in the order of the ids. */
export async function readConversions(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<ConversionView[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Stored>`
    select v.id, v.order_id, v.affiliate_id, v.amount_cents, v.refunded_cents, v.currency, v.method, v.click_id, v.coupon_id, v.clicked_at,
      v.conflict, v.sub_id, coalesce(v.decision -> 'warnings', '[]') as warnings, v.occurred_at, v.created_at, v.facts, coalesce(earned.list, '[]'::json) as commissions
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
      join conversions as v on v.program_id = ${programId} and v.id = wanted.id
      left join lateral (
        select json_agg(json_build_object('id', c.id, 'affiliateId', c.affiliate_id, 'level', c.level, 'amountCents', c.amount_cents,
          'reversedCents', c.reversed_cents, 'type', c.type, 'rate', c.rate, 'source', c.source, 'ruleId', c.rule_id,
          'ruleVersion', c.rule_version, 'productId', c.product_id, 'status', c.status, 'maturesAt', c.matures_at) order by c.level, c.id) as list
        from commissions as c where c.program_id = v.program_id and c.conversion_id = v.id and c.kind = 'order'
      ) as earned on true
    order by wanted.place`.execute(ctx.db);
  return rows.map(toView);
}

function toView({ method, clickId, couponId, clickedAt, conflict, ...row }: Stored): ConversionView {
  const commissions = row.commissions.map((one) => ({ ...one, maturesAt: new Date(one.maturesAt).toISOString() }));
  return {
    ...row,
    commissions,
    status: statusOf(commissions),
    commissionCents: sumForDisplay(commissions.map(({ amountCents }) => amountCents)),
    attribution: { method, clickId, couponId, clickedAt: clickedAt?.toISOString() ?? null, conflict },
    occurredAt: row.occurredAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
