import type { EncryptedColumn } from '../../secrets/encrypted-columns.ts';

/** Answers that hold a secret, kept for repeats. */
export const encryptedResponses: EncryptedColumn = {
  table: 'idempotency_keys',
  column: 'body',
  isText: true,
  key: ['operation', 'key'],
  owner: ({ operation }) => `idempotency_keys:${operation}`,
};
