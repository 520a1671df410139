import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { hashKey, makeKey } from './api-key.ts';
import { getProgram } from './program.ts';

type NewKey = { programId: string; name: string; scopes: ('read' | 'write')[]; expiresAt: Date | null; actor: Actor };

/** Issues a key of the program. Throws NotFound for an unknown program. The key is returned once and not kept. */
export async function issueKey(tx: Tx, { programId, name, scopes, expiresAt, actor }: NewKey): Promise<{ keyId: string; apiKey: string }> {
  const program = await getProgram(tx, programId);
  const apiKey = makeKey(program.mode);
  const keyId = tx.ids.uuid();
  await tx.db
    .insertInto('apiKeys')
    .values({
      id: keyId,
      programId,
      keyHash: hashKey(apiKey),
      name,
      prefix: apiKey.slice(0, 13),
      lastFour: apiKey.slice(-4),
      scopes,
      createdAt: tx.clock.now(),
      expiresAt,
    })
    .execute();
  await recordChange(tx, { programId, actor, action: 'api_key.issued', subjectId: keyId, after: { name, scopes, expiresAt } });
  return { keyId, apiKey };
}
