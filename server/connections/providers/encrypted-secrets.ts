import type { SealedColumn } from '../../platform/secrets/encrypted-columns.ts';

export const encryptedProviderSecrets: SealedColumn = {
  table: 'providers',
  column: 'secrets',
  key: ['id'],
  owner: ({ id }) => `providers:${id}`,
};
