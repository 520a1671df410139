import type { Tx } from '../../context.ts';
import { type Doer, recordChange } from '../../platform/audit/record.ts';
import { hashKey, makeKey } from './api-key.ts';
import { getProgram } from './program.ts';

type NewKey = { programId: string; name: string; scopes: ('read' | 'write')[]; expiresAt: Date | null; doer: Doer };

/** Issues a key of the program. Throws NotFound for an unknown program. The key is returned once and not kept. */
export async function issueKey(tx: Tx, { programId, name, scopes, expiresAt, doer }: NewKey): Promise<{ keyId: string; apiKey: string }> {
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
  await recordChange(tx, { programId, doer, action: 'api_key.issued', subjectId: keyId, after: { name, scopes, expiresAt } });
  return { keyId, apiKey };
}
