import type { Tx } from '../../context.ts';
import { plainSql } from '../db/statements/plain-sql.ts';
import { systemTime } from '../lib/clock.ts';

type Key = { programId: string; id: string };

/** Of keys of one program, the ids of those that are neither revoked nor expired. They remain active until the transaction ends. */
export async function findActiveKeys(tx: Tx, keys: readonly Key[]): Promise<ReadonlySet<string>> {
  const [first] = keys;
  if (!first) return new Set();
  const now = systemTime(tx);
  const { rows } = await plainSql<{ id: string; revokedAt: Date | null; expiresAt: Date | null }>`
    select id, revoked_at, expires_at from api_keys
    where program_id = ${first.programId} and id = any(${[...new Set(keys.map(({ id }) => id))]}::uuid[])
    order by id for share`.execute(tx.db);
  return new Set(rows.flatMap(({ id, revokedAt, expiresAt }) => (isPast(revokedAt, now) || isPast(expiresAt, now) ? [] : [id])));
}

function isPast(moment: Date | null, now: Date): boolean {
  return moment !== null && moment <= now;
}
