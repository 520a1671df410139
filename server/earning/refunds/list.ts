// Refunds, newest first, each with what it did to the commissions: read back from the ledger.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { countOut, page } from '../../platform/http/declaration/fields.ts';
import { type Adjustment, effectOf, RefundReason, RefundShape } from './refund.ts';

export const listRefunds = endpoint({
  id: 'refunds.list',
  route: 'GET /v1/programs/:programId/refunds',
  scope: 'read',
  tag: 'Refunds',
  summary: 'List refunds',
  description: 'Newest first.',
  query: z.object({ orderId: externalIdentifier(255).optional(), ...page }),
  statuses: [200],
  result: z.object({ refunds: z.array(RefundShape), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'RefundList' }),
  async handle(ctx, { actor, query: { orderId, limit, offset } }) {
    const { programId } = actor;
    let refunds = ctx.db
      .selectFrom('refunds as refund')
      .innerJoin('conversions as conversion', (join) =>
        join.onRef('conversion.programId', '=', 'refund.programId').onRef('conversion.id', '=', 'refund.conversionId'),
      )
      .where('refund.programId', '=', programId);
    if (orderId) refunds = refunds.where('conversion.orderId', '=', orderId);
    const { total } = await refunds.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await refunds
      .selectAll('refund')
      .select(['conversion.orderId', 'conversion.amountCents as orderCents', 'conversion.refundedCents as orderRefundedCents'])
      .orderBy('refund.createdAt', 'desc')
      .orderBy('refund.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    const adjustments = await readAdjustments(
      ctx,
      programId,
      rows.map(({ id }) => id),
    );
    const shown = rows.map(({ orderCents, orderRefundedCents, externalId, ...row }) => ({
      ...row,
      refundId: externalId,
      reason: RefundReason.parse(row.reason),
      refundedCents: orderRefundedCents,
      remainingCents: orderCents - orderRefundedCents,
      adjustments: adjustments.get(row.id) ?? [],
      occurredAt: row.occurredAt.toISOString(),
      undoneAt: row.undoneAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
    }));
    return { refunds: shown, total, limit, offset };
  },
});

type Stored = Omit<Adjustment, 'effect'> & { refundId: string; account: string; wasSettled: boolean };

/** Whether the commission was in a payout, or paid, when the entry was made. */
const wasSettled = sql`exists (
  select 1 from payout_lines as line
    join payouts as payout on payout.program_id = line.program_id and payout.id = line.payout_id
  where line.program_id = commission.program_id and line.commission_id = commission.id and line.cents > 0
    and payout.created_at <= entry.created_at and (payout.status = 'paid' or payout.settled_at is null or payout.settled_at > entry.created_at))`;

async function readAdjustments(ctx: Context, programId: string, refundIds: string[]): Promise<Map<string, Adjustment[]>> {
  if (refundIds.length === 0) return new Map();
  const { rows } = await sql<Stored>`
    select refund.id as refund_id, commission.id as commission_id, commission.affiliate_id, commission.level, entry.debit as account,
      ${wasSettled} as was_settled, entry.id as ledger_entry_id,
      case when entry.debit = 'commissions' then entry.cents else -entry.cents end as amount_cents
    from refunds as refund
      join commissions as commission on commission.program_id = refund.program_id and commission.conversion_id = refund.conversion_id
      join ledger_entries as entry on entry.program_id = refund.program_id and entry.kind in ('reverse', 'restore')
        and entry.ref = refund.id || ':' || commission.id
    where refund.program_id = ${programId} and refund.id = any(${refundIds}::uuid[])
    order by entry.seq`.execute(ctx.db);
  const shown = rows.map(({ refundId, account, wasSettled: was, ...row }): [string, Adjustment] => [
    refundId,
    { ...row, effect: effectOf({ amountCents: row.amountCents, wasSettled: was, account }) },
  ]);
  return new Map([...Map.groupBy(shown, ([id]) => id)].map(([id, of]) => [id, of.map(([, adjustment]) => adjustment)]));
}
