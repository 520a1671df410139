import type { EncryptedColumn } from '../../../platform/secrets/encrypted-columns.ts';

/** What the secret of a user's authenticator is bound to. */
export const secretOwner = (userId: string): string => `second_factors:${userId}`;

export const encryptedAuthenticatorSecrets: EncryptedColumn = {
  table: 'second_factors',
  column: 'secret',
  key: ['user_id'],
  isReferenceTable: true,
  owner: ({ userId = '' }) => secretOwner(userId),
};
