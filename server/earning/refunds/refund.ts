// A refund as the API returns it, and its effect on the commissions, read back from the ledger.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { centsOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { toAccount } from '../commissions/commission.ts';
import type { Reversed } from '../commissions/reverse.ts';
import { ConversionReference } from '../conversions/reference.ts';
import { OriginalAmount } from '../orders/conversion-shape.ts';

export const RefundReason = z
  .enum(['refund', 'cancelled', 'chargeback', 'fraud', 'duplicate', 'out_of_stock', 'terms_violation', 'test', 'other'])
  .meta({ id: 'RefundReason' });

/** The currency of an order that was converted, for queries that join `conversion`; null for other orders. */
export const originalCurrency = sql<string | null>`conversion.facts -> 'exchange' ->> 'currency'`.as('originalCurrency');

export const AdjustmentShape = z
  .object({
    commissionId: uuidOut,
    affiliateId: uuidOut,
    level: z.int(),
    amountCents: centsOut.describe('The change to the commission; below 0 for a reversal.'),
    ledgerEntryId: uuidOut.nullable(),
    effect: z
      .enum(['reduced_pending', 'reduced_available', 'carried_forward', 'restored'])
      .describe(
        '`carried_forward`: the commission was already paid, and the next payout nets the amount. `restored`: the amount was restored, ' +
          'because a dispute was won or a deduction was refunded.',
      ),
  })
  .meta({ id: 'RefundAdjustment' });

export const RefundShape = z
  .object({
    id: uuidOut,
    refundId: z.string().describe("The store's id for the refund."),
    orderId: z.string(),
    conversionId: uuidOut,
    conversion: ConversionReference.optional().describe('Included with `?expand=conversion`.'),
    amountCents: centsOut.describe('The amount of this refund.'),
    refundedCents: centsOut.describe('The sum of all refunds of the order.'),
    remainingCents: centsOut.describe('The amount of the order that has not been refunded.'),
    currency: currencyOut,
    original: OriginalAmount.nullable().describe('The amount of this refund before it was converted; null unless the order was.'),
    reason: RefundReason,
    note: z.string().nullable(),
    adjustments: z.array(AdjustmentShape),
    occurredAt: timestampOut,
    undoneAt: timestampOut.nullable().describe('Set when the dispute that caused the refund was won later.'),
    createdAt: timestampOut,
  })
  .meta({
    id: 'Refund',
    example: {
      id: '01980a5c-1d2e-7f3a-8b4c-5d6e7f8a9b0c',
      refundId: 're_1',
      orderId: 'FF-10023',
      conversionId: '01980a54-1c22-7b6e-8d3f-5e9a7b1c2d3e',
      amountCents: 1490,
      refundedCents: 1490,
      remainingCents: 3490,
      currency: 'USD',
      original: null,
      reason: 'refund',
      note: null,
      adjustments: [
        {
          commissionId: '01980a54-1c23-7d11-a2b3-8c7d6e5f4a3b',
          affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
          level: 1,
          amountCents: -149,
          ledgerEntryId: '01980a5c-1d30-7a4b-9c5d-6e7f8a9b0c1d',
          effect: 'reduced_pending',
        },
      ],
      occurredAt: '2026-11-08T14:00:00.000Z',
      undoneAt: null,
      createdAt: '2026-11-08T14:00:02.000Z',
    },
  });

export type Adjustment = z.input<typeof AdjustmentShape>;

/** What a refund, or undoing it, changed on each commission, with the ledger entries. */
export async function buildAdjustments(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { cause, reversed }: { cause: string; reversed: readonly Reversed[] },
): Promise<Adjustment[]> {
  const refs = reversed.map(({ row }) => `${cause}:${row.id}`);
  const { rows } = await sql<{ id: string; commissionId: string }>`
    select id, commission_id from ledger_entries
    where program_id = ${programId} and kind in ('reverse', 'restore') and ref = any(${refs}) order by seq`.execute(ctx.db);
  const entries = new Map(rows.map(({ id, commissionId }) => [commissionId, id]));
  return reversed.map(({ row, cents }) => ({
    commissionId: row.id,
    affiliateId: row.affiliateId,
    level: row.level,
    amountCents: -cents,
    ledgerEntryId: entries.get(row.id) ?? null,
    effect: toEffect({ amountCents: -cents, wasSettled: row.settledCents > 0, account: toAccount(row.status) }),
  }));
}

type Stored = Omit<Adjustment, 'effect'> & { refundId: string; account: string; wasSettled: boolean };

/** Whether the commission was paid, or in a payout, when the entry was posted. */
const wasSettled = (programId: string) => sql`exists (
  select 1 from payout_lines as line
    join payouts as payout on payout.program_id = ${programId} and payout.id = line.payout_id
  where line.program_id = ${programId} and line.commission_id = commission.id and line.cents > 0
    and payout.created_at <= entry.created_at and (payout.status = 'paid' or payout.settled_at is null or payout.settled_at > entry.created_at))`;

/**
 * The adjustments of these refunds, in the order of the ledger. The rows of each are looked up separately, so that the
 * plan is right also for tables without statistics.
 */
export async function readAdjustments(
  ctx: Pick<Context, 'db'>,
  programId: string,
  refundIds: readonly string[],
): Promise<Map<string, Adjustment[]>> {
  if (refundIds.length === 0) return new Map();
  const { rows } = await sql<Stored>`
    select refund.id as refund_id, commission.id as commission_id, commission.affiliate_id, commission.level, entry.debit as account,
      ${wasSettled(programId)} as was_settled, entry.id as ledger_entry_id,
      case when entry.debit = 'commissions' then entry.cents else -entry.cents end as amount_cents
    from refunds as refund
      cross join lateral (
        select id, affiliate_id, level from commissions
        where program_id = ${programId} and conversion_id = refund.conversion_id offset 0
      ) as commission
      cross join lateral (
        select id, seq, debit, cents, created_at from ledger_entries
        where program_id = ${programId} and kind in ('reverse', 'restore') and ref = refund.id || ':' || commission.id offset 0
      ) as entry
    where refund.program_id = ${programId} and refund.id = any(${refundIds}::uuid[])
    order by entry.seq`.execute(ctx.db);
  const byRefund = Map.groupBy(rows, ({ refundId }) => refundId);
  return new Map([...byRefund].map(([refundId, stored]) => [refundId, stored.map(toAdjustment)]));
}

function toAdjustment({ refundId: _, account, wasSettled: was, ...row }: Stored): Adjustment {
  return { ...row, effect: toEffect({ amountCents: row.amountCents, wasSettled: was, account }) };
}

/** `wasSettled`: it was paid, or in a payout. `account`: the account that was debited. */
type Posted = { amountCents: number; wasSettled: boolean; account: string };

function toEffect({ amountCents, wasSettled: was, account }: Posted): Adjustment['effect'] {
  if (amountCents > 0) return 'restored';
  if (was) return 'carried_forward';
  return account === 'pending' ? 'reduced_pending' : 'reduced_available';
}
