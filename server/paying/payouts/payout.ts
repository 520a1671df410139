// A payout: one affiliate in one batch. Its id is the rail's idempotency key for ever; amount and destination were
// frozen before any rail was called. No destination has a field here, so none can be returned (Contract §2.1).
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import type { PayoutItems } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';

/** As it is kept. `sending`: a rail is being called right now. `unknown`: the rail gave no clear answer. */
export const itemStatuses = ['queued', 'sending', 'sent', 'unknown', 'paid', 'failed', 'returned', 'cancelled'] as const;
export type ItemStatus = (typeof itemStatuses)[number];

/** Money is on its way, or may be. */
export const openStatuses = ['queued', 'sending', 'sent', 'unknown'] as const satisfies ItemStatus[];

export function isOpen(status: string): boolean {
  return openStatuses.some((open) => open === status);
}

export const PayoutStatus = z
  .enum(['queued', 'sending', 'sent', 'paid', 'failed', 'returned', 'reconcile_required', 'cancelled'])
  .describe(
    'sending: the payout provider is being called. reconcile_required: outcome unknown. The provider is polled; the payment is never resent ' +
      'under another key.',
  )
  .meta({ id: 'PayoutStatus' });
export type PayoutStatus = z.infer<typeof PayoutStatus>;

export const PayoutShape = z
  .object({
    id: uuidOut,
    batchId: uuidOut,
    affiliateId: uuidOut,
    amountCents: centsOut,
    currency: z.string(),
    status: PayoutStatus,
    periodStart: timestampOut.describe('When the oldest commission in it was earned.'),
    periodEnd: timestampOut.describe('Up to when commissions were looked at.'),
    reference: z.string().nullable().describe("The rail's name for it."),
    failureCode: z.string().nullable(),
    failureReason: z.string().nullable(),
    tries: countOut.describe('How often it was sent, always under the same key.'),
    settledAt: timestampOut.nullable().describe('When it was paid, failed, came back or was cancelled.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Payout' });

export type Item = Selectable<PayoutItems>;

export const payoutSlot = idSlot('payoutItems', 'The id of the payout.');

/** What callers see of a status. */
export function shownStatus(status: string): PayoutStatus {
  if (status === 'unknown') return 'reconcile_required';
  return PayoutStatus.parse(status);
}

/** The kept statuses that are shown as this one. */
export function keptStatuses(shown: PayoutStatus): ItemStatus[] {
  return itemStatuses.filter((status) => shownStatus(status) === shown);
}

export function toPayout(item: Item): z.input<typeof PayoutShape> {
  return {
    ...item,
    status: shownStatus(item.status),
    reference: item.railReference,
    periodStart: item.periodStart.toISOString(),
    periodEnd: item.periodEnd.toISOString(),
    settledAt: item.settledAt?.toISOString() ?? null,
    createdAt: item.createdAt.toISOString(),
    updatedAt: item.updatedAt.toISOString(),
  };
}

/** These payouts, locked in the order of their ids; the ledger must be open. */
export async function lockItems(tx: Tx, programId: string, ids: readonly string[]): Promise<Item[]> {
  if (ids.length === 0) return [];
  const items = tx.db.selectFrom('payoutItems').selectAll().where('programId', '=', programId);
  return items.where('id', '=', sql<string>`any(${ids}::uuid[])`).orderBy('id').forNoKeyUpdate().execute();
}

/** One payout as the API shows it. */
export async function readPayout(ctx: Pick<Context, 'db'>, programId: string, id: string) {
  const items = ctx.db.selectFrom('payoutItems').selectAll().where('programId', '=', programId);
  return toPayout(await items.where('id', '=', id).executeTakeFirstOrThrow());
}
