// A customer: a buyer or lead that a program knows by its own id, by email address, or both, and the affiliate that they
// are bound to. The address itself is not stored.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { AttributionMethod } from '../orders/conversion-shape.ts';

export const BoundBy = z.enum(['order', 'lead', 'member']).meta({ id: 'CustomerBoundBy' });

export const customerExample = {
  id: '01980a70-2b3c-7d4e-8f50-6a7b8c9d0e1f',
  externalIds: ['c-77'],
  hasEmail: true,
  affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
  boundBy: 'lead',
  boundMethod: 'click',
  boundAt: '2026-11-02T09:30:00.000Z',
  createdAt: '2026-11-02T09:30:00.000Z',
  updatedAt: '2026-11-02T09:30:00.000Z',
} as const;

const CustomerTotals = z
  .object({
    orders: countOut.describe('Their credited orders, without those that were refunded in full.'),
    salesCents: centsOut.describe('The amount of their credited orders.'),
    refundsCents: centsOut.describe('What was refunded of it.'),
    currency: currencyOut,
  })
  .meta({ id: 'CustomerTotals', example: { orders: 2, salesCents: 9960, refundsCents: 0, currency: 'USD' } });

export const CustomerShape = z
  .object({
    id: uuidOut,
    externalIds: z.array(z.string()).describe("The program's own ids of the customer; orders and leads that name one belong to them."),
    hasEmail: z.boolean().describe('Whether the customer is also recognized by an email address, of which only a keyed hash is stored.'),
    affiliateId: uuidOut.nullable().describe('The affiliate that later orders without another signal are credited to.'),
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    totals: CustomerTotals.optional().describe('Included with `?expand=totals`.'),
    boundBy: BoundBy.nullable().describe('What bound the customer: their first credited order, a lead, or a member or API key.'),
    boundMethod: AttributionMethod.nullable().describe('The attribution signal of that order or lead.'),
    boundAt: timestampOut.nullable().describe('When that order or lead occurred, or the binding was changed.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Customer', example: { ...customerExample, externalIds: [...customerExample.externalIds] } });

export const customerSlot = idSlot('customers', 'The id of the customer.');

export type Customer = z.input<typeof CustomerShape>;

export type CustomerRow = {
  id: string;
  externalIds: string[];
  hasEmail: boolean;
  affiliateId: string | null;
  boundBy: string | null;
  boundMethod: string | null;
  boundAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

/** The columns of a customer for `toCustomer`; the table has the alias `customer`. */
const customerColumns = (
  programId: string,
) => sql`customer.id, customer.affiliate_id, customer.bound_by, customer.bound_method, customer.bound_at,
  customer.created_at, customer.updated_at,
  array(select substr(known.key, 4) from customer_keys as known where known.program_id = ${programId}
    and known.customer_id = customer.id and known.key like 'id:%' order by known.key) as external_ids,
  exists (select from customer_keys as known where known.program_id = ${programId}
    and known.customer_id = customer.id and known.key like 'mail:%') as has_email`;

export function toCustomer(row: CustomerRow): Customer {
  return {
    ...row,
    boundBy: BoundBy.nullable().parse(row.boundBy),
    boundMethod: AttributionMethod.nullable().parse(row.boundMethod),
    boundAt: row.boundAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** These customers as the API returns them, in the given order. */
export async function readCustomers(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<Customer[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<CustomerRow>`
    select ${customerColumns(programId)} from customers as customer
    where customer.program_id = ${programId} and customer.id = any(${ids}::uuid[])`.execute(ctx.db);
  const byId = new Map(rows.map((row) => [row.id, toCustomer(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

type Totals = { orders: number; salesCents: number; refundsCents: number };

/** The totals of a customer without an order. */
export const noOrders: Totals = { orders: 0, salesCents: 0, refundsCents: 0 };

/** The totals of these customers' orders, by id. An order belongs to the customer of its first key. */
export async function readOrderTotals(
  { db }: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, Totals>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Totals & { customerId: string }>`
    select known.customer_id, count(conversion.id) filter (where conversion.voided_at is null) as orders,
      coalesce(sum(conversion.amount_cents), 0)::bigint as sales_cents,
      coalesce(sum(conversion.refunded_cents), 0)::bigint as refunds_cents
    from (
      select customer_id, array_agg(key) as keys from customer_keys
      where program_id = ${programId} and customer_id = any(${ids}::uuid[]) group by customer_id
    ) as known
    join conversions as conversion on conversion.program_id = ${programId} and conversion.customer_keys && known.keys
      and conversion.customer_key = any(known.keys)
    group by known.customer_id`.execute(db);
  return new Map(rows.map(({ customerId, ...totals }) => [customerId, totals]));
}
