// The paydays of the demo: two that were paid, and one whose batch awaits a second approver.
import { updateProgram } from '../../accounts/programs/update.ts';
import type { Tx } from '../../context.ts';
import { markPaid } from '../../paying/payouts/batches/mark-paid.ts';
import { Dispatch, dispatch } from '../../paying/payouts/dispatch.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { ApiError, NothingToDo } from '../../platform/lib/errors.ts';
import { callEndpoint } from './call-endpoint.ts';
import { hoursBefore, type PastStep } from './timeline.ts';

const dayHours = 24;
const approvalCents = 40_000;

/** `finance` dispatches, so that another member can approve. */
export function generatePaydays(tx: Tx, { actor, finance }: { actor: Principal; finance: Principal }): PastStep[] {
  const after = (days: number) => hoursBefore(tx, days * dayHours + 3);
  return [
    { at: after(52), isPayday: true, run: (then) => pay(then, finance) },
    { at: after(22), isPayday: true, run: (then) => pay(then, finance) },
    {
      at: after(10),
      isPayday: true,
      run: (then) => callEndpoint(then, updateProgram, { actor, body: { payoutApprovalCents: approvalCents } }),
    },
    { at: hoursBefore(tx, 21), isPayday: true, run: (then) => dispatchDue(then, finance, { cutoffDays: 4 }) },
  ];
}

async function pay(tx: Tx, finance: Principal): Promise<void> {
  const id = await dispatchDue(tx, finance, { cutoffDays: 0 });
  const reference = `Bank transfer ${tx.clock.now().toISOString().slice(0, 10)}`;
  if (id) await markPaid(tx, finance, id, { reference, includeNotExported: false });
}

/** Returns the id of the batch; null if nothing is due. */
async function dispatchDue(tx: Tx, finance: Principal, { cutoffDays }: { cutoffDays: number }): Promise<string | null> {
  const now = tx.clock.now();
  const cutoffAt = new Date(now.getTime() - cutoffDays * dayHours * 3_600_000);
  const month = now.toLocaleString('en', { month: 'long', timeZone: 'UTC' });
  try {
    const dispatched = await dispatch(tx, finance, Dispatch.parse({ note: `${month} payday`, cutoffAt: cutoffAt.toISOString() }));
    if (dispatched instanceof ApiError) throw dispatched;
    return dispatched.body.batch.id;
  } catch (error) {
    if (error instanceof NothingToDo) return null;
    throw error;
  }
}
