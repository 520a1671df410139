// The freeze: one row in the database stops payouts, webhooks and emails in every process, except emails for signing in and
// about security (emails/kinds/table.ts). Reads, orders and clicks
// continue. What is queued stays queued, and is sent after the freeze has ended.

import { performance } from 'node:perf_hooks';
import type { Context, Tx } from '../../context.ts';

export type Freeze = { frozenAt: Date; frozenBy: string; note: string | null };

/** The longest time that a process can take to notice a freeze, apart from the query. */
const trustedMs = 250;
/** A job that must not run is queued again after this time. */
export const retrySeconds = 20;

type Reading = { at: number; isFrozen: Promise<boolean> };

/** The last reading per database, so that thousands of payments a second need a few queries. */
const readings = new WeakMap<object, Reading>();

/** The current freeze, or null. */
export async function readFreeze({ db }: Pick<Context, 'db'>): Promise<Freeze | null> {
  return (await db.selectFrom('serviceFreeze').select(['frozenAt', 'frozenBy', 'note']).executeTakeFirst()) ?? null;
}

/** Whether nothing may be sent. Asked directly before each payment, email or webhook; at most a quarter of a second old. */
export async function isFrozen(ctx: Pick<Context, 'db'>): Promise<boolean> {
  const at = performance.now();
  const known = readings.get(ctx.db);
  if (known && at - known.at < trustedMs) return known.isFrozen;
  const reading = { at, isFrozen: readFreeze(ctx).then((freeze) => freeze !== null) };
  readings.set(ctx.db, reading);
  // A failed query must not be trusted by the next caller.
  reading.isFrozen.catch(() => readings.delete(ctx.db));
  return reading.isFrozen;
}

/** Freezes the service. False if it was frozen already. */
export async function freezeService(tx: Tx, { frozenBy, note }: Pick<Freeze, 'frozenBy' | 'note'>): Promise<boolean> {
  const rows = tx.db.insertInto('serviceFreeze').values({ frozenAt: tx.clock.now(), frozenBy, note });
  const { numInsertedOrUpdatedRows = 0n } = await rows.onConflict((conflict) => conflict.doNothing()).executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Ends the freeze. False if the service was not frozen. */
export async function unfreezeService(tx: Tx): Promise<boolean> {
  const { numDeletedRows } = await tx.db.deleteFrom('serviceFreeze').executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
