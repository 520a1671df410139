// What orders, leads and customers must be after a history, derived only from the requests: a second, simple implementation
// that the stored rows are compared with.
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { World } from './call.ts';

/** An affiliate, and the lead that bound the customer to them. */
type Bound = { affiliateId: string; leadId: string | null };

export type Model = {
  /** Orders by id. */
  orders: Map<string, { affiliateId: string; amountCents: number }>;
  leads: Map<string, { customer: string; affiliateId: string; isRejected: boolean }>;
  /** Customers by the program's id for them, as far as leads named them. */
  customers: Map<string, { id: string; bound: Bound | null }>;
};

export const emptyModel = (): Model => ({ orders: new Map(), leads: new Map(), customers: new Map() });

export function moveInModel({ orders }: Model, id: string, affiliateId: string): void {
  const order = orders.get(id);
  assert.ok(order && order.affiliateId !== affiliateId, 'an order is moved to another affiliate');
  order.affiliateId = affiliateId;
}

export function increaseInModel({ orders }: Model, id: string, byCents: number): void {
  const order = orders.get(id) ?? assert.fail();
  order.amountCents += byCents;
}

/** Binds a customer who isn't bound. */
export function bindInModel({ customers }: Model, name: string, bound: Bound): void {
  const customer = customers.get(name);
  if (customer && !customer.bound) customer.bound = bound;
}

/** Rejects a lead, once, and ends the binding that it made. */
export function rejectInModel({ leads, customers }: Model, id: string): void {
  const lead = leads.get(id) ?? assert.fail();
  if (lead.isRejected) return;
  lead.isRejected = true;
  const customer = customers.get(lead.customer);
  if (customer?.bound?.leadId === id) customer.bound = null;
}

/** Compares the stored rows of the program with the model. */
export async function compareWithModel({ ctx, actor: { programId }, model }: World): Promise<void> {
  const read = async (rows: ReturnType<typeof sql<{ id: string; stored: string }>>) =>
    new Map((await rows.execute(ctx.db)).rows.map(({ id, stored }) => [id, stored]));
  const [orders, leads, customers] = await Promise.all([
    read(sql`select id, affiliate_id || ' ' || amount_cents as stored from conversions where program_id = ${programId}`),
    read(sql`select id, affiliate_id || ' ' || (rejected_at is not null) as stored from leads where program_id = ${programId}`),
    read(sql`select substr(key, 4) as id, coalesce(affiliate_id::text, 'unbound') as stored
      from customer_keys as known join customers as customer on customer.program_id = known.program_id and customer.id = known.customer_id
      where known.program_id = ${programId} and key like 'id:l-%'`),
  ]);
  assert.deepEqual(
    orders,
    toStored(model.orders, ({ affiliateId, amountCents }) => `${affiliateId} ${amountCents}`),
  );
  assert.deepEqual(
    leads,
    toStored(model.leads, ({ affiliateId, isRejected }) => `${affiliateId} ${isRejected}`),
  );
  assert.deepEqual(
    customers,
    toStored(model.customers, ({ bound }) => bound?.affiliateId ?? 'unbound'),
  );
}

function toStored<T>(of: ReadonlyMap<string, T>, toText: (one: T) => string): Map<string, string> {
  return new Map([...of].map(([id, one]) => [id, toText(one)]));
}
