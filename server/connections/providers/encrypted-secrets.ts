import type { EncryptedColumn } from '../../platform/secrets/encrypted-columns.ts';

export const encryptedProviderSecrets: EncryptedColumn = {
  table: 'providers',
  column: 'secrets',
  key: ['id'],
  owner: ({ id }) => `providers:${id}`,
};
