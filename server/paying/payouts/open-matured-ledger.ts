import type { Tx } from '../../context.ts';
import { matureSome } from '../../earning/commissions/mature.ts';
import { type LockedLedger, openLedger } from '../../earning/ledger/post.ts';

/** Locks the ledger after maturing every commission whose time has come, because the schedule can be minutes late. */
export async function openMaturedLedger(tx: Tx, programId: string): Promise<LockedLedger> {
  let ledger = await openLedger(tx, programId);
  while ((await matureSome(tx, programId)) > 0) ledger = await openLedger(tx, programId);
  return ledger;
}
