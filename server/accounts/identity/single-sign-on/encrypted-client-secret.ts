import type { EncryptedColumn } from '../../../platform/secrets/encrypted-columns.ts';

/** What the client secret of an organization is bound to. */
export const clientSecretOwner = (organizationId: string): string => `single_sign_on_connections:${organizationId}`;

export const encryptedClientSecrets: EncryptedColumn = {
  table: 'single_sign_on_connections',
  column: 'client_secret',
  key: ['organization_id'],
  isReferenceTable: true,
  owner: ({ organizationId = '' }) => clientSecretOwner(organizationId),
};
