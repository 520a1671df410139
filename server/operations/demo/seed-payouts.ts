import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { markBatchPaid } from '../../paying/payouts/batches/mark-paid.ts';
import { Dispatch, dispatchPayouts } from '../../paying/payouts/dispatch.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { perform } from '../../platform/http/perform.ts';
import { NothingToDo } from '../../platform/lib/errors.ts';

export type Payday = { at: Date; isPaid: boolean };

/** Dispatches the payouts that are due on a payday. An unpaid batch stays open, so that users can try the operations on it. */
export async function seedPayouts({ tx, actor }: { tx: Tx; actor: Principal }, { at, isPaid }: Payday): Promise<void> {
  const txThen: Tx = { ...tx, clock: { now: () => at } };
  const day = at.toISOString().slice(0, 10);
  try {
    const body = Dispatch.parse({ note: `Payday ${day}` });
    const { batch } = await perform(dispatchPayouts, txThen, { actor, params: {}, query: undefined, body });
    if (!isPaid) return;
    const id = z.string().parse(batch.id);
    const payment = { reference: `Bank transfer ${day}`, includeNotExported: false };
    await perform(markBatchPaid, txThen, { actor, params: { id }, query: undefined, body: payment });
  } catch (error) {
    if (!(error instanceof NothingToDo)) throw error;
  }
}
