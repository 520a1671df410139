import type { Tx } from '../../context.ts';
import { matureSome } from '../../earning/commissions/mature.ts';
import { type LockedLedger, openLedger } from '../../earning/ledger/post.ts';

/** Opens the ledger, with everything matured that is ripe: the schedule may be minutes late. */
export async function openMatured(tx: Tx, programId: string): Promise<LockedLedger> {
  let ledger = await openLedger(tx, programId);
  while ((await matureSome(tx, programId)) > 0) ledger = await openLedger(tx, programId);
  return ledger;
}
