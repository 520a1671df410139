// The secrets that sign deliveries. After a rotation, the previous one signs as well until its overlap ends, so that
// receivers can change over without rejecting a delivery.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { EncryptedColumn } from '../../platform/secrets/encrypted-columns.ts';

const StoredSecrets = z.object({ current: z.string(), previous: z.string().nullable() });
export type WebhookSecrets = z.infer<typeof StoredSecrets>;

const owner = (id: string) => `webhooks:${id}`;

export const encryptedWebhookSecrets: EncryptedColumn = {
  table: 'webhooks',
  column: 'secrets',
  key: ['id'],
  owner: ({ id = '' }) => owner(id),
};

/** A secret as Standard Webhooks writes it. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export function encryptWebhookSecrets({ vault }: Pick<Context, 'vault'>, id: string, secrets: WebhookSecrets): Buffer {
  return vault.encrypt(JSON.stringify(secrets), owner(id));
}

type Stored = { id: string; secrets: Buffer | null; previousSecretUntil: Date | null };

/** The secrets of a webhook. They must not be logged or returned. */
export function decryptWebhookSecrets({ vault }: Pick<Context, 'vault'>, { id, secrets }: Pick<Stored, 'id' | 'secrets'>): WebhookSecrets {
  if (secrets === null) throw new Error(`Webhook ${id} has no secrets.`);
  return StoredSecrets.parse(JSON.parse(vault.decrypt(secrets, owner(id))));
}

/** The secrets that sign a delivery at this time. */
export function getSigningSecrets(ctx: Pick<Context, 'vault'>, webhook: Stored, at: Date): string[] {
  const { current, previous } = decryptWebhookSecrets(ctx, webhook);
  const isOverlap = previous !== null && webhook.previousSecretUntil !== null && at < webhook.previousSecretUntil;
  return isOverlap ? [current, previous] : [current];
}
