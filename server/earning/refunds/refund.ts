// A refund as the API shows it, and why there was one.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { centsOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { toAccount } from '../commissions/commission.ts';
import type { Reversed } from '../commissions/reverse.ts';

export const RefundReason = z
  .enum(['refund', 'cancelled', 'chargeback', 'fraud', 'duplicate', 'out_of_stock', 'terms_violation', 'test', 'other'])
  .meta({ id: 'RefundReason' });

export const AdjustmentShape = z
  .object({
    commissionId: uuidOut,
    affiliateId: uuidOut,
    level: z.int(),
    amountCents: centsOut.describe('What the commission changed by: below 0 for what was taken back.'),
    ledgerEntryId: uuidOut.nullable(),
    effect: z
      .enum(['reduced_pending', 'reduced_available', 'carried_forward', 'restored'])
      .describe(
        '`carried_forward`: it was already paid, and the next payout nets it. `restored`: the amount was given back, because a ' +
          'dispute was won or a deduction was refunded.',
      ),
  })
  .meta({ id: 'RefundAdjustment' });

export const RefundShape = z
  .object({
    id: uuidOut,
    refundId: z.string(),
    orderId: z.string(),
    conversionId: uuidOut,
    amountCents: centsOut.describe('Of this refund.'),
    refundedCents: centsOut.describe('Of the order, in all.'),
    remainingCents: centsOut,
    reason: RefundReason,
    note: z.string().nullable(),
    adjustments: z.array(AdjustmentShape),
    occurredAt: timestampOut,
    undoneAt: timestampOut.nullable().describe('Set when the dispute behind it was won after all.'),
    createdAt: timestampOut,
  })
  .meta({ id: 'Refund' });

export type Adjustment = z.input<typeof AdjustmentShape>;

/** What a refund (or its undoing) did to each commission, with the entries it left in the ledger. */
export async function adjustmentsOf(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { cause, reversed }: { cause: string; reversed: readonly Reversed[] },
): Promise<Adjustment[]> {
  const refs = reversed.map(({ row }) => `${cause}:${row.id}`);
  const { rows } = await sql<{ id: string; commissionId: string }>`
    select id, commission_id from ledger_entries
    where program_id = ${programId} and kind in ('reverse', 'restore') and ref = any(${refs}) order by seq`.execute(ctx.db);
  const entries = new Map(rows.map(({ id, commissionId }) => [commissionId, id]));
  return reversed.map((one) => toAdjustment(one, entries));
}

function toAdjustment({ row, cents }: Reversed, entries: ReadonlyMap<string, string>): Adjustment {
  return {
    commissionId: row.id,
    affiliateId: row.affiliateId,
    level: row.level,
    amountCents: -cents,
    ledgerEntryId: entries.get(row.id) ?? null,
    effect: effectOf({ amountCents: -cents, wasSettled: row.settledCents > 0, account: toAccount(row.status) }),
  };
}

/** `wasSettled`: it was paid, or in a payout. `account`: where the amount was taken from. */
export function effectOf({ amountCents, wasSettled, account }: Effected): Adjustment['effect'] {
  if (amountCents > 0) return 'restored';
  if (wasSettled) return 'carried_forward';
  return account === 'pending' ? 'reduced_pending' : 'reduced_available';
}

type Effected = { amountCents: number; wasSettled: boolean; account: string };
