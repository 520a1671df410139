// A lead: a sign-up or another step before a purchase, credited to an affiliate. It binds its customer to them, and earns a
// flat amount if a commission rule for leads applies.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import { centsOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { sumForDisplay } from '../../platform/lib/money.ts';
import { AttributionMethod, EarnedShape, SignalOutcome } from '../orders/conversion-shape.ts';

export const LeadStatus = z.enum(['recorded', 'rejected']).meta({ id: 'LeadStatus' });

export const leadExample = {
  id: '01980a71-3c4d-7e5f-8a61-7b8c9d0e1f20',
  externalId: 'signup-5120',
  name: 'Newsletter',
  status: 'recorded' as const,
  affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
  customerId: '01980a70-2b3c-7d4e-8f50-6a7b8c9d0e1f',
  attribution: {
    method: 'click' as const,
    clickId: '01980a53-9d10-7a44-b0c6-1f2e3d4c5b6a',
    couponId: null,
    clickedAt: '2026-11-02T09:12:00.000Z',
    conflict: null,
  },
  commissionCents: 500,
  reversedCents: 0,
  currency: 'USD',
  commissions: [
    {
      id: '01980a71-3c4e-7a11-b2c3-8d7e6f5a4b3c',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      level: 1,
      amountCents: 500,
      reversedCents: 0,
      type: 'flat' as const,
      rate: 500,
      source: 'rule' as const,
      ruleId: '01980a50-2a3b-7c4d-8e5f-6a7b8c9d0e1f',
      ruleVersion: 1,
      productId: null,
      status: 'pending' as const,
      maturesAt: '2026-12-02T09:30:00.000Z',
    },
  ],
  subId: null,
  rejectedAt: null,
  rejectionNote: null,
  occurredAt: '2026-11-02T09:30:00.000Z',
  createdAt: '2026-11-02T09:30:01.000Z',
};

export const LeadShape = z
  .object({
    id: uuidOut,
    externalId: z.string(),
    name: z.string().nullable(),
    status: LeadStatus,
    affiliateId: uuidOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    customerId: uuidOut.describe('The customer who signed up.'),
    attribution: z.object({
      method: AttributionMethod,
      clickId: uuidOut.nullable(),
      couponId: uuidOut.nullable(),
      clickedAt: timestampOut.nullable(),
      conflict: z.array(SignalOutcome).nullable().describe('The other affiliates who could have been credited.'),
    }),
    commissionCents: centsOut.describe('The sum of all levels, as earned.'),
    reversedCents: centsOut.describe('The part that was reversed because the lead was rejected.'),
    currency: currencyOut,
    commissions: z.array(EarnedShape),
    subId: z.string().nullable(),
    rejectedAt: timestampOut.nullable(),
    rejectionNote: z.string().nullable(),
    occurredAt: timestampOut,
    createdAt: timestampOut,
  })
  .meta({ id: 'Lead', example: leadExample });

export const leadSlot = idSlot('leads', 'The id of the lead.');

export type Lead = z.input<typeof LeadShape>;

type LeadRow = Omit<Lead, 'status' | 'attribution' | 'commissions' | 'rejectedAt' | 'occurredAt' | 'createdAt'> & {
  method: string;
  clickId: string | null;
  couponId: string | null;
  clickedAt: Date | null;
  conflict: unknown;
  commissions: unknown;
  rejectedAt: Date | null;
  occurredAt: Date;
  createdAt: Date;
};

/** These leads as the API returns them, in the given order; one query. */
export async function readLeads(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<Lead[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<LeadRow>`
    select lead.id, lead.external_id, lead.name, lead.affiliate_id, lead.customer_id, lead.method, lead.click_id, lead.clicked_at,
      lead.coupon_id, lead.conflict, lead.currency, lead.sub_id, lead.rejected_at, lead.rejection_note, lead.occurred_at, lead.created_at,
      (select coalesce(json_agg(json_build_object('id', earned.id, 'affiliateId', earned.affiliate_id, 'level', earned.level,
          'amountCents', earned.amount_cents, 'reversedCents', earned.reversed_cents, 'type', earned.type, 'rate', earned.rate::float8,
          'source', earned.source, 'ruleId', earned.rule_id, 'ruleVersion', earned.rule_version, 'productId', earned.product_id,
          'status', earned.status, 'maturesAt', to_char(earned.matures_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          order by earned.level, earned.id), '[]')
        from commissions as earned
        where earned.program_id = ${programId} and earned.lead_id = lead.id and earned.kind = 'lead') as commissions
    from leads as lead where lead.program_id = ${programId} and lead.id = any(${ids}::uuid[])`.execute(ctx.db);
  const byId = new Map(rows.map((row) => [row.id, toLead(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const Commissions = z.array(EarnedShape);
const Conflict = z.array(SignalOutcome).nullable();

function toLead({ method, clickId, couponId, clickedAt, conflict, ...row }: LeadRow): Lead {
  const commissions = Commissions.parse(row.commissions);
  return {
    ...row,
    status: row.rejectedAt === null ? 'recorded' : 'rejected',
    attribution: {
      method: AttributionMethod.parse(method),
      clickId,
      couponId,
      clickedAt: clickedAt?.toISOString() ?? null,
      conflict: Conflict.parse(conflict),
    },
    commissionCents: sumForDisplay(commissions.map(({ amountCents }) => amountCents)),
    reversedCents: sumForDisplay(commissions.map(({ reversedCents }) => reversedCents)),
    commissions,
    rejectedAt: row.rejectedAt?.toISOString() ?? null,
    occurredAt: row.occurredAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
