// Disputes: a buyer's bank asks the money back. Opened holds what has not been paid; lost reverses it
// like a refund; won lets it go on, and restores what an earlier loss took. Deliveries repeat and come
// out of order: a final state is never left for `opened`.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Actor } from '../commissions/change.ts';
import { holdCommissions, releaseCommissions } from '../commissions/hold.ts';
import type { Tx } from '../context.ts';
import type { Disputes } from '../db/schema.gen.ts';
import { endpoint, Reply } from '../http/endpoint.ts';
import { cents, centsOut, timestampOut, uuidOut } from '../http/fields.ts';
import { outsideId } from '../http/outside-id.ts';
import { type Books, openBooks, post } from '../ledger/books.ts';
import { Invalid } from '../lib/errors.ts';
import { applyRefund, getOrder, type Order, refundedLines, undoRefund } from './apply.ts';
import { refundLines } from './lines.ts';
import { AdjustmentShape, adjustmentsOf } from './refund.ts';

const Status = z.enum(['opened', 'won', 'lost']).meta({ id: 'DisputeStatus' });
type Row = Selectable<Disputes>;

export const reportDispute = endpoint({
  id: 'disputes.report',
  route: 'POST /v1/disputes',
  scope: 'write',
  tag: 'Refunds',
  summary: 'Report a dispute or what became of it',
  description:
    'Opened holds the commissions of the order, lost reverses them like a refund, won lets them go on. Sending a state again changes nothing.',
  body: z
    .object({
      disputeId: outsideId(255),
      orderId: outsideId(255),
      status: Status,
      amountCents: cents.min(1, 'must be at least 1').optional().describe('Default: all that is left of the order.'),
    })
    .meta({ id: 'ReportedDispute', example: { disputeId: 'dp_1', orderId: 'FF-10023', status: 'opened' } }),
  statuses: [201, 200],
  result: z
    .object({
      id: uuidOut,
      disputeId: z.string(),
      orderId: z.string(),
      conversionId: uuidOut,
      status: Status,
      amountCents: centsOut.nullable(),
      adjustments: z.array(AdjustmentShape),
      createdAt: timestampOut,
      updatedAt: timestampOut,
    })
    .meta({ id: 'Dispute' }),
  refusals: { 404: 'No such order.' },
  async handle(tx, { actor, body }) {
    const books = await openBooks(tx, actor.programId);
    const order = await getOrder(tx, books, body.orderId);
    const before = await findDispute(tx, books, body.disputeId);
    if (before && before.conversionId !== order.id) throw new Invalid([{ path: ['orderId'], message: 'is not the order of this dispute' }]);
    const by = { kind: 'api_key' as const, id: actor.keyId };
    const isNews = before?.status !== body.status && !(before && body.status === 'opened');
    const moved = isNews ? await follow(tx, books, { order, before, status: body.status, amountCents: body.amountCents, actor: by }) : null;
    const { externalId, refundId, programId: _, ...row } = await keep(tx, books, { order, before, body, moved });
    const shown = {
      ...row,
      disputeId: externalId,
      orderId: order.orderId,
      status: Status.parse(row.status),
      adjustments: moved ? await adjustmentsOf(tx, books.programId, { cause: refundId ?? '', reversed: moved.reversed }) : [],
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
    return before ? new Reply(200, shown) : shown;
  },
});

type News = { order: Order; before: Row | null; status: z.infer<typeof Status>; amountCents: number | undefined; actor: Actor };
type Moved = { refundId: string | null; reversed: Awaited<ReturnType<typeof undoRefund>> };

async function follow(tx: Tx, books: Books, { order, before, status, amountCents, actor }: News): Promise<Moved> {
  const because = { actor, reason: `dispute ${status}` };
  if (status === 'opened') {
    await post(tx, books, await holdCommissions(tx, books, order.id, because));
    return { refundId: null, reversed: [] };
  }
  if (status === 'won') {
    const reversed = before?.refundId ? await undoRefund(tx, books, { order, refundId: before.refundId, actor }) : [];
    await post(tx, books, await releaseCommissions(tx, books, order.id, because));
    return { refundId: before?.refundId ?? null, reversed };
  }
  const isWholeGone = order.refundedCents === order.amountCents;
  if (isWholeGone) return { refundId: null, reversed: [] };
  const lines = refundLines(order.facts.lines, await refundedLines(tx, books, order.id), { amountCents });
  const id = tx.ids.uuid();
  const fresh = { externalId: `dispute:${id}`, reason: 'chargeback', note: null, occurredAt: tx.clock.now() };
  const applied = await applyRefund(tx, books, { order, lines, fresh, actor });
  await post(tx, books, await releaseCommissions(tx, books, order.id, because));
  return { refundId: applied.id, reversed: applied.reversed };
}

async function findDispute(tx: Tx, { programId }: Books, externalId: string): Promise<Row | null> {
  const disputes = tx.db.selectFrom('disputes').selectAll().where('programId', '=', programId).where('externalId', '=', externalId);
  return (await disputes.forNoKeyUpdate().executeTakeFirst()) ?? null;
}

type Kept = {
  order: Order;
  before: Row | null;
  body: { disputeId: string; status: string; amountCents?: number | undefined };
  moved: Moved | null;
};

async function keep(tx: Tx, { programId }: Books, { order, before, body, moved }: Kept): Promise<Row> {
  const now = tx.clock.now();
  if (before && !moved) return before;
  if (before) {
    return tx.db
      .updateTable('disputes')
      .set({ status: body.status, updatedAt: now, refundId: moved?.refundId ?? before.refundId })
      .where('programId', '=', programId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  const fresh = { programId, id: tx.ids.uuid(), externalId: body.disputeId, conversionId: order.id, status: body.status };
  return tx.db
    .insertInto('disputes')
    .values({ ...fresh, amountCents: body.amountCents ?? null, refundId: moved?.refundId ?? null, createdAt: now, updatedAt: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}
