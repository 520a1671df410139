// The past of the demo in the order in which it happened: orders, and everything else as steps.
import type { Context, Tx } from '../../context.ts';
import type { ReportedOrder } from '../../earning/conversions/order.ts';
import { recordOrders } from '../../earning/conversions/recording/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';

export type PastOrder = { at: Date; order: ReportedOrder; actor: Actor };
/** With `isPayday`, all orders before it are recorded first. */
export type PastStep = { at: Date; isPayday?: boolean; run(tx: Tx): Promise<unknown> };
export type Past = { orders: readonly PastOrder[]; steps: readonly PastStep[] };

const ordersPerBatch = 60;
/** Orders of the last hours are recorded one by one, since lists show when each was recorded. */
const singleHours = 12;

/** The transaction, at another time. */
export function at(tx: Tx, time: Date): Tx {
  return { ...tx, clock: { now: () => time } };
}

/**
 * Orders are recorded in batches, by the same function that the API uses, and steps after the batch that they follow: within
 * one transaction every further change of the same affiliate takes longer.
 */
export async function replayPast(tx: Tx, programId: string, { orders, steps }: Past): Promise<void> {
  const single = hoursBefore(tx, singleHours);
  const events = [...orders, ...steps].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const batch: PastOrder[] = [];
  const waiting: PastStep[] = [];
  const flush = async (time: Date) => {
    if (batch.length > 0) await recordOrders(at(tx, time), programId, batch.splice(0));
    for (const step of waiting.splice(0)) await step.run(at(tx, step.at > time ? step.at : time));
  };
  for (const event of events) {
    if ('run' in event) waiting.push(event);
    else batch.push(event);
    const isDue = 'run' in event ? event.isPayday : batch.length >= ordersPerBatch;
    if (isDue || event.at > single) await flush(event.at);
  }
  await flush(tx.clock.now());
}

export function hoursBefore({ clock }: Pick<Context, 'clock'>, hours: number): Date {
  return new Date(clock.now().getTime() - hours * 3_600_000);
}
