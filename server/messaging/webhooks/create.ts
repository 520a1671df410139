// Creating a webhook. It receives the events that are recorded from then on.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context, Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { Invalid, InvalidState } from '../../platform/lib/errors.ts';
import { numberToEnd } from '../events/number.ts';
import { createWebhookSecret, encryptWebhookSecrets } from './secrets.ts';
import { findWebhooks, requireGroups, toWebhook, WebhookWithSecret, webhookFields } from './webhook.ts';

/** Per program. Each webhook reads the event log on its own. */
const maxWebhooks = 20;

const NewWebhook = z
  .object({
    url: webhookFields.url,
    description: webhookFields.description.optional(),
    eventTypes: webhookFields.eventTypes,
    groupIds: webhookFields.groupIds.optional(),
  })
  .meta({ id: 'NewWebhook', example: { url: 'https://hooks.fernandfield.example/tributary', eventTypes: ['affiliate.*', 'payout.paid'] } });

export const createWebhook = endpoint({
  id: 'webhooks.create',
  route: 'POST /v1/programs/:programId/webhooks',
  scope: 'write',
  requires: 'webhooks.write',
  isSensitive: true,
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description:
    'Deliveries are signed as Standard Webhooks (standardwebhooks.com) describes it; its libraries verify them. A delivery ' +
    'succeeds with any 2xx status within 12 seconds. Others are retried with growing pauses, ten times in about three days. ' +
    'Deliveries can be repeated and can arrive in another order: `webhook-id` identifies an event, and `sequence` numbers the ' +
    'events of one object.',
  body: NewWebhook,
  statuses: [201],
  hasSecretResponse: true,
  result: WebhookWithSecret,
  errors: [{ status: 400, code: 'too_many_webhooks', when: `The program has ${maxWebhooks} webhooks. Delete one first.` }],
  async prepare(ctx, body) {
    await requirePublicUrl(ctx, body.url);
    return body;
  },
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    await requireRoom(tx, programId);
    await requireGroups(tx, programId, body.groupIds);
    const [id, now, secret] = [tx.ids.uuid(), tx.clock.now(), createWebhookSecret()];
    const given = { url: body.url, description: body.description ?? null, eventTypes: body.eventTypes, groupIds: body.groupIds ?? [] };
    const webhook = await tx.db
      .insertInto('webhooks')
      .values({
        ...given,
        programId,
        id,
        status: 'active',
        secrets: encryptWebhookSecrets(tx, id, { current: secret, previous: null }),
        readPosition: await numberToEnd(tx, programId),
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, { programId, actor, action: 'webhook.created', subjectId: id, after: given });
    return { ...toWebhook(webhook, now), secret };
  },
});

/** Throws Invalid (400) if deliveries to this address would be blocked. */
export async function requirePublicUrl(ctx: Context, url: string): Promise<void> {
  const fault = await ctx.checkUrl(url);
  if (fault !== null) throw new Invalid([{ path: ['url'], message: fault }]);
}

/** Locks the program, so that simultaneous requests can't exceed the limit. */
async function requireRoom(tx: Tx, programId: string): Promise<void> {
  await getProgram(tx, programId, { lock: true });
  const present = await findWebhooks(tx, programId).execute();
  if (present.length >= maxWebhooks)
    throw new InvalidState('too_many_webhooks', `This program has ${maxWebhooks} webhooks. Delete one first.`);
}
