// A payout: one payment to one affiliate, part of a batch. Its id is permanently the idempotency key of the payment;
// amount and destination are fixed before a provider is called. The destination has no field here, so it can't be
// returned (Contract §2.1).
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import type { Payouts } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { PayoutExchangeShape, readExchange } from './exchange/payout-exchange.ts';

/** Statuses as they are stored. `sending`: the provider is being called. `unknown`: the outcome is unknown. */
const storedStatuses = ['queued', 'sending', 'sent', 'unknown', 'paid', 'failed', 'returned', 'cancelled'] as const;
export type StoredStatus = (typeof storedStatuses)[number];

/** The money is in transit, or may be. */
export const openStatuses = ['queued', 'sending', 'sent', 'unknown'] as const satisfies StoredStatus[];

export function isOpen(status: string): boolean {
  return openStatuses.some((open) => open === status);
}

export const PayoutStatus = z
  .enum(['queued', 'sending', 'sent', 'paid', 'failed', 'returned', 'reconcile_required', 'cancelled'])
  .describe(
    '`sending`: the payout provider is being called. `reconcile_required`: outcome unknown. The provider is polled; the payment ' +
      'is never resent with another idempotency key.',
  )
  .meta({ id: 'PayoutStatus' });
export type PayoutStatus = z.infer<typeof PayoutStatus>;

const BatchReference = z
  .object({ id: uuidOut, note: z.string().nullable(), providerType: z.string(), createdAt: timestampOut })
  .meta({ id: 'PayoutBatchReference' });

export const payoutExample = {
  id: '01980a7c-31d2-7b44-8c0e-5f6a7b8c9d10',
  batchId: '01980a7c-2f90-7a13-9b2c-4d5e6f708192',
  affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
  amountCents: 12_850,
  currency: 'USD',
  exchange: null,
  status: 'paid',
  periodStartAt: '2026-10-01T08:12:00.000Z',
  periodEndAt: '2026-11-02T09:30:00.000Z',
  reference: 'ext_4711',
  failureCode: null,
  failureReason: null,
  note: null,
  attempts: 1,
  settledAt: '2026-11-02T09:30:04.000Z',
  createdAt: '2026-11-02T09:30:00.000Z',
  updatedAt: '2026-11-02T09:30:04.000Z',
};

export const PayoutShape = z
  .object({
    id: uuidOut,
    batchId: uuidOut,
    affiliateId: uuidOut,
    amountCents: centsOut,
    currency: currencyOut,
    exchange: PayoutExchangeShape.nullable().describe('What is paid in another currency; null if it is paid in `currency`.'),
    status: PayoutStatus,
    periodStartAt: timestampOut.describe('When the oldest commission in this payout was earned.'),
    periodEndAt: timestampOut.describe('Only commissions that had matured by this time are included.'),
    reference: z
      .string()
      .nullable()
      .describe("The provider's reference for the payment, or the reference that was sent when the payout was marked as paid."),
    failureCode: z.string().nullable(),
    failureReason: z.string().nullable(),
    note: z.string().nullable().describe('The note that was sent when the payout was cancelled.'),
    attempts: countOut.describe('The number of times that the payment was sent, always with the same idempotency key.'),
    settledAt: timestampOut.nullable().describe('When the payout was paid, failed, returned or cancelled.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    batch: BatchReference.optional().describe('Included with `?expand=batch`.'),
  })
  .meta({ id: 'Payout', example: payoutExample });

export type Payout = Selectable<Payouts>;

export const payoutSlot = idSlot('payouts', 'The id of the payout.');

/** A stored status as the API returns it. */
export function toPayoutStatus(stored: string): PayoutStatus {
  return stored === 'unknown' ? 'reconcile_required' : PayoutStatus.parse(stored);
}

/** The stored statuses that the API returns as one of these. */
export function toStoredStatuses(statuses: readonly PayoutStatus[]): StoredStatus[] {
  return storedStatuses.filter((stored) => statuses.includes(toPayoutStatus(stored)));
}

export function toPayout(payout: Payout): z.input<typeof PayoutShape> {
  return {
    ...payout,
    exchange: readExchange(payout),
    status: toPayoutStatus(payout.status),
    reference: payout.providerReference,
    periodStartAt: payout.periodStartAt.toISOString(),
    periodEndAt: payout.periodEndAt.toISOString(),
    settledAt: payout.settledAt?.toISOString() ?? null,
    createdAt: payout.createdAt.toISOString(),
    updatedAt: payout.updatedAt.toISOString(),
  };
}

/** A payout as discrepancies show it with `?expand=payout`. */
export const PayoutReference = z
  .object({
    id: uuidOut,
    batchId: uuidOut,
    status: PayoutStatus,
    amountCents: centsOut,
    currency: currencyOut,
    exchange: PayoutExchangeShape.nullable().describe('What is paid in another currency; null if it is paid in `currency`.'),
    reference: z.string().nullable(),
    createdAt: timestampOut,
  })
  .meta({ id: 'PayoutReference' });

/** References to payouts by id, for `?expand=payout`; no query where nothing is expanded. */
export async function findPayoutReferences(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, z.input<typeof PayoutReference>>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.selectFrom('payouts').selectAll().where('programId', '=', programId).where('id', 'in', ids).execute();
  return new Map(
    rows.map(({ id, batchId, amountCents, currency, ...row }) => {
      const stated = { id, batchId, amountCents, currency, exchange: readExchange(row), reference: row.providerReference };
      return [id, { ...stated, status: toPayoutStatus(row.status), createdAt: row.createdAt.toISOString() }];
    }),
  );
}

/** Locks these payouts in the order of their ids. The ledger must be locked first. */
export async function lockPayouts(tx: Tx, programId: string, ids: readonly string[]): Promise<Payout[]> {
  if (ids.length === 0) return [];
  const payouts = tx.db.selectFrom('payouts').selectAll().where('programId', '=', programId);
  return payouts.where('id', '=', sql<string>`any(${ids}::uuid[])`).orderBy('id').forNoKeyUpdate().execute();
}

export async function getPayout(ctx: Pick<Context, 'db'>, programId: string, id: string): Promise<Payout> {
  const payouts = ctx.db.selectFrom('payouts').selectAll().where('programId', '=', programId);
  return payouts.where('id', '=', id).executeTakeFirstOrThrow();
}
