// Discrepancies between the payouts and the provider's records. An open one locks the payouts of the program.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { ProviderReference } from '../../../connections/providers/reference.ts';
import type { Context } from '../../../context.ts';
import { AffiliateReference } from '../../../partners/affiliates/reference.ts';
import type { PayoutDiscrepancies } from '../../../platform/db/schema.gen.ts';
import { ActorShape, actorExample } from '../../../platform/http/declaration/actor-shape.ts';
import { centsOut, currencyOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { PayoutReference } from '../payout.ts';

export const DiscrepancyKind = z
  .enum(['unknown_payment', 'amount_mismatch', 'missing_payment', 'duplicate_payment'])
  .describe(
    '`unknown_payment`: the provider made a payment that is not in the database. `amount_mismatch`: the provider paid a ' +
      "different amount. `missing_payment`: a paid payout is not in the provider's records. `duplicate_payment`: the provider paid " +
      'a payout twice.',
  )
  .meta({ id: 'PayoutDiscrepancyKind' });
export type DiscrepancyKind = z.infer<typeof DiscrepancyKind>;

export const DiscrepancyStatus = z.enum(['open', 'resolved']).meta({ id: 'PayoutDiscrepancyStatus' });

export const discrepancyResolutions = ['payment_recorded', 'explained'] as const;
const Resolution = z
  .enum(discrepancyResolutions)
  .describe('`payment_recorded`: the payment was recorded as a paid payout. `explained`: only the note was stored.')
  .meta({ id: 'PayoutDiscrepancyResolution' });

export const DiscrepancyShape = z
  .object({
    id: uuidOut,
    status: DiscrepancyStatus,
    kind: DiscrepancyKind,
    providerId: uuidOut,
    reference: z.string().describe("The provider's reference for the payment; the id of the payout if the payment is missing."),
    payoutId: uuidOut.nullable(),
    affiliateId: uuidOut.nullable(),
    amountCents: centsOut.nullable().describe("The amount in the provider's records."),
    currency: currencyOut.nullable(),
    resolution: Resolution.nullable(),
    note: z.string().nullable(),
    resolvedBy: ActorShape.nullable(),
    resolvedAt: timestampOut.nullable(),
    createdAt: timestampOut,
    payout: PayoutReference.optional().describe('Our payout, included with `?expand=payout`.'),
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    provider: ProviderReference.optional().describe('Included with `?expand=provider`.'),
  })
  .meta({
    id: 'PayoutDiscrepancy',
    example: {
      id: '01980a90-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
      status: 'resolved',
      kind: 'unknown_payment',
      providerId: '01980a70-5e6f-7a8b-9c0d-1e2f3a4b5c6d',
      reference: 'ext_4711',
      payoutId: '01980a7c-31d2-7b44-8c0e-5f6a7b8c9d10',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      amountCents: 12_850,
      currency: 'USD',
      resolution: 'explained',
      note: 'Refunded by the provider on November 3',
      resolvedBy: actorExample,
      resolvedAt: '2026-11-03T10:00:00.000Z',
      createdAt: '2026-11-02T09:30:00.000Z',
    },
  });

export const discrepancySlot = idSlot('payoutDiscrepancies', 'The id of the discrepancy.');

export function toDiscrepancy(row: Selectable<PayoutDiscrepancies>): z.input<typeof DiscrepancyShape> {
  return {
    ...row,
    status: row.resolvedAt ? 'resolved' : 'open',
    kind: DiscrepancyKind.parse(row.kind),
    resolution: Resolution.nullable().parse(row.resolution),
    resolvedBy: row.resolvedByKind === null ? null : ActorShape.parse({ kind: row.resolvedByKind, id: row.resolvedById }),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

export function selectDiscrepancies(ctx: Pick<Context, 'db'>, programId: string) {
  return ctx.db.selectFrom('payoutDiscrepancies').selectAll().where('programId', '=', programId);
}

export async function countOpenDiscrepancies(ctx: Pick<Context, 'db'>, programId: string): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('payoutDiscrepancies')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('programId', '=', programId)
    .where('resolvedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
