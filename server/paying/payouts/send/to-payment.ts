import type { Payment } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import { decryptDestination } from '../../payout-details/payout-details.ts';
import { paymentOf } from '../exchange/payout-exchange.ts';
import type { Payout } from '../payout.ts';

/** A payout as a payout provider receives it, with its decrypted destination. */
export function toPayment(ctx: Pick<Context, 'vault'>, payout: Payout): Payment {
  const { id, programId, affiliateId, destination } = payout;
  if (!destination) throw new Error('A payout through a provider has no destination.');
  return {
    id,
    programId,
    affiliateId,
    ...paymentOf(payout),
    memo: `Commission ${id.slice(-12)}`,
    destination: decryptDestination(ctx.vault, destination, affiliateId),
  };
}
