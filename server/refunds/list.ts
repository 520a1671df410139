// Refunds, newest first, each with what it did to the commissions: read back from the ledger.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { endpoint } from '../http/endpoint.ts';
import { countOut, page } from '../http/fields.ts';
import { outsideId } from '../http/outside-id.ts';
import { type Adjustment, RefundReason, RefundShape } from './refund.ts';

export const listRefunds = endpoint({
  id: 'refunds.list',
  route: 'GET /v1/programs/:programId/refunds',
  scope: 'read',
  tag: 'Refunds',
  summary: 'List refunds',
  description: 'Newest first.',
  query: z.object({ orderId: outsideId(255).optional(), ...page }),
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

type Stored = Omit<Adjustment, 'effect'> & { refundId: string; debit: string; kind: string };

async function readAdjustments(ctx: Context, programId: string, refundIds: string[]): Promise<Map<string, Adjustment[]>> {
  if (refundIds.length === 0) return new Map();
  const { rows } = await sql<Stored>`
    select split_part(entry.ref, ':', 1) as refund_id, entry.commission_id, entry.affiliate_id, commission.level, entry.debit, entry.kind,
      entry.id as ledger_entry_id, case when entry.debit = 'commissions' then entry.cents else -entry.cents end as amount_cents
    from unnest(${refundIds}::text[]) as refund (id)
      join ledger_entries as entry on entry.program_id = ${programId} and entry.kind in ('reverse', 'restore')
        and entry.ref in (select refund.id || ':' || c.id from refunds as r
          join commissions as c on c.program_id = r.program_id and c.conversion_id = r.conversion_id
          where r.program_id = ${programId} and r.id = refund.id::uuid)
      join commissions as commission on commission.program_id = entry.program_id and commission.id = entry.commission_id
    order by entry.seq`.execute(ctx.db);
  const shown = rows.map(({ refundId, debit, kind: _, ...row }): [string, Adjustment] => [
    refundId,
    { ...row, effect: debit === 'pending' ? 'reduced_pending' : 'reduced_available' },
  ]);
  return new Map([...Map.groupBy(shown, ([id]) => id)].map(([id, of]) => [id, of.map(([, adjustment]) => adjustment)]));
}
