import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { FraudEvents } from '../../platform/db/schema.gen.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { fraudKinds } from './suspicions.ts';

export const FraudStatus = z.enum(['open', 'legitimate', 'fraud']).meta({ id: 'FraudStatus' });
const Kind = z.enum(fraudKinds).meta({ id: 'FraudKind' });

export const FraudEventShape = z
  .object({
    id: uuidOut,
    kind: Kind,
    status: FraudStatus,
    affiliateId: uuidOut,
    conversionId: uuidOut.nullable(),
    evidence: z.record(z.string(), z.unknown()),
    resolutionNote: z.string().nullable(),
    createdAt: timestampOut,
    resolvedAt: timestampOut.nullable(),
  })
  .meta({ id: 'FraudEvent' });

export const fraudEventSlot = idSlot('fraudEvents', 'The id of the fraud event.');

export function toFraudEvent(row: Selectable<FraudEvents>): z.input<typeof FraudEventShape> {
  return {
    ...row,
    kind: Kind.parse(row.kind),
    status: FraudStatus.parse(row.status),
    evidence: row.evidence as Record<string, unknown>,
    createdAt: row.createdAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}
