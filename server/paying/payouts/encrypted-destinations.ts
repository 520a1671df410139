import type { Destination } from '../../connections/rails/rail.ts';
import type { EncryptedColumn } from '../../platform/secrets/encrypted-columns.ts';
import { accountOf } from '../payout-details/destination.ts';
import { payoutDetailsOwner } from '../payout-details/payout-detail.ts';

/** A payout's copy of the destination keeps its owner: the affiliate. */
export const encryptedDestinations: EncryptedColumn = {
  table: 'payout_items',
  column: 'destination',
  key: ['id'],
  ownerColumns: ['affiliate_id'],
  owner: ({ affiliateId = '' }) => payoutDetailsOwner(affiliateId),
  deriveColumns: (text, vault) => ({ destination_fingerprint: vault.fingerprint(accountOf(JSON.parse(text) as Destination)) }),
};
