import type { Tx } from '../../context.ts';

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

function isPast(moment: Date | null, now: Date): boolean {
  return moment !== null && moment <= now;
}
