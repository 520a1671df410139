import { z } from 'zod';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { createWebhookSecret, decryptWebhookSecrets, encryptWebhookSecrets } from './secrets.ts';
import { lockWebhook, toWebhook, WebhookWithSecret, webhookSlot } from './webhook.ts';

const [defaultHours, maxHours] = [24, 168];

export const rotateWebhookSecret = endpoint({
  id: 'webhooks.rotateSecret',
  route: 'POST /v1/programs/:programId/webhooks/:id/rotate-secret',
  scope: 'write',
  requires: 'webhooks.write',
  isSensitive: true,
  tag: 'Webhooks',
  summary: 'Rotate the secret of a webhook',
  description: 'Until the overlap ends, deliveries have two signatures, of the new and the previous secret: a receiver accepts either.',
  path: { id: webhookSlot },
  body: z
    .object({
      overlapHours: z
        .int('must be a whole number of hours')
        .min(0, 'must not be negative')
        .max(maxHours, `must not exceed ${maxHours}`)
        .default(defaultHours)
        .describe('How long the previous secret signs as well. 0 ends it now.'),
    })
    .meta({ id: 'WebhookSecretRotation', example: { overlapHours: 24 } }),
  statuses: [200],
  hasSecretResponse: true,
  result: WebhookWithSecret,
  async handle(tx, { actor, params, body: { overlapHours } }) {
    const { programId } = actor;
    const before = await lockWebhook(tx, programId, params.id);
    const [now, secret] = [systemTime(tx), createWebhookSecret()];
    const { current } = decryptWebhookSecrets(tx, before);
    const previousSecretUntil = overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * 3_600_000);
    const previous = previousSecretUntil === null ? null : current;
    const after = await tx.db
      .updateTable('webhooks')
      .set({ secrets: encryptWebhookSecrets(tx, before.id, { current: secret, previous }), previousSecretUntil, updatedAt: now })
      .where('programId', '=', programId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, { programId, actor, action: 'webhook.secret_rotated', subjectId: before.id, after: { previousSecretUntil } });
    return { ...toWebhook(after, now), secret };
  },
});
