import type { Destination } from '../../connections/rails/rail.ts';
import type { SealedColumn } from '../../platform/secrets/encrypted-columns.ts';
import { accountOf } from '../payout-details/destination.ts';
import { payoutDetailsOwner } from '../payout-details/payout-detail.ts';

/** The destination of a payout is copied from the affiliate's payout details and encrypted for the same owner. */
export const encryptedDestinations: SealedColumn = {
  table: 'payouts',
  column: 'destination',
  key: ['id'],
  reads: ['affiliate_id'],
  owner: ({ affiliateId = '' }) => payoutDetailsOwner(affiliateId),
  follow: (text, vault) => ({ destination_fingerprint: vault.fingerprint(accountOf(JSON.parse(text) as Destination)) }),
};
