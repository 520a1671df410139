// An affiliate says that an order was theirs. The claim is matched to the order that was credited to
// nobody, with what speaks for it; a person accepts it, and the order is credited as if reported so.
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Claims } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';

export const ClaimStatus = z.enum(['open', 'accepted', 'rejected']).meta({ id: 'ClaimStatus' });

const Evidence = z
  .object({
    match: z
      .enum(['unattributed_order', 'credited_to_another', 'credited_to_claimant', 'unknown_order'])
      .describe('What is known of the order.'),
    reason: z.string().nullable().describe('Why the order was credited to nobody.'),
    amountCents: centsOut.nullable(),
    occurredAt: timestampOut.nullable(),
    clicksBefore: countOut.describe("The affiliate's clicks in the 30 days before the order."),
    hintsAtClaimant: z.boolean().describe('A hint of the report named the affiliate, though it could not be followed.'),
  })
  .meta({ id: 'ClaimEvidence' });
export type Evidence = z.infer<typeof Evidence>;

export const ClaimShape = z
  .object({
    id: uuidOut,
    affiliateId: uuidOut,
    orderId: z.string(),
    status: ClaimStatus,
    note: z.string().nullable(),
    decisionNote: z.string().nullable(),
    evidence: Evidence,
    conversionId: uuidOut.nullable(),
    createdAt: timestampOut,
    decidedAt: timestampOut.nullable(),
  })
  .meta({ id: 'Claim' });

export const claimSlot = idSlot('claims', 'The id of the claim.');

export function toClaim(row: Selectable<Claims>): z.input<typeof ClaimShape> {
  return {
    ...row,
    status: ClaimStatus.parse(row.status),
    evidence: Evidence.parse(row.evidence),
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  };
}

type Known = { amountCents: number; occurredAt: Date; reason: string | null; creditedTo: string | null; hintsAtClaimant: boolean };

/** What speaks for a claim and against it. */
export async function findEvidence(
  ctx: Pick<Context, 'db'>,
  { programId, affiliateId, orderId }: { programId: string; affiliateId: string; orderId: string },
): Promise<Evidence> {
  const { rows } = await sql<Known>`
    select amount_cents, occurred_at, null as reason, affiliate_id as credited_to, false as hints_at_claimant
    from conversions where program_id = ${programId} and order_id = ${orderId}
    union all
    select amount_cents, occurred_at, reason, null,
      exists (select 1 from jsonb_array_elements(hints) as hint where hint ->> 'affiliateId' = ${affiliateId})
    from unattributed_orders where program_id = ${programId} and order_id = ${orderId} and conversion_id is null`.execute(ctx.db);
  const [order] = rows;
  if (!order) return { match: 'unknown_order', reason: null, amountCents: null, occurredAt: null, clicksBefore: 0, hintsAtClaimant: false };
  const { creditedTo, occurredAt, ...known } = order;
  const { rows: clicks } = await sql<{ count: number }>`
    select count(*) as count from clicks where program_id = ${programId} and affiliate_id = ${affiliateId}
      and created_at <= ${occurredAt} and created_at > ${occurredAt}::timestamptz - interval '30 days'`.execute(ctx.db);
  const credited = creditedTo === affiliateId ? ('credited_to_claimant' as const) : ('credited_to_another' as const);
  const match = creditedTo === null ? ('unattributed_order' as const) : credited;
  return { ...known, match, occurredAt: occurredAt.toISOString(), clicksBefore: clicks[0]?.count ?? 0 };
}
