// Stores customers: the keys they are recognized by, and every change of the affiliate that they are bound to, with its
// event. The ledger must be locked, so that no other process binds the same customer.
import type { Tx } from '../../context.ts';
import { recordEventsOf } from '../../messaging/events/record.ts';
import { insertOfProgram } from '../../platform/db/inserts/insert-of-program.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { type Binding, countOrder, type KnownCustomers, type KnownKey, nextStep, type OrderOfCustomer } from './buyer.ts';
import { readCustomers } from './customer.ts';
import { customerBound, customerUnbound } from './events.ts';

/** A change of the affiliate that a customer is bound to; without an affiliate, the end of the binding. */
export type BindingChange = {
  customerId: string;
  /** Its number among the changes of this customer (nextStep). */
  step: number;
  affiliateId: string | null;
  /** The affiliate before the change. */
  previousAffiliateId: string | null;
  source: 'order' | 'lead' | 'member' | 'lead_rejected';
  method: Binding['boundMethod'];
  boundAt: Date;
  conversionId?: string;
  leadId?: string;
  note?: string;
  actor: Actor;
};

/** Inserts an unbound customer, unless the customer exists. */
export async function insertCustomer(tx: Tx, programId: string, id: string): Promise<void> {
  const now = tx.clock.now();
  await plainSql`
    insert into customers (program_id, id, changes, created_at, updated_at) values (${programId}, ${id}, 0, ${now}, ${now})
    on conflict (program_id, id) do nothing`.execute(tx.db);
}

/** Stores keys with their new counts. Their customers must exist. */
export async function storeKeys(tx: Tx, programId: string, keys: ReadonlyMap<string, KnownKey>): Promise<void> {
  if (keys.size === 0) return;
  // Always written in the same order, so that two transactions can't deadlock.
  const rows = [...keys]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { customerId, firstOrderAt, orders }]) => ({ key, customer_id: customerId, first_order_at: firstOrderAt, orders }));
  await insertKeys(tx, programId, rows);
}

const insertKeys = insertOfProgram({
  into: 'customer_keys',
  columns: { key: 'text', customer_id: 'uuid', first_order_at: 'timestamptz', orders: 'bigint' },
  onConflict: '(program_id, key) do update set orders = excluded.orders, first_order_at = excluded.first_order_at',
});

type RecordedOrder = OrderOfCustomer & { id: string; actor: Actor };

/** Counts the orders of the customers. An order of a customer who is not bound binds them to the credited affiliate. */
export async function storeCustomers(tx: Tx, programId: string, credited: readonly RecordedOrder[], known: KnownCustomers): Promise<void> {
  let customers = known;
  const changes: BindingChange[] = [];
  for (const order of credited) {
    const { id, customerId, affiliate, credit, at, actor } = order;
    if (customerId !== null && !customers.bindings.get(customerId)?.affiliateId) {
      const binding = { source: 'order', method: credit.method, boundAt: at, conversionId: id } as const;
      const step = nextStep(customers, customerId);
      changes.push({ customerId, step, affiliateId: affiliate.id, previousAffiliateId: null, ...binding, actor });
    }
    customers = countOrder(customers, order);
  }
  const named = new Set(credited.flatMap(({ buyer }) => buyer.customerKeys));
  const keys = new Map([...customers.keys].filter(([key]) => named.has(key)));
  await Promise.all([writeBindings(tx, programId, changes), storeKeys(tx, programId, keys)]);
}

type Recounted = { customerKeys: string[]; isVoid: boolean; occurredAt: Date };

/** Takes orders out of the counts of their customers when they become void, and counts them again when they no longer are. */
export async function recountOrders(tx: Tx, programId: string, orders: readonly Recounted[]): Promise<void> {
  const changes = orders.flatMap(({ customerKeys, isVoid, occurredAt }) =>
    customerKeys.map((key) => ({ key, orders: isVoid ? -1 : 1, first_at: isVoid ? null : occurredAt })),
  );
  if (changes.length === 0) return;
  await plainSql`
    update customer_keys as known set orders = known.orders + change.orders, first_order_at = least(known.first_order_at, change.first_at)
    from (
      select key, sum(orders) as orders, min(first_at) as first_at
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as row (key text, orders bigint, first_at timestamptz)
      group by key
    ) as change
    where known.program_id = ${programId} and known.key = change.key`.execute(tx.db);
}

/** Binds customers to affiliates or ends their bindings, at most one change for each. The keys of new customers must be stored. */
export async function changeBindings(tx: Tx, programId: string, changes: readonly BindingChange[]): Promise<void> {
  await writeBindings(tx, programId, changes);
  await announceBindings(tx, programId, changes);
}

/** As `changeBindings`, for orders, whose own events announce them. A new customer is inserted. */
export async function writeBindings(tx: Tx, programId: string, changes: readonly BindingChange[]): Promise<void> {
  if (changes.length === 0) return;
  const now = tx.clock.now();
  const bound = changes
    .toSorted((a, b) => (a.customerId < b.customerId ? -1 : 1))
    .map(({ customerId, step, affiliateId, source, method, boundAt }) => ({
      id: customerId,
      affiliate_id: affiliateId,
      bound_by: affiliateId === null ? null : source,
      bound_method: method,
      bound_at: affiliateId === null ? null : boundAt,
      changes: step,
      created_at: now,
      updated_at: now,
    }));
  const steps = changes.map(({ customerId, step, affiliateId, source, method, conversionId, leadId, note, actor }) => ({
    programId,
    customerId,
    step,
    affiliateId,
    source,
    method,
    conversionId: conversionId ?? null,
    leadId: leadId ?? null,
    note: note ?? null,
    actorKind: actor.kind,
    actorId: actor.id,
    createdAt: now,
  }));
  await Promise.all([insertBound(tx, programId, bound), insertRows(tx, 'customerBindings', steps)]);
}

const insertBound = insertOfProgram({
  into: 'customers',
  columns: {
    id: 'uuid',
    affiliate_id: 'uuid',
    bound_by: 'text',
    bound_method: 'text',
    bound_at: 'timestamptz',
    changes: 'integer',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  onConflict: `(program_id, id) do update set affiliate_id = excluded.affiliate_id, bound_by = excluded.bound_by,
    bound_method = excluded.bound_method, bound_at = excluded.bound_at, changes = excluded.changes, updated_at = excluded.updated_at`,
});

async function announceBindings(tx: Tx, programId: string, changes: readonly BindingChange[]): Promise<void> {
  const ids = changes.map(({ customerId }) => customerId);
  const customers = new Map((await readCustomers(tx, programId, ids)).map((customer) => [customer.id, customer]));
  const events = changes.flatMap(({ customerId, affiliateId, previousAffiliateId, actor }) => {
    const data = customers.get(customerId);
    const event = affiliateId === null ? customerUnbound : customerBound;
    const previous = { affiliateId: previousAffiliateId };
    return data
      ? [{ event: event.of({ objectId: customerId, affiliateId: affiliateId ?? previousAffiliateId, data, previous }), actor }]
      : [];
  });
  await recordEventsOf(tx, programId, events);
}
