// Customers, filtered. An email address is compared by its keyed hash: the address itself is not stored.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { identifyBuyer } from './buyer.ts';
import { BoundBy, CustomerShape, noOrders, readCustomers, readOrderTotals } from './customer.ts';

/** What customers can be filtered by. */
export const customerFilters = {
  affiliateId: uuid.optional(),
  isBound: z.enum(['true', 'false']).optional().describe('Whether the customer is bound to an affiliate.'),
  boundBy: oneOf(BoundBy),
  externalId: externalIdentifier(255).optional().describe("One of the program's own ids of the customer."),
  email: z.string().min(1).max(254).optional().describe('The whole address.'),
  search: z.string().trim().min(1).max(255).optional().describe('A whole `externalId` or email address.'),
  ...timeRange('created'),
};

const Filters = z.object(customerFilters);
type Filters = z.output<typeof Filters>;

export const listCustomers = endpoint({
  id: 'customers.list',
  route: 'GET /v1/programs/:programId/customers',
  scope: 'read',
  tag: 'Customers',
  summary: 'List customers',
  description: 'Customers are created by leads and by credited orders with a `customer`.',
  query: z.object({
    ...customerFilters,
    ...cursorPage,
    sort: sortBy('createdAt', 'updatedAt'),
    expand: expandable('affiliate', 'totals'),
  }),
  statuses: [200],
  result: cursorListOf('customers', CustomerShape, 'CustomerList'),
  async handle(ctx, { actor: { programId, currency }, query }) {
    const { limit, offset, expand } = query;
    const { rows, total, nextCursor } = await findPage(await selectCustomers(ctx, programId, query), query, (found) => found.select('id'));
    const ids = rows.map(({ id }) => id);
    const shown = await readCustomers(ctx, programId, ids);
    const expanded = expand.has('affiliate') ? shown.flatMap((customer) => customer.affiliateId ?? []) : [];
    const affiliates = await findAffiliateReferences(ctx, programId, expanded);
    const totals = await readOrderTotals(ctx, programId, expand.has('totals') ? ids : []);
    const totalsOf = (id: string) => (expand.has('totals') ? Object.assign({ currency }, totals.get(id) ?? noOrders) : undefined);
    const list = shown.map((customer) => ({
      ...customer,
      affiliate: affiliates.get(customer.affiliateId ?? ''),
      totals: totalsOf(customer.id),
    }));
    return { customers: list, total, limit, offset, nextCursor };
  },
});

/** The customers that match. */
export async function selectCustomers(ctx: Pick<Context, 'db'>, programId: string, filters: Filters) {
  const { affiliateId, isBound, boundBy, externalId, email, search, createdFrom, createdTo } = filters;
  let customers = ctx.db.selectFrom('customers').where('programId', '=', programId);
  if (affiliateId) customers = customers.where('affiliateId', '=', affiliateId);
  if (isBound) customers = customers.where('affiliateId', isBound === 'true' ? 'is not' : 'is', null);
  if (boundBy) customers = customers.where('boundBy', 'in', boundBy);
  for (const named of [{ externalId }, { email }, { externalId: search, email: search }]) {
    if (named.externalId === undefined && named.email === undefined) continue;
    const keys = await findKeys(ctx, programId, named);
    customers = customers.where(
      sql<boolean>`id in (select customer_id from customer_keys where program_id = ${programId} and key = any(${keys}))`,
    );
  }
  return customers.where(withinRange('createdAt', createdFrom, createdTo));
}

type Named = { externalId?: string | undefined; email?: string | undefined };

/** The keys that an id or address has in this program. Text that is not an address has none. */
async function findKeys(ctx: Pick<Context, 'db'>, programId: string, named: Named): Promise<string[]> {
  const programs = ctx.db.selectFrom('programs').select('hashKey').where('id', '=', programId);
  const { hashKey } = await programs.executeTakeFirstOrThrow();
  return identifyBuyer(named, hashKey).customerKeys;
}
