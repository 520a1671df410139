import type { Tx } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { generateToken } from '../sessions/token.ts';

/** A new token for a verification, which replaces the earlier one. Null if it was used or has expired. */
export async function renewToken(tx: Tx, id: string): Promise<{ token: string; expiresAt: Date } | null> {
  const { token, tokenHash } = generateToken();
  const renewed = await tx.db
    .updateTable('emailVerifications')
    .set({ tokenHash })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', systemTime(tx))
    .returning('expiresAt')
    .executeTakeFirst();
  return renewed ? { token, expiresAt: renewed.expiresAt } : null;
}
