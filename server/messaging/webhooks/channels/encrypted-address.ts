// The address of a notification channel. Anyone who knows it can post to the channel, so it is stored encrypted and shown masked.
import type { Context } from '../../../context.ts';
import type { EncryptedColumn } from '../../../platform/secrets/encrypted-columns.ts';

const owner = (id: string) => `webhooks.address:${id}`;

export const encryptedChannelAddresses: EncryptedColumn = {
  table: 'webhooks',
  column: 'address',
  key: ['id'],
  owner: ({ id = '' }) => owner(id),
};

export function encryptAddress({ vault }: Pick<Context, 'vault'>, id: string, url: string): Buffer {
  return vault.encrypt(url, owner(id));
}

/** The URL of a channel. It must not be logged or returned. */
export function decryptAddress({ vault }: Pick<Context, 'vault'>, id: string, address: Buffer): string {
  return vault.decrypt(address, owner(id));
}

/** What is shown of a URL: its origin, and its last characters if they are a small part of a long one. */
export function maskAddress(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const secret = `${pathname}${search}`;
  return `${origin}/…${secret.length >= 24 ? secret.slice(-4) : ''}`;
}
