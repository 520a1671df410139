// The console's table of orders: the filters, order and total of the list of conversions, with what its columns show.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, page, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, sortBy } from '../../../platform/http/declaration/lists.ts';
import { fullName } from '../../../platform/lib/text.ts';
import { AttributionMethod, ConversionStatus, ExchangeShape, readOrderExchange } from '../../orders/conversion-shape.ts';
import { findConversionPage } from './count.ts';
import { conversionFilters } from './filters.ts';

const OrderRow = z
  .object({
    id: uuidOut,
    orderId: z.string(),
    status: ConversionStatus,
    affiliate: z.object({ name: z.string(), email: z.string() }).describe('The affiliate who was credited.'),
    method: AttributionMethod,
    amountCents: centsOut,
    refundedCents: centsOut,
    commissionCents: centsOut.describe('The sum of all levels, as earned.'),
    currency: currencyOut,
    exchange: ExchangeShape.nullable().describe('How the order was converted; null for an order in the currency of the program.'),
    otherAffiliates: countOut.describe('How many other affiliates could have been credited.'),
    occurredAt: timestampOut,
  })
  .meta({
    id: 'OrderRow',
    example: {
      id: '01980a54-1c22-7b6e-8d3f-5e9a7b1c2d3e',
      orderId: 'FF-10023',
      status: 'pending',
      affiliate: { name: 'Ada Lovelace', email: 'ada@example.com' },
      method: 'click',
      amountCents: 4980,
      refundedCents: 0,
      commissionCents: 498,
      currency: 'USD',
      exchange: null,
      otherAffiliates: 0,
      occurredAt: '2026-11-02T09:30:00.000Z',
    },
  });
type OrderRow = z.input<typeof OrderRow>;

export const listOrderTable = endpoint({
  id: 'orderTable.list',
  route: 'GET /app/programs/:programId/conversions',
  scope: 'read',
  isUserOnly: true,
  tag: 'Orders',
  summary: 'List orders as a table shows them',
  description: 'The same orders as the list of conversions, without what only the screen of an order shows.',
  query: z.object({
    ...conversionFilters,
    ...page,
    cursor: cursorPage.cursor,
    sort: sortBy('createdAt', 'occurredAt', 'amountCents', 'commissionCents', 'refundedCents'),
  }),
  statuses: [200],
  result: cursorListOf('orders', OrderRow, 'OrderTable'),
  async handle(ctx, { actor: { programId }, query }) {
    const { limit, offset, sort, cursor } = query;
    const { ids, total, nextCursor } = await findConversionPage(ctx, programId, { filters: query, limit, offset, sort, cursor });
    return { orders: await readOrderRows(ctx, programId, ids), total, limit, offset, nextCursor };
  },
});

type Stored = Omit<OrderRow, 'affiliate' | 'status' | 'method' | 'occurredAt' | 'exchange'> & {
  exchange: unknown;
  firstName: string;
  lastName: string;
  email: string;
  status: string;
  method: string;
  occurredAt: Date;
};

/** Rows by the ids of their conversions, in the order of the ids. */
async function readOrderRows({ db }: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Stored>`
    select summary.id, conversion.order_id, summary.status, affiliate.first_name, affiliate.last_name, affiliate.email, summary.method,
      summary.amount_cents, summary.refunded_cents, summary.commission_cents, conversion.currency, conversion.facts -> 'exchange' as exchange,
      summary.occurred_at,
      (select count(distinct outcome ->> 'affiliateId') from jsonb_array_elements(conversion.conflict) as outcome) as other_affiliates
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
      join conversion_summaries as summary on summary.program_id = ${programId} and summary.id = wanted.id
      join conversions as conversion on conversion.program_id = ${programId} and conversion.id = wanted.id
      join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = summary.affiliate_id
    order by wanted.place`.execute(db);
  return rows.map(({ firstName, lastName, email, status, method, occurredAt, exchange, ...row }) => ({
    ...row,
    exchange: readOrderExchange(exchange),
    affiliate: { name: fullName({ firstName, lastName }), email },
    status: ConversionStatus.parse(status),
    method: AttributionMethod.parse(method),
    occurredAt: occurredAt.toISOString(),
  }));
}
