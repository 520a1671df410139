import type { EncryptedColumn } from '../../platform/secrets/encrypted-columns.ts';
import { taxFormOwner } from './tax-form.ts';

export const encryptedTaxForms: EncryptedColumn = {
  table: 'tax_forms',
  column: 'encrypted_form',
  key: ['id'],
  owner: ({ id = '' }) => taxFormOwner(id),
};
