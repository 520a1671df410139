import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { markBatchPaid } from '../../paying/payouts/batches/mark-paid.ts';
import { Dispatch, dispatchPayouts } from '../../paying/payouts/dispatch.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { perform } from '../../platform/http/perform.ts';
import { NothingToDo } from '../../platform/lib/errors.ts';

/** Pays everybody what is due, by hand. The last batch of the demo is left open, to be tried. */
export async function payOut({ tx, actor, at, isPaid }: { tx: Tx; actor: Principal; at: Date; isPaid: boolean }): Promise<void> {
  const then: Tx = { ...tx, clock: { now: () => at } };
  const body = Dispatch.parse({ note: `Payday of ${at.toISOString().slice(0, 10)}` });
  try {
    const { batch } = await perform(dispatchPayouts, then, { actor, params: {}, query: undefined, body });
    const id = z.string().parse(batch.id);
    const paid = { reference: `Bank run ${at.toISOString().slice(0, 10)}`, includeNotExported: false };
    if (isPaid) await perform(markBatchPaid, then, { actor, params: { id }, query: undefined, body: paid });
  } catch (error) {
    if (!(error instanceof NothingToDo)) throw error;
  }
}
