// A webhook: an address to which the events of a program are pushed.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import type { Webhooks } from '../../platform/db/schema.gen.ts';
import type { Slot } from '../../platform/http/declaration/endpoint.ts';
import { line, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { InvalidState, NotFound } from '../../platform/lib/errors.ts';
import { EventTypes } from './event-filter.ts';

export const WebhookStatus = z.enum(['active', 'paused', 'disabled']).meta({ id: 'WebhookStatus' });

export const webhookExample = {
  id: '01980c11-5d2f-7a44-9e0b-3c6f1a2b7d85',
  url: 'https://hooks.fernandfield.example/tributary',
  description: 'Warehouse sync',
  eventTypes: ['affiliate.*', 'payout.paid'],
  groupIds: [],
  status: 'active' as const,
  disabledReason: null,
  previousSecretUntilAt: null,
  failingSinceAt: null,
  lastSucceededAt: '2026-11-20T09:00:01.000Z',
  lastFailedAt: null,
  createdAt: '2026-11-02T09:30:00.000Z',
  updatedAt: '2026-11-02T09:30:00.000Z',
};

export const WebhookShape = z
  .object({
    id: uuidOut,
    url: z.string(),
    description: z.string().nullable(),
    eventTypes: z.array(z.string()).describe('`affiliate.created`, `affiliate.*` for a family, or `*` for all events.'),
    groupIds: z.array(uuidOut).describe('Only events about affiliates of these groups; empty for all events.'),
    status: WebhookStatus.describe(
      '`paused` by a request; `disabled` after three days without a successful delivery, or when the address answered 410. Both ' +
        'continue with the first missed event once `status` is `active` again.',
    ),
    disabledReason: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe('`gone`: the address answered 410. `failing`: no delivery succeeded for three days.'),
    previousSecretUntilAt: timestampOut.nullable().describe('Until when the previous secret signs as well; null if only one secret signs.'),
    failingSinceAt: timestampOut.nullable().describe('Since when every attempt has failed; null if the last one succeeded.'),
    lastSucceededAt: timestampOut.nullable(),
    lastFailedAt: timestampOut.nullable(),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Webhook', example: webhookExample });

/** With the secret, which is returned once. */
export const WebhookWithSecret = WebhookShape.extend({
  secret: z.string().describe('Signs every delivery. Store it now: it is not returned again.'),
}).meta({ id: 'WebhookWithSecret', example: { ...webhookExample, secret: 'whsec_c2VjcmV0IG9mIHRoZSBleGFtcGxlIG9ubHkhISE=' } });

export const webhookFields = {
  url: z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text.length <= 2048, { error: 'must not be longer than 2048 characters' })
    .refine((text) => URL.canParse(text), { error: 'must be an https URL' })
    .meta({ json: { type: 'string', format: 'uri', maxLength: 2048 } })
    .describe('An https URL at a public address, on port 443 or 8443. Redirects are not followed.'),
  description: line(200).nullable(),
  eventTypes: EventTypes.describe('`affiliate.created`, `affiliate.*` for a family, or `*` for all events.'),
  groupIds: z
    .array(uuid)
    .max(100, 'must not have more than 100 entries')
    .transform((ids) => [...new Set(ids)])
    .describe('Only events about affiliates of these groups. Empty: all events.'),
};

export type Webhook = Selectable<Webhooks>;

export const webhookSlot: Slot = {
  schema: uuid,
  meaning: 'The id of the webhook.',
  example: webhookExample.id,
  exists: async (ctx, programId, id) => (await findWebhooks(ctx, programId).where('id', '=', id).executeTakeFirst()) !== undefined,
};

export const webhookNotActive = {
  status: 400,
  code: 'webhook_not_active',
  when: 'The webhook is paused or disabled. Set its `status` to `active` first.',
} as const;

/** The webhooks of a program that are not deleted. Postbacks of affiliates and notification channels are not among them. */
export function findWebhooks({ db }: Pick<Context, 'db'>, programId: string) {
  const webhooks = db.selectFrom('webhooks').selectAll().where('programId', '=', programId).where('affiliateId', 'is', null);
  return webhooks.where('notificationKinds', 'is', null).where('deletedAt', 'is', null);
}

/** The webhook with this id. Throws NotFound. */
export async function getWebhook(ctx: Pick<Context, 'db'>, programId: string, id: string): Promise<Webhook> {
  const found = await findWebhooks(ctx, programId).where('id', '=', id).executeTakeFirst();
  if (!found) throw new NotFound();
  return found;
}

/** Like `getWebhook`, locked against other changes. */
export async function lockWebhook(tx: Tx, programId: string, id: string): Promise<Webhook> {
  const found = await findWebhooks(tx, programId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!found) throw new NotFound();
  return found;
}

/** The columns of a webhook, postback or notification channel that becomes active again. */
export const resumed = { disabledReason: null, failingSince: null, failures: 0 };

/** Throws InvalidState unless deliveries are sent. */
export function requireActive({ status }: Pick<Webhook, 'status'>): void {
  if (status !== 'active')
    throw new InvalidState(webhookNotActive.code, `This webhook is ${status}. Set its \`status\` to \`active\` first.`);
}

/** Throws NotFound unless every group exists in the program. */
export async function requireGroups({ db }: Pick<Context, 'db'>, programId: string, ids: readonly string[] = []): Promise<void> {
  if (ids.length === 0) return;
  const found = await db
    .selectFrom('groups')
    .select('id')
    .where('programId', '=', programId)
    .where('id', 'in', [...ids])
    .execute();
  if (found.length < ids.length) throw new NotFound('groupIds');
}

export function toWebhook(webhook: Webhook, now: Date): z.input<typeof WebhookShape> {
  const { previousSecretUntil } = webhook;
  return {
    ...webhook,
    status: WebhookStatus.parse(webhook.status),
    disabledReason: WebhookShape.shape.disabledReason.parse(webhook.disabledReason),
    previousSecretUntilAt: previousSecretUntil && previousSecretUntil > now ? previousSecretUntil.toISOString() : null,
    failingSinceAt: webhook.failingSince?.toISOString() ?? null,
    lastSucceededAt: webhook.lastSucceededAt?.toISOString() ?? null,
    lastFailedAt: webhook.lastFailedAt?.toISOString() ?? null,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}
