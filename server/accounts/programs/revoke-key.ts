import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { NotFound } from '../../platform/lib/errors.ts';

/** Revokes a key immediately; revoking it again changes nothing. Throws NotFound. */
export async function revokeKey(tx: Tx, keyId: string, actor: Actor): Promise<{ keyId: string; programId: string }> {
  const key = await tx.db
    .updateTable('apiKeys')
    .set((set) => ({ revokedAt: set.fn.coalesce('revokedAt', set.val(tx.clock.now())) }))
    .where('id', '=', keyId)
    .returning('programId')
    .executeTakeFirst();
  if (!key) throw new NotFound();
  await recordChange(tx, { programId: key.programId, actor, action: 'api_key.revoked', subjectId: keyId });
  return { keyId, programId: key.programId };
}
