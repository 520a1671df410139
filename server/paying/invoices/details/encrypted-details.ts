import type { EncryptedColumn } from '../../../platform/secrets/encrypted-columns.ts';
import { detailsOwner } from './details.ts';

export const encryptedInvoiceDetails: EncryptedColumn = {
  table: 'invoice_details',
  column: 'encrypted_details',
  key: ['affiliate_id', 'version'],
  owner: ({ affiliateId = '', version = '' }) => detailsOwner(affiliateId, version),
};
