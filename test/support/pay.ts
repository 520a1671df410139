// Posts payouts to the ledger on any day, without batches.
import type { Context } from '../../server/context.ts';
import { openLedger, post } from '../../server/earning/ledger/post.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { fixedClock } from '../../server/platform/lib/clock.ts';
import type { TestProgram } from './harness.ts';

export type Payment = [at: string, cents: number];

/** Posts payouts that arrived, and below 0 ones that came back. */
export async function pay(ctx: Context, { programId }: TestProgram, affiliateId: string, payments: Payment[]): Promise<void> {
  for (const [moment, cents] of payments) {
    await transact({ ...ctx, clock: fixedClock(moment) }, async (tx) => {
      const ledger = await openLedger(tx, programId);
      const transfer = { affiliateId, commissionId: null, cents: Math.abs(cents) };
      const move = (kind: 'adjust' | 'reserve' | 'settle' | 'return', debit: string, credit: string) =>
        ({ ...transfer, ref: tx.ids.uuid(), kind, debit, credit }) as Parameters<typeof post>[2][number];
      if (cents < 0) return post(tx, ledger, [move('return', 'paid', 'available')]);
      await post(tx, ledger, [
        move('adjust', 'commissions', 'available'),
        move('reserve', 'available', 'in_transit'),
        move('settle', 'in_transit', 'paid'),
      ]);
    });
  }
}
