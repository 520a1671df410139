// One customer: the affiliate they are bound to and why, all changes of that, and the totals of their orders.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AffiliateReference, findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { ActorShape, actorExample } from '../../platform/http/declaration/actor-shape.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { expandable } from '../../platform/http/declaration/lists.ts';
import { AttributionMethod } from '../orders/conversion-shape.ts';
import { CustomerShape, customerExample, customerSlot, readCustomers } from './customer.ts';

const BindingShape = z
  .object({
    affiliateId: uuidOut.nullable().describe('Null if the change ended the binding.'),
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    source: z.enum(['order', 'lead', 'member', 'lead_rejected']).describe('What changed it. `member`: a member or an API key.'),
    method: AttributionMethod.nullable().describe('The attribution signal of the order or lead.'),
    clickId: uuidOut.nullable().describe('The click of the order or lead.'),
    conversionId: uuidOut.nullable(),
    orderId: z.string().nullable(),
    leadId: uuidOut.nullable(),
    note: z.string().nullable(),
    actor: ActorShape,
    createdAt: timestampOut,
  })
  .meta({ id: 'CustomerBinding' });

const bindingExample = {
  affiliateId: customerExample.affiliateId,
  source: 'lead' as const,
  method: 'click' as const,
  clickId: '01980a53-9d10-7a44-b0c6-1f2e3d4c5b6a',
  conversionId: null,
  orderId: null,
  leadId: '01980a71-3c4d-7e5f-8a61-7b8c9d0e1f20',
  note: null,
  actor: actorExample,
  createdAt: customerExample.createdAt,
};

export const CustomerDetail = CustomerShape.extend({
  bindings: z.array(BindingShape).describe('All changes of the affiliate that the customer is bound to, the latest first.'),
  orders: countOut.describe('Their credited orders, without those that were refunded in full.'),
  salesCents: centsOut.describe('The amount of their credited orders.'),
  refundsCents: centsOut,
  commissionCents: centsOut.describe('What affiliates earned for these orders, as earned.'),
  reversedCents: centsOut.describe('The part of it that refunds have reversed.'),
  leads: countOut.describe('Their leads that are not rejected.'),
  currency: currencyOut,
}).meta({
  id: 'CustomerDetail',
  example: {
    ...customerExample,
    externalIds: [...customerExample.externalIds],
    bindings: [bindingExample],
    orders: 2,
    salesCents: 9960,
    refundsCents: 0,
    commissionCents: 996,
    reversedCents: 0,
    leads: 1,
    currency: 'USD',
  },
});

export const getCustomer = endpoint({
  id: 'customers.get',
  route: 'GET /v1/programs/:programId/customers/:id',
  scope: 'read',
  tag: 'Customers',
  summary: 'Get a customer',
  description: 'Returns the customer, what bound them to their affiliate, and the totals of their orders.',
  path: { id: customerSlot },
  query: z.object({ expand: expandable('affiliate') }),
  statuses: [200],
  result: CustomerDetail,
  async handle(ctx, { actor: { programId, currency }, params: { id }, query: { expand } }) {
    const customer = await readCustomerDetail(ctx, { programId, currency }, id);
    const named = customer.bindings.flatMap(({ affiliateId }) => affiliateId ?? []);
    const affiliates = await findAffiliateReferences(ctx, programId, expand.has('affiliate') ? named : []);
    const withAffiliate = <T extends { affiliateId: string | null }>(row: T) => ({
      ...row,
      affiliate: affiliates.get(row.affiliateId ?? ''),
    });
    return { ...withAffiliate(customer), bindings: customer.bindings.map(withAffiliate) };
  },
});

type Owner = { programId: string; currency: string };

/** The customer with their bindings and totals. */
export async function readCustomerDetail(
  ctx: Pick<Context, 'db'>,
  { programId, currency }: Owner,
  id: string,
): Promise<z.input<typeof CustomerDetail>> {
  const [customer] = await readCustomers(ctx, programId, [id]);
  if (!customer) throw new Error('The customer was found before and is missing now.');
  const bindings = await readBindings(ctx, programId, id);
  return { ...customer, bindings, ...(await readTotals(ctx, programId, id)), currency };
}

async function readBindings({ db }: Pick<Context, 'db'>, programId: string, id: string) {
  const { rows } = await sql<Omit<z.input<typeof BindingShape>, 'createdAt'> & { createdAt: Date }>`
    select binding.affiliate_id, binding.source, binding.method, binding.conversion_id, binding.lead_id, binding.note, binding.created_at,
      conversion.order_id, coalesce(conversion.click_id, lead.click_id) as click_id,
      json_build_object('kind', binding.actor_kind, 'id', binding.actor_id) as actor
    from customer_bindings as binding
    left join conversions as conversion on conversion.program_id = ${programId} and conversion.id = binding.conversion_id
    left join leads as lead on lead.program_id = ${programId} and lead.id = binding.lead_id
    where binding.program_id = ${programId} and binding.customer_id = ${id} order by binding.step desc`.execute(db);
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

type Totals = Pick<
  z.input<typeof CustomerDetail>,
  'orders' | 'salesCents' | 'refundsCents' | 'commissionCents' | 'reversedCents' | 'leads'
>;

/** An order belongs to the customer of its first key. */
async function readTotals({ db }: Pick<Context, 'db'>, programId: string, id: string): Promise<Totals> {
  const { rows } = await sql<Totals>`
    with known as (
      select array_agg(key) as keys from customer_keys where program_id = ${programId} and customer_id = ${id}
    )
    select count(conversion.id) filter (where conversion.voided_at is null) as orders,
      coalesce(sum(conversion.amount_cents), 0)::bigint as sales_cents,
      coalesce(sum(conversion.refunded_cents), 0)::bigint as refunds_cents,
      coalesce(sum(summary.commission_cents), 0)::bigint as commission_cents,
      coalesce(sum(summary.reversed_cents), 0)::bigint as reversed_cents,
      (select count(*) from leads where program_id = ${programId} and customer_id = ${id} and rejected_at is null) as leads
    from known
    left join conversions as conversion on conversion.program_id = ${programId} and conversion.customer_keys && known.keys
      and conversion.customer_key = any(known.keys)
    left join conversion_summaries as summary on summary.program_id = ${programId} and summary.id = conversion.id`.execute(db);
  const [totals] = rows;
  if (!totals) throw new Error('An aggregate has no row.');
  return totals;
}
