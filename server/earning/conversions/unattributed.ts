// Orders without an affiliate to credit (422). The order id is not used up, so that a corrected report can still
// succeed; the order is stored for coverage and for claims.
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import { searchField, toLikePattern } from '../../accounts/programs/search.ts';
import type { Tx } from '../../context.ts';
import { recordedValues } from '../../platform/db/recorded-values.ts';
import type { UnattributedOrders } from '../../platform/db/schema.gen.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import {
  amountRange,
  cursorListOf,
  expandable,
  findPage,
  oneOf,
  sortBy,
  timeRange,
  withinAmounts,
  withinRange,
} from '../../platform/http/declaration/lists.ts';
import type { LockedLedger } from '../ledger/post.ts';
import { SignalOutcome, signalOutcomes } from '../orders/conversion-shape.ts';
import type { UnattributedOrder } from './recording/decide.ts';
import { ConversionReference, findConversionReferences } from './reference.ts';

/** Stores each order; of several reports, the last one. */
export async function storeUnattributed(
  tx: Tx,
  { programId, currency }: LockedLedger,
  orders: readonly UnattributedOrder[],
): Promise<void> {
  const latest = new Map(orders.map((one) => [one.order.orderId, one]));
  const now = tx.clock.now();
  const rows = [...latest].sort().map(([orderId, one]) => ({
    id: tx.ids.uuid(),
    order_id: orderId,
    amount_cents: one.amountCents,
    reason: one.reason,
    signals: one.signals,
    report: { ...withoutAddress(one.order), disposableDomain: one.buyer.disposableDomain },
    customer_key: one.buyer.customerKeys[0] ?? null,
    customer_keys: one.buyer.customerKeys,
    buyer_hash: one.buyer.mailboxHash,
    occurred_at: one.at,
  }));
  await sql`
    insert into unattributed_orders as stored
      (program_id, id, order_id, amount_cents, currency, reason, signals, report, customer_key, customer_keys, buyer_hash, occurred_at,
        created_at, updated_at, recorded_values)
    select ${programId}::uuid, id, order_id, amount_cents, ${currency}, reason, signals, report, customer_key, customer_keys, buyer_hash,
      occurred_at, ${now}, ${now}, ${sql.raw(recordedValues('unattributed_orders'))}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row
      (id uuid, order_id text, amount_cents bigint, reason text, signals jsonb, report jsonb, customer_key text, customer_keys text[],
        buyer_hash text, occurred_at timestamptz)
    on conflict (program_id, order_id) do update set amount_cents = excluded.amount_cents, reason = excluded.reason,
      signals = excluded.signals, report = excluded.report, customer_key = excluded.customer_key, customer_keys = excluded.customer_keys,
      buyer_hash = coalesce(excluded.buyer_hash, stored.buyer_hash), occurred_at = excluded.occurred_at, updated_at = excluded.updated_at,
      recorded_values = excluded.recorded_values, reports = stored.reports + 1`.execute(tx.db);
}

/** The report without the buyer's address, of which only keyed hashes are stored. */
function withoutAddress({ customer, ...order }: UnattributedOrder['order']): object {
  if (!customer) return order;
  const { email: _, ...known } = customer;
  return { ...order, customer: known };
}

const [, ...rejections] = signalOutcomes;
const UnattributedReason = z.enum(['no_signal', ...rejections]).meta({ id: 'UnattributedReason' });

