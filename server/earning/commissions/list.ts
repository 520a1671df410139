// Commissions, filtered, with the objects that `expand` requests.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampIn, uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { matchTimes } from '../orders/commission-times.ts';
import { CommissionStatus, ExchangeShape, readOrderExchange } from '../orders/conversion-shape.ts';
import { matchAffiliates, matchOrder, type OrderFilters, orderFilters } from '../orders/order-filters.ts';
import { CommissionKind, CommissionShape, commissionExample, readReferences, selectCommissions, toCommission } from './commission.ts';
import { countCommissions } from './counts.ts';

/** The objects whose commissions can be listed. */
const filters = ['affiliateId', 'conversionId', 'leadId', 'productId', 'ruleId'] as const;

const withoutOrder = 'Without an order, the time at which a commission, or the one that it adjusts, was created.';

const ListedCommission = CommissionShape.extend({
  exchange: ExchangeShape.nullable().describe('How its order was converted; null without an order in another currency.'),
}).meta({ id: 'ListedCommission', example: { ...commissionExample, exchange: null } });

export const listCommissions = endpoint({
  id: 'commissions.list',
  route: 'GET /v1/programs/:programId/commissions',
  scope: 'read',
  tag: 'Commissions',
  summary: 'List commissions',
  query: z.object({
    status: oneOf(CommissionStatus),
    kind: oneOf(CommissionKind),
    affiliateId: uuid.optional(),
    conversionId: uuid.optional(),
    leadId: uuid.optional(),
    productId: uuid.optional(),
    ruleId: uuid.optional(),
    ...orderFilters,
    ...timeRange('created'),
    ...timeRange('matures'),
    occurredFrom: timestampIn.optional().describe(`Only commissions whose order occurred at or after this time. ${withoutOrder}`),
    occurredTo: timestampIn.optional().describe(`Only commissions whose order occurred before this time. ${withoutOrder}`),
    ...cursorPage,
    sort: sortBy('createdAt', 'updatedAt', 'maturesAt', 'amountCents'),
    expand: expandable('affiliate', 'product', 'rule'),
  }),
  statuses: [200],
  result: cursorListOf('commissions', ListedCommission, 'CommissionList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, kind, createdFrom, createdTo, maturesFrom, maturesTo, limit, offset, expand } = query;
    let commissions = ctx.db.selectFrom('commissions as commission').where('commission.programId', '=', programId);
    if (status) commissions = commissions.where('commission.status', 'in', status);
    if (kind) commissions = commissions.where('commission.kind', 'in', kind);
    const named = filters.filter((column) => query[column] !== undefined);
    for (const column of named) commissions = commissions.where(`commission.${column}`, '=', query[column] ?? null);
    commissions = commissions.where(withinRange('commission.createdAt', createdFrom, createdTo));
    commissions = commissions.where(withinRange('commission.maturesAt', maturesFrom, maturesTo));
    const related = await listRelated(ctx, programId, query);
    for (const condition of related) commissions = commissions.where(condition);
    const isCounted = named.length + related.length === 0 && !maturesFrom && !maturesTo;
    const created = { from: createdFrom, to: createdTo };
    const count = isCounted ? () => countCommissions(ctx, programId, { status, kind, created }) : undefined;
    const found = await findPage(commissions, { ...query, table: 'commission', count }, (all) => all.select('commission.id'));
    const rows = await readInOrder(ctx, programId, found.rows);
    const references = await readReferences(ctx, programId, rows, expand);
    const shown = rows.map(({ exchange, ...row }) => ({
      ...toCommission(row),
      ...references.get(row.id),
      exchange: readOrderExchange(exchange),
    }));
    return { commissions: shown, total: found.total, limit, offset, nextCursor: found.nextCursor };
  },
});

type Related = OrderFilters & { affiliateId?: string | undefined; occurredFrom?: Date | undefined; occurredTo?: Date | undefined };

/** Conditions on the order, the affiliate and the time that a commission counts at. */
async function listRelated(ctx: Pick<Context, 'db'>, programId: string, query: Related): Promise<RawBuilder<boolean>[]> {
  const { affiliateId, occurredFrom: from, occurredTo: to } = query;
  return [
    ...(await matchAffiliates(ctx, programId, query, sql`commission.affiliate_id`)),
    ...matchOrder(programId, query, sql`commission.conversion_id`),
    ...(from || to ? [matchTimes(programId, { from, to, isFew: affiliateId !== undefined })] : []),
  ];
}

/** The holds, order ids and exchange rates are read for the rows of the page only. */
async function readInOrder(ctx: Pick<Context, 'db'>, programId: string, page: readonly { id: string }[]) {
  const ids = page.map(({ id }) => id);
  if (ids.length === 0) return [];
  const exchange = sql<unknown>`conversion.facts -> 'exchange'`.as('exchange');
  const rows = await selectCommissions(ctx, programId).select(exchange).where('commission.id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
