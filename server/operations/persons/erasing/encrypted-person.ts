import type { EncryptedColumn } from '../../../platform/secrets/encrypted-columns.ts';

export const encryptedPersons: EncryptedColumn = {
  table: 'person_erasures',
  column: 'encrypted_person',
  key: ['id'],
  isReferenceTable: true,
  owner: ({ id }) => `person_erasures:${id}`,
};
