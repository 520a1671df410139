import type { Tx } from '../../context.ts';
import { markPaid } from '../../paying/payouts/batches/mark-paid.ts';
import { Dispatch, dispatch } from '../../paying/payouts/dispatch.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { ApiError, NothingToDo } from '../../platform/lib/errors.ts';

export type Payday = { at: Date; isPaid: boolean };

/** Dispatches the payouts that are due on a payday. An unpaid batch stays open, so that users can try the operations on it. */
export async function seedPayouts({ tx, actor }: { tx: Tx; actor: Principal }, { at, isPaid }: Payday): Promise<void> {
  const txThen: Tx = { ...tx, clock: { now: () => at } };
  const day = at.toISOString().slice(0, 10);
  try {
    const body = Dispatch.parse({ note: `Payday ${day}` });
    const dispatched = await dispatch(txThen, actor, body);
    if (dispatched instanceof ApiError) throw dispatched;
    const { id } = dispatched.body.batch;
    if (isPaid && id) await markPaid(txThen, actor, id, { reference: `Bank transfer ${day}`, includeNotExported: false });
  } catch (error) {
    if (!(error instanceof NothingToDo)) throw error;
  }
}
