// What follows from a payment that arrived although its payout had been cancelled or had failed: its commissions were owed
// again in the meantime, so another payout may include them.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { formatCents } from '../../../platform/lib/currency.ts';
import { openStatuses, type Payout, toPayoutStatus } from '../payout.ts';

export const PaymentWarning = z
  .object({
    code: z
      .enum(['was_cancelled', 'had_failed', 'commissions_in_open_payout', 'paid_twice'])
      .describe(
        '`commissions_in_open_payout`: cancel the other payout if it was not paid. `paid_twice`: the next payouts to the affiliate ' +
          'deduct the amount.',
      ),
    message: z.string(),
  })
  .meta({ id: 'PaymentWarning' });
type PaymentWarning = z.infer<typeof PaymentWarning>;

/** What the caller should know about a payout that was just marked as paid; `before` is its row until then. */
export async function findPaymentWarnings(tx: Tx, before: Payout): Promise<PaymentWarning[]> {
  if (before.status !== 'cancelled' && before.status !== 'failed') return [];
  const { programId, id, amountCents, currency } = before;
  const isCancelled = before.status === 'cancelled';
  const first: PaymentWarning = {
    code: isCancelled ? 'was_cancelled' : 'had_failed',
    message:
      `This payout ${isCancelled ? 'was cancelled' : 'had failed'} before. ` +
      `Its amount (${formatCents(amountCents, currency)}) is no longer owed to the affiliate.`,
  };
  const open = (await findOpenPayouts(tx, programId, id)).map((other): PaymentWarning => {
    const message =
      `The payout ${other.id} (${toPayoutStatus(other.status)}) includes the same commissions. Cancel it if it was not paid; otherwise ` +
      'its amount is deducted from the next payouts to the affiliate.';
    return { code: 'commissions_in_open_payout', message };
  });
  const twiceCents = await sumPaidTwice(tx, programId, id);
  if (twiceCents === 0) return [first, ...open];
  const amount = formatCents(twiceCents, currency);
  const message = `Other payouts paid the same commissions: ${amount} was paid twice. The next payouts to the affiliate deduct it.`;
  return [first, ...open, { code: 'paid_twice', message }];
}

/** Open payouts that include commissions of this one. */
async function findOpenPayouts(tx: Tx, programId: string, payoutId: string): Promise<{ id: string; status: string }[]> {
  const { rows } = await sql<{ id: string; status: string }>`
    select other.id, other.status from payouts as other
    where other.program_id = ${programId} and other.status = any(${[...openStatuses]}) and other.id in (
      select theirs.payout_id from payout_lines as own join payout_lines as theirs
        on theirs.program_id = ${programId} and theirs.commission_id = own.commission_id and theirs.is_live
      where own.program_id = ${programId} and own.payout_id = ${payoutId})
    order by other.created_at, other.id`.execute(tx.db);
  return rows;
}

/** What the commissions of this payout were paid beyond their amounts, where another payout paid them too. */
async function sumPaidTwice(tx: Tx, programId: string, payoutId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(greatest(0, least(own.cents,
      commission.settled_cents - greatest(commission.amount_cents - commission.reversed_cents, 0)))), 0)::bigint as cents
    from payout_lines as own
    join commissions as commission on commission.program_id = ${programId} and commission.id = own.commission_id
    where own.program_id = ${programId} and own.payout_id = ${payoutId} and exists (
      select from payout_lines as theirs
      join payouts as other on other.program_id = ${programId} and other.id = theirs.payout_id and other.status = 'paid'
      where theirs.program_id = ${programId} and theirs.commission_id = own.commission_id and theirs.payout_id <> own.payout_id)`.execute(
    tx.db,
  );
  return rows[0]?.cents ?? 0;
}
