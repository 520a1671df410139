// Verifies the seals of an audit log on request.
import { z } from 'zod';
import { endpoint } from '../http/declaration/endpoint.ts';
import { countOut, timestampOut, uuidOut } from '../http/declaration/fields.ts';
import { systemTime } from '../lib/clock.ts';
import { sealFaultKinds, verifySeals } from './verify-seals.ts';

export const getAuditIntegrity = endpoint({
  id: 'auditEvents.integrity',
  route: 'GET /v1/programs/:programId/audit-events/integrity',
  scope: 'read',
  tag: 'Audit log',
  summary: 'Verify audit log integrity',
  description:
    'Every five minutes new entries are sealed: a hash of these entries and of the seal before is stored. This recomputes every ' +
    'hash, so that a changed, removed or inserted entry is found. Store `head` outside Tributary: a log from which the last ' +
    'entries were removed together with their seals can never reproduce it.',
  query: z.object({}),
  statuses: [200],
  heavy: true,
  result: z
    .object({
      isValid: z.boolean(),
      sealCount: countOut,
      sealedEntryCount: countOut.describe('The number of entries that are sealed.'),
      newEntryCount: countOut.describe('The number of entries since the last seal.'),
      sealedAt: timestampOut.nullable().describe('When entries were last sealed.'),
      head: z.string().describe('The hash of the last seal, in hex.'),
      faults: z
        .array(
          z.object({
            kind: z.enum(sealFaultKinds),
            number: countOut.nullable().describe('The number of the seal; null for an entry without one.'),
            entryId: uuidOut.nullable(),
          }),
        )
        .describe('At most 200.'),
      checkedAt: timestampOut,
    })
    .meta({
      id: 'AuditIntegrity',
      example: {
        isValid: true,
        sealCount: 96,
        sealedEntryCount: 1042,
        newEntryCount: 3,
        sealedAt: '2026-11-02T09:30:00.000Z',
        head: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        faults: [],
        checkedAt: '2026-11-02T09:33:00.000Z',
      },
    }),
  async handle(ctx, { actor }) {
    const { sealedAt, faults, ...report } = await verifySeals(ctx, actor.programId);
    return {
      ...report,
      isValid: faults.length === 0,
      sealedAt: sealedAt?.toISOString() ?? null,
      faults: faults.slice(0, 200),
      checkedAt: systemTime(ctx).toISOString(),
    };
  },
});
