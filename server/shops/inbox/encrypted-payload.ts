import type { SealedColumn } from '../../platform/secrets/encrypted-columns.ts';

export const encryptedEventPayload: SealedColumn = {
  table: 'provider_events',
  column: 'payload',
  key: ['id'],
  owner: ({ id }) => `provider_events:${id}`,
};
