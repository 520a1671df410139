// Setting where an affiliate is paid. A first destination is used at once; every other one is a change, which
// waits three days and is told by mail, so that whoever took over an account can be stopped in time.

import type { Destination } from '../../connections/rails/rail.ts';
import type { Tx } from '../../context.ts';
import { affiliateSlot, lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { accountOf, canonicalText, PayoutDestination } from './destination.ts';
import { removedAction, tellOfChange } from './notify-change.ts';
import { findPayoutDetails, openDestination, PayoutDetailsShape, sealDestination, toPayoutDetails } from './payout-detail.ts';
import { reportSharedAccount } from './shared-account.ts';

const waitHours = 72;

export const setPayoutDetails = endpoint({
  id: 'payoutDetails.set',
  route: 'POST /v1/programs/:programId/affiliates/:id/payout-details',
  scope: 'write',
  tag: 'Payout details',
  summary: 'Set how an affiliate is paid',
  description:
    `The first destination is used at once. Another one is used ${waitHours} hours later, and the affiliate is told by mail. ` +
    'The same again changes nothing. What was sent is sealed and never returned.',
  path: { id: affiliateSlot },
  body: PayoutDestination,
  statuses: [201, 200],
  result: PayoutDetailsShape,
  async handle(tx, { actor, params: { id }, body: destination }) {
    const { programId } = actor;
    const affiliate = await lockAffiliate(tx, programId, id);
    const row = await findPayoutDetails(tx, programId, id);
    const former = row ? openDestination(tx.vault, row.sealed, id) : null;
    if (row && former && canonicalText(former) === canonicalText(destination)) return new Reply(200, toPayoutDetails(id, row));
    const isChange = former !== null || (await wasRemoved(tx, programId, id));
    const now = tx.clock.now();
    const usableFrom = isChange ? new Date(now.getTime() + waitHours * 3_600_000) : now;
    const written = await write(tx, { programId, affiliateId: id, usableFrom }, destination);
    const changeId = await recordChange(tx, {
      ...{ programId, actor, action: isChange ? 'payout_details.changed' : 'payout_details.set', subjectId: id },
      ...(former && { before: { method: former.method } }),
      after: { method: destination.method, usableFrom },
    });
    if (isChange) await tellOfChange(tx, { affiliate, changeId, actor, former, method: destination.method, usableFrom });
    await reportSharedAccount(tx, programId, written);
    return new Reply(row ? 200 : 201, toPayoutDetails(id, written));
  },
});

/** Removing and setting again must be no way around the wait. */
async function wasRemoved(tx: Tx, programId: string, affiliateId: string): Promise<boolean> {
  const changes = tx.db.selectFrom('auditLog').select('id').where('programId', '=', programId).where('subjectId', '=', affiliateId);
  return (await changes.where('action', '=', removedAction).limit(1).executeTakeFirst()) !== undefined;
}

type Place = { programId: string; affiliateId: string; usableFrom: Date };

async function write(tx: Tx, { programId, affiliateId, usableFrom }: Place, destination: Destination) {
  const now = tx.clock.now();
  const values = {
    method: destination.method,
    sealed: sealDestination(tx.vault, destination, affiliateId),
    fingerprint: tx.vault.fingerprint(accountOf(destination)),
    usableFrom,
    updatedAt: now,
  };
  return tx.db
    .insertInto('payoutDetails')
    .values({ programId, affiliateId, ...values, createdAt: now })
    .onConflict((conflict) => conflict.columns(['programId', 'affiliateId']).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
}
