// An API key can be revoked during its request. Writes therefore check the key again in their transaction and lock its
// row: after a revocation has completed, no request with the key can commit.
import type { Tx } from '../../context.ts';
import { Unauthenticated } from '../lib/errors.ts';

/** The keys that are neither revoked nor expired. They remain active until the transaction ends. */
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

/** Throws Unauthenticated if the key was revoked or has expired. */
export async function requireActiveKey(tx: Tx, { id }: { id: string }): Promise<void> {
  if (!(await findActiveKeys(tx, [id])).has(id)) throw new Unauthenticated();
}

function isPast(moment: Date | null, now: Date): boolean {
  return moment !== null && moment <= now;
}
