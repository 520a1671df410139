// Storing the currency in which an affiliate is paid, for the API and the portal.
import type { Tx } from '../../context.ts';
import { lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { currencyIn } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { Invalid, InvalidState } from '../../platform/lib/errors.ts';
import { decryptDestination, findPayoutDetails, type PayoutDetailsRow } from './payout-details.ts';

/** The fields of a request that changes payout details. */
export const PayoutDetailsChange = {
  payoutCurrency: currencyIn.nullable().describe('Null: the currency of the program.'),
};

export const payoutDetailsMissing = {
  status: 400,
  code: 'payout_details_missing',
  when: 'The affiliate has no payout details.',
} as const;

type Origin = {
  programId: string;
  actor: Actor;
  affiliateId: string;
  /** Other currencies than the program's. */
  allowed: readonly string[];
};

/** Stores the chosen currency; null is that of the program. Throws Invalid for one that isn't allowed or the account doesn't have. */
export async function storePayoutCurrency(tx: Tx, origin: Origin, payoutCurrency: string | null): Promise<PayoutDetailsRow> {
  const { programId, actor, affiliateId: id, allowed } = origin;
  await lockAffiliate(tx, programId, id);
  const row = await findPayoutDetails(tx, programId, id);
  if (!row) throw new InvalidState(payoutDetailsMissing.code, 'Set payout details before you choose a currency.');
  if (row.payoutCurrency === payoutCurrency) return row;
  const reject = (message: string) => new Invalid([{ path: ['payoutCurrency'], message }]);
  if (payoutCurrency !== null && !allowed.includes(payoutCurrency))
    throw reject(
      allowed.length === 0 ? 'must be null: the program pays in no other currency' : `must be null or one of: ${allowed.join(', ')}`,
    );
  const destination = decryptDestination(tx.vault, row.encryptedDestination, id);
  if (payoutCurrency !== null && destination.method === 'bank' && destination.currency !== payoutCurrency)
    throw reject(`must be null or ${destination.currency}, the currency of the bank account`);
  const details = tx.db.updateTable('payoutDetails').set({ payoutCurrency }).where('programId', '=', programId);
  const changed = await details.where('affiliateId', '=', id).returningAll().executeTakeFirstOrThrow();
  const [before, after] = [{ payoutCurrency: row.payoutCurrency }, { payoutCurrency }];
  await recordChange(tx, { programId, actor, action: 'payout_details.currency_changed', subjectId: id, before, after });
  return changed;
}
