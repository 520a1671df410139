// An order that was recorded before (Contract §7 rule 2): 409, handled as success. The answer names the
// conversion and says whether the report was the same; where it wasn't, a note is kept for a person.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { toConflict } from '../../platform/db/constraints.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import { Conflict } from '../../platform/lib/errors.ts';
import type { Line, OrderFacts } from '../commission-rules/order-facts.ts';
import type { ReportedOrder } from './order.ts';

export type Recorded = { conversionId: string; orderId: string; facts: OrderFacts };
/** Orders that are recorded already, by order id. */
export type Duplicates = Map<string, Recorded>;

/** Which of these orders are recorded. Asked under the lock of the ledger: nobody records one meanwhile. */
export async function findRecorded(tx: Tx, programId: string, orders: readonly ReportedOrder[]): Promise<Duplicates> {
  const { rows } = await sql<Recorded>`
    select id as conversion_id, order_id, facts from conversions
    where program_id = ${programId} and order_id = any(${orders.map(({ orderId }) => orderId)})`.execute(tx.db);
  return new Map(rows.map((row) => [row.orderId, row]));
}

/** The 409 of an order that is recorded. */
export function duplicateOf(order: ReportedOrder, recorded: Duplicates): Conflict {
  const { code, message } = toConflict('conversions_order_unique');
  const first = recorded.get(order.orderId);
  if (!first) throw new Error('A duplicate of nothing.');
  return new Conflict(code, message, {
    conversionId: first.conversionId,
    orderId: order.orderId,
    matchesOriginal: isSame(order, first.facts),
  });
}

/** Keeps a note of each report that says something else than the first. */
export async function noteMismatches(tx: Tx, programId: string, again: readonly ReportedOrder[], recorded: Duplicates): Promise<void> {
  const notes = again.flatMap((order) => {
    const first = recorded.get(order.orderId);
    if (!first || isSame(order, first.facts)) return [];
    const reported = { amountCents: order.amountCents, items: order.items };
    return [{ programId, id: tx.ids.uuid(), conversionId: first.conversionId, reported, createdAt: tx.clock.now() }];
  });
  await insertRows(tx, 'orderMismatches', notes);
}

/** The same amount, over the same quantities of lines. Who is credited may differ: the first report counts. */
function isSame({ amountCents, items }: ReportedOrder, facts: OrderFacts): boolean {
  if (amountCents !== facts.amountCents) return false;
  if (items.length === 0) return true;
  return items.length === facts.lines.length && facts.lines.every((line: Line, position) => items[position]?.quantity === line.quantity);
}
