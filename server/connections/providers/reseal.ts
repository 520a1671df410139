import type { SealedColumn } from '../../platform/secrets/encrypted-columns.ts';

export const sealedProviderSecrets: SealedColumn = {
  table: 'providers',
  column: 'secrets',
  key: ['id'],
  owner: ({ id }) => `providers:${id}`,
};