export const UnattributedOrderShape = z
  .object({
    id: uuidOut,
    orderId: z.string(),
    amountCents: centsOut,
    currency: currencyOut,
    reason: UnattributedReason.describe('Why the first signal was not credited; `no_signal` if the report had none.'),
    signals: z.array(SignalOutcome),
    reports: countOut.describe('The number of reports without an affiliate to credit.'),
    conversionId: uuidOut.nullable().describe('Set when a later report or a claim credited the order.'),
    conversion: ConversionReference.optional().describe('Included with `?expand=conversion`.'),
    occurredAt: timestampOut,
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({
    id: 'UnattributedOrder',
    example: {
      id: '01980a57-3e4f-7a5b-9c6d-7e8f9a0b1c2d',
      orderId: 'FF-10024',
      amountCents: 2490,
      currency: 'USD',
      reason: 'outside_the_window',
      signals: [
        {
          signal: 'click',
          value: '01980a53-9d10-7a44-b0c6-1f2e3d4c5b6a',
          affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
          outcome: 'outside_the_window',
        },
      ],
      reports: 1,
      conversionId: null,
      occurredAt: '2026-11-02T09:30:00.000Z',
      createdAt: '2026-11-02T09:30:01.000Z',
      updatedAt: '2026-11-02T09:30:01.000Z',
    },
  });

function toUnattributedOrder(row: Selectable<UnattributedOrders>): z.input<typeof UnattributedOrderShape> {
  return {
    ...row,
    reason: UnattributedReason.parse(row.reason),
    signals: z.array(SignalOutcome).parse(row.signals),
    occurredAt: row.occurredAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export const listUnattributedOrders = endpoint({
  id: 'unattributedOrders.list',
  route: 'GET /v1/programs/:programId/unattributed-orders',
  scope: 'read',
  tag: 'Conversions',
  summary: 'List unattributed orders',
  description: 'Reported orders without an affiliate to credit.',
  query: z.object({
    search: searchField('Finds a part of the order id'),
    reason: oneOf(UnattributedReason),
    orderId: externalIdentifier(255).optional(),
    conversionId: uuid.optional(),
    resolved: z.enum(['true', 'false']).optional().describe('Whether a later report or a claim credited the order.'),
    ...amountRange,
    ...timeRange('occurred'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'occurredAt', 'amountCents'),
    expand: expandable('conversion'),
  }),
  statuses: [200],
  result: cursorListOf('unattributedOrders', UnattributedOrderShape, 'UnattributedOrderList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { search, reason, orderId, conversionId, resolved, limit, offset, expand } = query;
    let orders = ctx.db.selectFrom('unattributedOrders').where('programId', '=', programId);
    if (search) orders = orders.where(sql<boolean>`lower(order_id) like ${toLikePattern(search)}`);
    if (reason) orders = orders.where('reason', 'in', reason);
    if (orderId) orders = orders.where('orderId', '=', orderId);
    if (conversionId) orders = orders.where('conversionId', '=', conversionId);
    if (resolved) orders = orders.where('conversionId', resolved === 'true' ? 'is not' : 'is', null);
    orders = orders.where(withinAmounts('amountCents', query));
    orders = orders.where(withinRange('occurredAt', query.occurredFrom, query.occurredTo));
    orders = orders.where(withinRange('createdAt', query.createdFrom, query.createdTo));
    const { rows, total, nextCursor } = await findPage(orders, query, (found) => found.selectAll());
    const expanded = expand.has('conversion') ? rows.map((row) => row.conversionId) : [];
    const conversions = await findConversionReferences(ctx, programId, expanded);
    const unattributedOrders = rows.map((row) => ({ ...toUnattributedOrder(row), conversion: conversions.get(row.conversionId) }));
    return { unattributedOrders, total, limit, offset, nextCursor };
  },
});

export const getUnattributedOrder = endpoint({
  id: 'unattributedOrders.get',
  route: 'GET /v1/programs/:programId/unattributed-orders/:id',
  scope: 'read',
  tag: 'Conversions',
  summary: 'Get an unattributed order',
  path: { id: idSlot('unattributedOrders', 'The id of the unattributed order.') },
  query: z.object({ expand: expandable('conversion') }),
  statuses: [200],
  result: UnattributedOrderShape,
  async handle(ctx, { actor: { programId }, params: { id }, query: { expand } }) {
    const orders = ctx.db.selectFrom('unattributedOrders').selectAll().where('programId', '=', programId);
    const order = await orders.where('id', '=', id).executeTakeFirstOrThrow();
    const conversions = await findConversionReferences(ctx, programId, expand.has('conversion') ? [order.conversionId] : []);
    return { ...toUnattributedOrder(order), conversion: conversions.get(order.conversionId) };
  },
});
