// The console's table of customers: the filters of the list of customers, with what its columns show.
import { z } from 'zod';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, page, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, sortBy } from '../../platform/http/declaration/lists.ts';
import { AttributionMethod } from '../orders/conversion-shape.ts';
import { BoundBy, noOrders, readCustomers, readOrderTotals } from './customer.ts';
import { customerFilters, selectCustomers } from './list.ts';

const CustomerRow = z
  .object({
    id: uuidOut,
    externalIds: z.array(z.string()),
    affiliateName: z.string().nullable().describe('The affiliate that the customer is bound to.'),
    boundBy: BoundBy.nullable(),
    boundMethod: AttributionMethod.nullable(),
    boundAt: timestampOut.nullable(),
    orders: countOut.describe('Their credited orders, without those that were refunded in full.'),
    salesCents: centsOut.describe('The amount of their credited orders after refunds.'),
    currency: currencyOut,
    createdAt: timestampOut,
  })
  .meta({
    id: 'CustomerRow',
    example: {
      id: '01980a70-2b3c-7d4e-8f50-6a7b8c9d0e1f',
      externalIds: ['c-77'],
      affiliateName: 'Ada Lovelace',
      boundBy: 'lead',
      boundMethod: 'click',
      boundAt: '2026-11-02T09:30:00.000Z',
      orders: 2,
      salesCents: 9960,
      currency: 'USD',
      createdAt: '2026-11-02T09:30:00.000Z',
    },
  });

export const listCustomerTable = endpoint({
  id: 'customerTable.list',
  route: 'GET /app/programs/:programId/customers',
  scope: 'read',
  isUserOnly: true,
  tag: 'Customers',
  summary: 'List customers as a table shows them',
  description: 'The same customers as the list of the API, without what only the details of a customer show.',
  query: z.object({ ...customerFilters, ...page, cursor: cursorPage.cursor, sort: sortBy('createdAt', 'updatedAt') }),
  statuses: [200],
  result: cursorListOf('customers', CustomerRow, 'CustomerTable'),
  async handle(ctx, { actor: { programId, currency }, query }) {
    const { limit, offset } = query;
    const { rows, total, nextCursor } = await findPage(await selectCustomers(ctx, programId, query), query, (found) => found.select('id'));
    const ids = rows.map(({ id }) => id);
    const shown = await readCustomers(ctx, programId, ids);
    const bound = shown.flatMap(({ affiliateId }) => affiliateId ?? []);
    const affiliates = await findAffiliateReferences(ctx, programId, bound);
    const totals = await readOrderTotals(ctx, programId, ids);
    const customers = shown.map((customer) => {
      const { orders, salesCents, refundsCents } = totals.get(customer.id) ?? noOrders;
      const affiliateName = affiliates.get(customer.affiliateId ?? '')?.name ?? null;
      return { ...customer, affiliateName, orders, salesCents: salesCents - refundsCents, currency };
    });
    return { customers, total, limit, offset, nextCursor };
  },
});
