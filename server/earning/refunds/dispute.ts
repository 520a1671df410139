// Disputes: the buyer's bank reclaims a payment. While one is open it holds the commissions of its order; lost reverses
// them like a refund; won restores what an earlier loss reversed. Events repeat and arrive out of order: a final
// status is never left for `opened`.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import type { Disputes } from '../../platform/db/schema.gen.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { cents, centsOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { outsideId } from '../../platform/http/declaration/outside-id.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import type { Actor } from '../commissions/change.ts';
import { lockCommissionsOf } from '../commissions/commission.ts';
import { closeHold, openHold } from '../commissions/hold-causes.ts';
import { type LockedLedger, openLedger, post } from '../ledger/post.ts';
import { applyRefund, getOrder, type Order, refundedLines, undoRefund } from './apply.ts';
import { isFullyRefunded, refundLines } from './lines.ts';
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
    '`opened` holds the commissions of the order until the dispute is closed, `lost` reverses them like a refund, `won` lifts ' +
    'the hold and restores what an earlier loss reversed. Other open causes still hold. Reporting a status again changes nothing.',
  body: z
    .object({
      disputeId: outsideId(255),
      orderId: outsideId(255),
      status: Status,
      amountCents: cents
        .min(1, 'must be at least 1')
        .optional()
        .describe('Default: the amount reported before, or all that is left of the order.'),
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
    const ledger = await openLedger(tx, actor.programId);
    const order = await getOrder(tx, ledger, body.orderId);
    const before = await findDispute(tx, ledger, body.disputeId);
    if (before && before.conversionId !== order.id) throw new Invalid([{ path: ['orderId'], message: 'is not the order of this dispute' }]);
    const by = actor;
    const id = before?.id ?? tx.ids.uuid();
    const isNews = before?.status !== body.status && !(before && body.status === 'opened');
    const news = { order, before, id, status: body.status, amountCents: body.amountCents, actor: by };
    const moved = isNews ? await follow(tx, ledger, news) : null;
    const { externalId, refundId, programId: _, ...row } = await keep(tx, ledger, { order, before, id, body, moved });
    const shown = {
      ...row,
      disputeId: externalId,
      orderId: order.orderId,
      status: Status.parse(row.status),
      adjustments: moved ? await adjustmentsOf(tx, ledger.programId, { cause: refundId ?? '', reversed: moved.reversed }) : [],
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
    return before ? new Reply(200, shown) : shown;
  },
});

type News = {
  order: Order;
  before: Row | null;
  /** The id of the dispute. */
  id: string;
  status: z.infer<typeof Status>;
  amountCents: number | undefined;
  actor: Actor;
};
type Moved = { refundId: string | null; reversed: Awaited<ReturnType<typeof undoRefund>> };

async function follow(tx: Tx, ledger: LockedLedger, news: News): Promise<Moved> {
  const { order, before, id, status, actor } = news;
  const because = { actor, reason: `dispute ${status}` };
  const hold = { cause: 'dispute' as const, causeId: id };
  if (status === 'opened') {
    const rows = await lockCommissionsOf(tx, ledger.programId, order.id);
    await post(tx, ledger, (await openHold(tx, ledger, { rows, ...hold }, because)).transfers);
    return { refundId: null, reversed: [] };
  }
  const moved = status === 'lost' ? await reverseLost(tx, ledger, news) : await restoreWon(tx, ledger, { order, before, actor });
  await post(tx, ledger, (await closeHold(tx, ledger, hold, because)).transfers);
  return moved;
}

async function restoreWon(
  tx: Tx,
  ledger: LockedLedger,
  { order, before, actor }: Pick<News, 'order' | 'before' | 'actor'>,
): Promise<Moved> {
  const refundId = before?.refundId ?? null;
  return { refundId, reversed: refundId === null ? [] : await undoRefund(tx, ledger, { order, refundId, actor }) };
}

/** A loss without an amount is one of the amount that was disputed, as far as that is left. */
async function reverseLost(tx: Tx, ledger: LockedLedger, { order, before, amountCents, actor }: News): Promise<Moved> {
  const refunded = await refundedLines(tx, ledger, order.id);
  if (isFullyRefunded(order.facts.lines, refunded)) return { refundId: null, reversed: [] };
  const leftCents = order.amountCents - order.refundedCents;
  const disputedCents = before?.amountCents && leftCents > 0 ? Math.min(before.amountCents, leftCents) : undefined;
  const lines = refundLines(order.facts.lines, refunded, { amountCents: amountCents ?? disputedCents });
  const fresh = { externalId: `dispute:${tx.ids.uuid()}`, reason: 'chargeback', note: null, occurredAt: tx.clock.now() };
  const applied = await applyRefund(tx, ledger, { order, lines, fresh, actor });
  return { refundId: applied.id, reversed: applied.reversed };
}

async function findDispute(tx: Tx, { programId }: LockedLedger, externalId: string): Promise<Row | null> {
  const disputes = tx.db.selectFrom('disputes').selectAll().where('programId', '=', programId).where('externalId', '=', externalId);
  return (await disputes.forNoKeyUpdate().executeTakeFirst()) ?? null;
}

type Kept = {
  order: Order;
  before: Row | null;
  id: string;
  body: { disputeId: string; status: string; amountCents?: number | undefined };
  moved: Moved | null;
};

async function keep(tx: Tx, { programId }: LockedLedger, { order, before, id, body, moved }: Kept): Promise<Row> {
  const now = tx.clock.now();
  if (before && !moved) return before;
  if (before) {
    return tx.db
      .updateTable('disputes')
      .set({
        status: body.status,
        amountCents: body.amountCents ?? before.amountCents,
        refundId: moved?.refundId ?? before.refundId,
        updatedAt: now,
      })
      .where('programId', '=', programId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  const fresh = { programId, id, externalId: body.disputeId, conversionId: order.id, status: body.status };
  return tx.db
    .insertInto('disputes')
    .values({ ...fresh, amountCents: body.amountCents ?? null, refundId: moved?.refundId ?? null, createdAt: now, updatedAt: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}
