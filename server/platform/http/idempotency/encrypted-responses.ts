import type { EncryptedColumn } from '../../secrets/encrypted-columns.ts';

/** Stored responses that contain a secret. */
export const encryptedResponses: EncryptedColumn = {
  table: 'idempotency_keys',
  column: 'body',
  isText: true,
  key: ['operation', 'key'],
  owner: ({ operation }) => `idempotency_keys:${operation}`,
};
