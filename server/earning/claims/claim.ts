// A claim: an affiliate states that an order was theirs. It is matched with unattributed orders, with the evidence
// found. Accepting it credits the order as if it had been reported for the affiliate.
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import type { Claims } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { ConversionReference } from '../conversions/reference.ts';

export const ClaimStatus = z.enum(['open', 'accepted', 'rejected']).meta({ id: 'ClaimStatus' });

const Evidence = z
  .object({
    match: z
      .enum(['unattributed_order', 'credited_to_another', 'credited_to_claimant', 'unknown_order'])
      .describe('Whether the order was reported, and who was credited.'),
    reason: z.string().nullable().describe('Why no affiliate was credited for the order.'),
    amountCents: centsOut.nullable(),
    occurredAt: timestampOut.nullable(),
    clicksBefore: countOut.describe("The affiliate's clicks in the 30 days before the order."),
    hasSignal: z.boolean().describe('Whether an attribution signal of the order points to the affiliate.'),
  })
  .meta({ id: 'ClaimEvidence' });
export type Evidence = z.infer<typeof Evidence>;

export const ClaimShape = z
  .object({
    id: uuidOut,
    affiliateId: uuidOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    orderId: z.string(),
    status: ClaimStatus,
    currency: currencyOut,
    note: z.string().nullable(),
    decisionNote: z.string().nullable(),
    evidence: Evidence.describe('As found when the claim was created.'),
    conversionId: uuidOut.nullable().describe('The conversion that accepting the claim created.'),
    conversion: ConversionReference.optional().describe('Included with `?expand=conversion`.'),
    createdAt: timestampOut,
    decidedAt: timestampOut.nullable(),
  })
  .meta({
    id: 'Claim',
    example: {
      id: '01980a5a-7c8d-7e9f-8a0b-1c2d3e4f5a6b',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      orderId: 'FF-10024',
      status: 'open',
      currency: 'USD',
      note: 'Bought on my stream',
      decisionNote: null,
      evidence: {
        match: 'unattributed_order',
        reason: 'outside_the_window',
        amountCents: 2490,
        occurredAt: '2026-11-02T09:30:00.000Z',
        clicksBefore: 3,
        hasSignal: true,
      },
      conversionId: null,
      createdAt: '2026-11-05T08:00:00.000Z',
      decidedAt: null,
    },
  });

export const claimSlot = idSlot('claims', 'The id of the claim.');

export function toClaim(row: Selectable<Claims>, currency: string): z.input<typeof ClaimShape> {
  return {
    ...row,
    status: ClaimStatus.parse(row.status),
    currency,
    evidence: Evidence.parse(row.evidence),
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  };
}

type Reported = { amountCents: number; occurredAt: Date; reason: string | null; creditedTo: string | null; hasSignal: boolean };

export async function findEvidence(
  ctx: Pick<Context, 'db'>,
  { programId, affiliateId, orderId }: { programId: string; affiliateId: string; orderId: string },
): Promise<Evidence> {
  const { rows } = await sql<Reported>`
    select amount_cents, occurred_at, null as reason, affiliate_id as credited_to, false as has_signal
    from conversions where program_id = ${programId} and order_id = ${orderId}
    union all
    select amount_cents, occurred_at, reason, null,
      exists (select 1 from jsonb_array_elements(signals) as signal where signal ->> 'affiliateId' = ${affiliateId})
    from unattributed_orders where program_id = ${programId} and order_id = ${orderId} and conversion_id is null`.execute(ctx.db);
  const [order] = rows;
  if (!order) return { match: 'unknown_order', reason: null, amountCents: null, occurredAt: null, clicksBefore: 0, hasSignal: false };
  const { creditedTo, occurredAt, ...known } = order;
  const { rows: clicks } = await sql<{ count: number }>`
    select count(*) as count from clicks where program_id = ${programId} and affiliate_id = ${affiliateId}
      and created_at <= ${occurredAt} and created_at > ${occurredAt}::timestamptz - interval '30 days'`.execute(ctx.db);
  return {
    ...known,
    match: toMatch(creditedTo, affiliateId),
    occurredAt: occurredAt.toISOString(),
    clicksBefore: clicks[0]?.count ?? 0,
  };
}

function toMatch(creditedTo: string | null, claimantId: string): Evidence['match'] {
  if (creditedTo === null) return 'unattributed_order';
  return creditedTo === claimantId ? 'credited_to_claimant' : 'credited_to_another';
}
