import type { SealedColumn } from '../db/sealed-columns.ts';

export const sealedProviderSecrets: SealedColumn = {
  table: 'providers',
  column: 'secrets',
  key: ['id'],
  owner: ({ id }) => `providers:${id}`,
};
