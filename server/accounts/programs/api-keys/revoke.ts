import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { KeyScope, KeyShape, keySlot, readKey } from './api-key-shape.ts';
import { notifyOwners } from './notify-job.ts';

export const revokeApiKey = endpoint({
  id: 'apiKeys.revoke',
  route: 'POST /app/programs/:programId/api-keys/:id/revoke',
  scope: 'write',
  requires: 'keys.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'Requests with the key are rejected from then on, in every process within a second. Revoking it again changes nothing.',
  path: { id: keySlot },
  statuses: [200],
  result: KeyShape,
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    await revokeKey(tx, { programId, keyId: id, actor });
    return readKey(tx, programId, id);
  },
});

/** Revokes a key immediately; revoking it again changes nothing. Throws NotFound. */
export async function revokeKey(tx: Tx, { programId, keyId, actor }: { programId: string; keyId: string; actor: Actor }): Promise<void> {
  const keys = tx.db.selectFrom('apiKeys').selectAll().where('programId', '=', programId).where('id', '=', keyId);
  const key = await keys.forNoKeyUpdate().executeTakeFirst();
  if (!key) throw new NotFound();
  const { name, expiresAt } = key;
  if (key.revokedAt !== null) return;
  const revoked = tx.db
    .updateTable('apiKeys')
    .set({ revokedAt: systemTime(tx) })
    .where('programId', '=', programId);
  await revoked.where('id', '=', keyId).execute();
  await recordChange(tx, { programId, actor, action: 'api_key.revoked', subjectId: keyId });
  const scopes = key.scopes.map((scope) => KeyScope.parse(scope));
  await notifyOwners(tx, { programId, event: 'revoked', key: { name, scopes, expiresAt }, actor });
}
