import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { difference } from '../../../platform/audit/difference.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { KeyShape, keyName, keyNotActive, keySlot, lockActiveKey, readKey, requireRateLimit } from './api-key-shape.ts';
import { rateLimit } from './create.ts';

export const updateApiKey = endpoint({
  id: 'apiKeys.update',
  route: 'PATCH /app/programs/:programId/api-keys/:id',
  scope: 'write',
  requires: 'keys.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'API keys',
  summary: 'Update an API key',
  description: 'Changes its name or its rate limit. Its scopes and its expiry never change: create another key, or rotate this one.',
  path: { id: keySlot },
  body: z
    .object({ name: keyName, rateLimitPerMinute: rateLimit.describe('Requests per minute; null for the limit of the installation.') })
    .partial()
    .meta({ id: 'ApiKeyUpdate', example: { name: 'Web store' } }),
  statuses: [200],
  result: KeyShape,
  errors: [keyNotActive],
  async handle(tx, { actor, params: { id }, body }) {
    const { programId } = actor;
    requireRateLimit(tx, body.rateLimitPerMinute ?? null);
    await lockActiveKey(tx, programId, id);
    await changeKey(tx, { programId, keyId: id, actor, given: body });
    return readKey(tx, programId, id);
  },
});

type KeyChange = {
  programId: string;
  keyId: string;
  actor: Actor;
  given: { name?: string | undefined; rateLimitPerMinute?: number | null | undefined };
};

/** Changes the name or the rate limit of a key; null applies the limit of the installation. Throws NotFound. */
export async function changeKey(tx: Tx, { programId, keyId, actor, given }: KeyChange): Promise<void> {
  const keys = tx.db.selectFrom('apiKeys').select(['name', 'rateLimitPerMinute']).where('programId', '=', programId);
  const key = await keys.where('id', '=', keyId).forNoKeyUpdate().executeTakeFirst();
  if (!key) throw new NotFound();
  const change = difference(key, given);
  if (!change) return;
  await tx.db.updateTable('apiKeys').set(change.after).where('programId', '=', programId).where('id', '=', keyId).execute();
  await recordChange(tx, { programId, actor, action: 'api_key.updated', subjectId: keyId, ...change });
}
