// Rotating an API key: a new key with the same scopes and rate limit replaces it, and the previous one is accepted for some
// hours longer, so that the systems that use it can change over. The lock of the row decides between simultaneous requests.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { timestampIn } from '../../../platform/http/declaration/fields.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { KeyScope, KeyWithSecret, keyNotActive, keySlot, lockActiveKey, readKey, requireFuture } from './api-key-shape.ts';
import { type IssuedKey, issueKey } from './issue-key.ts';
import { notifyOwners } from './notify-job.ts';

export const [defaultOverlapHours, maxOverlapHours] = [24, 168];

export const rotateApiKey = endpoint({
  id: 'apiKeys.rotate',
  route: 'POST /app/programs/:programId/api-keys/:id/rotate',
  scope: 'write',
  requires: 'keys.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'API keys',
  summary: 'Rotate an API key',
  description:
    'Returns a new key once, with the same name, scopes and rate limit. Until the overlap ends, both keys are accepted. The new key ' +
    'belongs to the member who rotated it, and the owners of the program are notified by email.',
  path: { id: keySlot },
  body: z
    .object({
      overlapHours: z
        .int('must be a whole number of hours')
        .min(0, 'must not be negative')
        .max(maxOverlapHours, `must not exceed ${maxOverlapHours}`)
        .default(defaultOverlapHours)
        .describe('How long the previous key is still accepted. 0 ends it now.'),
      expiresAt: timestampIn.nullable().optional().describe('When the new key expires; null for never. By default, as the previous one.'),
    })
    .meta({ id: 'ApiKeyRotation', example: { overlapHours: 24 } }),
  statuses: [200],
  hasSecretResponse: true,
  result: KeyWithSecret,
  errors: [keyNotActive],
  async handle(tx, { actor, params: { id }, body }) {
    const { programId } = actor;
    const { keyId, apiKey } = await rotateKey(tx, { programId, id, actor, ...body });
    return { ...(await readKey(tx, programId, keyId)), key: apiKey };
  },
});

type Rotation = { programId: string; id: string; actor: Actor; overlapHours: number; expiresAt?: Date | null | undefined };

/** Replaces a key. Throws InvalidState if it isn't active or was replaced before. */
export async function rotateKey(tx: Tx, { programId, id, actor, overlapHours, expiresAt }: Rotation): Promise<IssuedKey> {
  const before = await lockActiveKey(tx, programId, id);
  const [now, scopes] = [systemTime(tx), before.scopes.map((scope) => KeyScope.parse(scope))];
  const newEnd = expiresAt === undefined ? before.expiresAt : expiresAt;
  requireFuture(tx, newEnd);
  const issued = await issueKey(tx, {
    programId,
    name: before.name,
    scopes,
    expiresAt: newEnd,
    rateLimitPerMinute: before.rateLimitPerMinute,
    actor,
    // A key that the command line rotates stays with its member, so that the approval of payouts still knows the person.
    userId: actor.kind === 'user' ? actor.id : before.userId,
  });
  const overlapEnd = new Date(now.getTime() + overlapHours * 3_600_000);
  const previousUntil = before.expiresAt && before.expiresAt < overlapEnd ? before.expiresAt : overlapEnd;
  await tx.db
    .updateTable('apiKeys')
    .set({ expiresAt: previousUntil, replacedById: issued.keyId })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute();
  await recordChange(tx, {
    programId,
    actor,
    action: 'api_key.rotated',
    subjectId: id,
    before: { expiresAt: before.expiresAt },
    after: { expiresAt: previousUntil, replacedById: issued.keyId },
  });
  await notifyOwners(tx, { programId, event: 'rotated', key: { name: before.name, scopes, expiresAt: newEnd }, actor });
  return issued;
}
