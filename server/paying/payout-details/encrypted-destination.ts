import { Destination } from '../../connections/rails/rail.ts';
import type { EncryptedColumn } from '../../platform/secrets/encrypted-columns.ts';
import { identifyAccount } from './destination.ts';
import { payoutDetailsOwner } from './payout-details.ts';

export const encryptedPayoutDetails: EncryptedColumn = {
  table: 'payout_details',
  column: 'encrypted_destination',
  key: ['affiliate_id'],
  owner: ({ affiliateId = '' }) => payoutDetailsOwner(affiliateId),
  deriveColumns: (text, vault) => ({ fingerprint: vault.fingerprint(identifyAccount(Destination.parse(JSON.parse(text)))) }),
};
