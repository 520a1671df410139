import type { Destination } from '../../connections/rails/rail.ts';
import type { EncryptedColumn } from '../../platform/secrets/encrypted-columns.ts';
import { accountOf } from './destination.ts';
import { payoutDetailsOwner } from './payout-detail.ts';

export const encryptedPayoutDetails: EncryptedColumn = {
  table: 'payout_details',
  column: 'sealed',
  key: ['affiliate_id'],
  owner: ({ affiliateId = '' }) => payoutDetailsOwner(affiliateId),
  deriveColumns: (text, vault) => ({ fingerprint: vault.fingerprint(accountOf(JSON.parse(text) as Destination)) }),
};
