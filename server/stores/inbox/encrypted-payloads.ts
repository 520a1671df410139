import type { EncryptedColumn } from '../../platform/secrets/encrypted-columns.ts';

export const encryptedEventPayloads: EncryptedColumn = {
  table: 'provider_events',
  column: 'payload',
  key: ['id'],
  owner: ({ id }) => `provider_events:${id}`,
};
