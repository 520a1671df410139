import { Destination } from '../../connections/rails/rail.ts';
import type { EncryptedColumn } from '../../platform/secrets/encrypted-columns.ts';
import { identifyAccount } from '../payout-details/destination.ts';
import { payoutDetailsOwner } from '../payout-details/payout-details.ts';

/** A payout's copy of the destination keeps its owner: the affiliate. */
export const encryptedDestinations: EncryptedColumn = {
  table: 'payout_items',
  column: 'destination',
  key: ['id'],
  ownerColumns: ['affiliate_id'],
  owner: ({ affiliateId = '' }) => payoutDetailsOwner(affiliateId),
  deriveColumns: (text, vault) => ({ destination_fingerprint: vault.fingerprint(identifyAccount(Destination.parse(JSON.parse(text)))) }),
};
