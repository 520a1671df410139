// Records the order of a claim from its stored report, with the same code as a new report.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { InvalidState } from '../../platform/lib/errors.ts';
import { ReportedOrder } from '../conversions/order.ts';
import { toError } from '../conversions/outcome-error.ts';
import { recordOrders } from '../conversions/recording/record.ts';
import type { Conversion } from '../orders/conversion-shape.ts';

/** A report as it was sent, with what is known about the buyer's mailbox instead of the address. */
const StoredReport = z.looseObject({ disposableDomain: z.string().nullish() });

/** Credits an unattributed order to the affiliate, from its stored report. The ledger must be open. */
export async function recordClaimedOrder(
  tx: Tx,
  programId: string,
  { affiliateId, orderId }: { affiliateId: string; orderId: string },
  actor: Actor,
): Promise<Conversion> {
  const stored = await tx.db
    .selectFrom('unattributedOrders')
    .select(['report', 'occurredAt', 'customerKeys', 'buyerHash'])
    .where('programId', '=', programId)
    .where('orderId', '=', orderId)
    .where('conversionId', 'is', null)
    .executeTakeFirst();
  if (!stored) {
    const message =
      'There is no unattributed order with this id: it was not reported, or it is already credited. Reject the claim instead.';
    throw new InvalidState('order_not_unattributed', message);
  }
  const occurredAt = stored.occurredAt.toISOString();
  const { disposableDomain, ...report } = StoredReport.parse(stored.report);
  const order = ReportedOrder.parse({ ...report, occurredAt, affiliateId });
  const buyer = { customerKeys: stored.customerKeys, mailboxHash: stored.buyerHash, disposableDomain };
  const [outcome] = await recordOrders(tx, programId, [{ order, buyer, actor }]);
  if (!outcome) throw new Error('A reported order has no outcome.');
  if (outcome.kind === 'credited') return outcome.conversion;
  if (outcome.kind === 'unattributed')
    throw new InvalidState('affiliate_not_active', 'This affiliate is not active. Activate the affiliate, or reject the claim.');
  throw toError(outcome);
}
