import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { generateKey, hashKey } from '../api-key.ts';
import { getProgram } from '../program.ts';

export type NewKey = {
  programId: string;
  name: string;
  scopes: ('read' | 'write')[];
  expiresAt: Date | null;
  rateLimitPerMinute?: number | null;
  actor: Actor;
  /** The member to whom the key belongs; by default, the actor. */
  userId?: string | null;
};

export type IssuedKey = { keyId: string; apiKey: string };

/**
 * Issues an API key. The key is returned once; only its hash is stored. It belongs to the member who created it; one of the
 * command line belongs to no member. Throws NotFound for an unknown program.
 */
export async function issueKey(tx: Tx, key: NewKey): Promise<IssuedKey> {
  const { programId, name, scopes, expiresAt, rateLimitPerMinute = null, actor } = key;
  const userId = key.userId === undefined ? (actor.kind === 'user' ? actor.id : null) : key.userId;
  const program = await getProgram(tx, programId);
  const apiKey = generateKey(program.mode);
  const keyId = tx.ids.uuid();
  await tx.db
    .insertInto('apiKeyHashes')
    .values({ keyHash: hashKey(apiKey), keyId, programId })
    .execute();
  await tx.db
    .insertInto('apiKeys')
    .values({
      id: keyId,
      programId,
      name,
      prefix: apiKey.slice(0, 13),
      lastFour: apiKey.slice(-4),
      scopes,
      createdAt: systemTime(tx),
      expiresAt,
      rateLimitPerMinute,
      userId,
    })
    .execute();
  await recordChange(tx, {
    programId,
    actor,
    action: 'api_key.issued',
    subjectId: keyId,
    after: { name, scopes, expiresAt, rateLimitPerMinute },
  });
  return { keyId, apiKey };
}
