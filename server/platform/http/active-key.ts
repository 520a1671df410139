import type { Tx } from '../../context.ts';
import { plainSql } from '../db/statements/plain-sql.ts';

/** The keys that are neither revoked nor expired. They remain active until the transaction ends. */
export async function findActiveKeys(tx: Tx, keyIds: readonly string[]): Promise<ReadonlySet<string>> {
  const now = tx.clock.now();
  const { rows } = await plainSql<{ id: string; revokedAt: Date | null; expiresAt: Date | null }>`
    select id, revoked_at, expires_at from api_keys where id = any(${[...new Set(keyIds)]}::uuid[])
    order by id for share`.execute(tx.db);
  return new Set(rows.flatMap(({ id, revokedAt, expiresAt }) => (isPast(revokedAt, now) || isPast(expiresAt, now) ? [] : [id])));
}

function isPast(moment: Date | null, now: Date): boolean {
  return moment !== null && moment <= now;
}
