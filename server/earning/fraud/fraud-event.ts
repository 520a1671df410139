// A fraud alert (`fraudEvents` in the API): suspicious activity that awaits a decision.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import type { FraudEvents } from '../../platform/db/schema.gen.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';

export const FraudKind = z
  .enum([
    'self_referral',
    'fast_order',
    'held_click',
    'coupon_without_click',
    'checkout_hijack',
    'shared_payout_account',
    'payout_change_reported',
    'disposable_mailbox',
    'paid_search',
    'shared_device',
  ])
  .meta({ id: 'FraudKind' });
export type FraudKind = z.infer<typeof FraudKind>;

export const DetectedFraud = z
  .object({
    kind: FraudKind,
    action: z.enum(['hold', 'flag']),
    evidence: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).describe('What was observed; the fields depend on `kind`.'),
  })
  .meta({ id: 'DetectedFraud' });
export type DetectedFraud = z.infer<typeof DetectedFraud>;

export const FraudStatus = z.enum(['open', 'legitimate', 'fraud']).meta({ id: 'FraudStatus' });

const Evidence = z.record(z.string(), z.unknown());

export const FraudEventShape = z
  .object({
    id: uuidOut,
    kind: FraudKind,
    status: FraudStatus,
    affiliateId: uuidOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    conversionId: uuidOut.nullable(),
    leadId: uuidOut.nullable(),
    evidence: Evidence.describe('What was observed; the fields depend on `kind`.'),
    resolutionNote: z.string().nullable(),
    createdAt: timestampOut,
    resolvedAt: timestampOut.nullable(),
  })
  .meta({
    id: 'FraudEvent',
    example: {
      id: '01980a61-0f2e-7d0a-8a44-6b1a5c9d0e21',
      kind: 'self_referral',
      status: 'open',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      conversionId: '01980a54-1c22-7b6e-8d3f-5e9a7b1c2d3e',
      leadId: null,
      evidence: { buyerIs: 'affiliate', action: 'hold' },
      resolutionNote: null,
      createdAt: '2026-11-02T09:30:00.000Z',
      resolvedAt: null,
    },
  });

export const fraudEventSlot = idSlot('fraudEvents', 'The id of the fraud alert.');

export function toFraudEvent(row: Selectable<FraudEvents>): z.input<typeof FraudEventShape> {
  return {
    ...row,
    kind: FraudKind.parse(row.kind),
    status: FraudStatus.parse(row.status),
    evidence: Evidence.parse(row.evidence),
    createdAt: row.createdAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}

/** The fraud alerts about an order, oldest first. */
export async function findConversionFraud(
  { db }: Pick<Context, 'db'>,
  { programId, conversionId }: { programId: string; conversionId: string },
): Promise<z.input<typeof FraudEventShape>[]> {
  const events = db.selectFrom('fraudEvents').selectAll().where('programId', '=', programId);
  const rows = await events.where('conversionId', '=', conversionId).orderBy('createdAt').orderBy('id').execute();
  return rows.map(toFraudEvent);
}
