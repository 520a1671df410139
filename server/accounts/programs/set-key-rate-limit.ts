import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { NotFound } from '../../platform/lib/errors.ts';

type RateLimitChange = { keyId: string; rateLimitPerMinute: number | null; actor: Actor };

/** Sets the rate limit of a key; null applies the limit of the installation. Throws NotFound. */
export async function setKeyRateLimit(tx: Tx, { keyId, rateLimitPerMinute, actor }: RateLimitChange) {
  const key = await tx.db
    .selectFrom('apiKeys')
    .select(['programId', 'rateLimitPerMinute'])
    .where('id', '=', keyId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!key) throw new NotFound();
  const { programId } = key;
  if (key.rateLimitPerMinute !== rateLimitPerMinute) {
    await tx.db.updateTable('apiKeys').set({ rateLimitPerMinute }).where('id', '=', keyId).execute();
    await recordChange(tx, {
      programId,
      actor,
      action: 'api_key.updated',
      subjectId: keyId,
      before: { rateLimitPerMinute: key.rateLimitPerMinute },
      after: { rateLimitPerMinute },
    });
  }
  return { keyId, programId, rateLimitPerMinute };
}
