// A customer: a buyer or lead that a program knows by its own id, by email address, or both, and the affiliate that they
// are bound to. The address itself is not stored.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { AttributionMethod } from '../commissions/orders/conversion-shape.ts';

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

export const CustomerShape = z
  .object({
    id: uuidOut,
    externalIds: z.array(z.string()).describe("The program's own ids of the customer; orders and leads that name one belong to them."),
    hasEmail: z.boolean().describe('Whether the customer is also recognized by an email address, of which only a keyed hash is stored.'),
    affiliateId: uuidOut.nullable().describe('The affiliate that later orders without another signal are credited to.'),
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
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
