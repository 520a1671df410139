// A key can be revoked while its request is open. So a write looks at its key again inside of its transaction, and
// locks the row: once a revocation has been answered, nothing that the key asked for commits any more.
import type { Tx } from '../../context.ts';
import { Unauthenticated } from '../lib/errors.ts';

/** Those of the keys that are neither revoked nor expired. They stay so until the transaction ends. */
export async function findActiveKeys(tx: Tx, keyIds: readonly string[]): Promise<ReadonlySet<string>> {
  const now = tx.clock.now();
  const rows = await tx.db
    .selectFrom('apiKeys')
    .select(['id', 'revokedAt', 'expiresAt'])
    .where('id', 'in', [...new Set(keyIds)].sort())
    .orderBy('id')
    .forShare()
    .execute();
  return new Set(rows.flatMap(({ id, revokedAt, expiresAt }) => (isPast(revokedAt, now) || isPast(expiresAt, now) ? [] : [id])));
}

/** Throws Unauthenticated for a key that was revoked or has expired. */
export async function requireActiveKey(tx: Tx, { id }: { id: string }): Promise<void> {
  if (!(await findActiveKeys(tx, [id])).has(id)) throw new Unauthenticated();
}

function isPast(moment: Date | null, now: Date): boolean {
  return moment !== null && moment <= now;
}
