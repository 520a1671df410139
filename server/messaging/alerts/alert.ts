// An alert: something that stopped working and needs a person. It is opened and resolved by checks, never by a request.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Alerts } from '../../platform/db/schema.gen.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { alertKinds } from '../emails/kinds/alert.ts';

export const AlertKind = z
  .enum(alertKinds)
  .describe(
    '`payouts_locked`: payouts are locked until they are reconciled. `payouts_unknown`: the outcome of payouts has been unknown for ' +
      'more than an hour. `payouts_duplicate`: an open payout includes commissions that another payout, which had been cancelled or had ' +
      'failed, already paid. `invariant_broken`: stored data contradict each other. `provider_failing`: a store stopped sending orders, or a ' +
      'connection stopped working. `emails_failing`: several emails in a row could not be sent. `proxy_untrusted`: requests ' +
      'arrive through a proxy that `TRUSTED_PROXIES` does not contain, so all visitors appear to have one address.',
  )
  .meta({ id: 'AlertKind' });
export type AlertKind = z.infer<typeof AlertKind>;

export const AlertStatus = z.enum(['open', 'resolved']).meta({ id: 'AlertStatus' });

export const AlertShape = z
  .object({
    id: uuidOut,
    kind: AlertKind,
    status: AlertStatus,
    name: z.string().nullable().describe('What the alert is about: the name of a connection, or the invariant.'),
    subjectId: uuidOut.nullable().describe('The id of the store or payout provider, for `provider_failing`.'),
    reason: z.string().describe('What was found, in English.'),
    createdAt: timestampOut,
    resolvedAt: timestampOut.nullable().describe('When the condition had ended.'),
  })
  .meta({
    id: 'Alert',
    example: {
      id: '01980b02-3c1d-7f4e-8a5b-6c7d8e9f0a1b',
      kind: 'provider_failing',
      status: 'open',
      name: 'Shopify',
      subjectId: '01980a7c-2f90-7a13-9b2c-4d5e6f708192',
      reason: 'No orders for 30 hours; usually one every 40 minutes.',
      createdAt: '2026-11-20T09:30:00.000Z',
      resolvedAt: null,
    },
  });

export const alertSlot = idSlot('alerts', 'The id of the alert.');

export type AlertRow = Selectable<Alerts>;

export function toAlert({ id, kind, status, subject, name, reason, createdAt, resolvedAt }: AlertRow): z.input<typeof AlertShape> {
  return {
    id,
    kind: AlertKind.parse(kind),
    status: AlertStatus.parse(status),
    name,
    subjectId: kind === 'provider_failing' ? subject : null,
    reason,
    createdAt: createdAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
  };
}
