import { Destination } from '../../connections/rails/rail.ts';
import type { EncryptedColumn } from '../../platform/secrets/encrypted-columns.ts';
import { identifyAccount } from '../payout-details/destination.ts';
import { payoutDetailsOwner } from '../payout-details/payout-details.ts';

/** The destination of a payout is copied from the affiliate's payout details and encrypted for the same owner. */
export const encryptedDestinations: EncryptedColumn = {
  table: 'payouts',
  column: 'destination',
  key: ['id'],
  ownerColumns: ['affiliate_id'],
  owner: ({ affiliateId = '' }) => payoutDetailsOwner(affiliateId),
  deriveColumns: (text, vault) => ({ destination_fingerprint: vault.fingerprint(identifyAccount(Destination.parse(JSON.parse(text)))) }),
};
