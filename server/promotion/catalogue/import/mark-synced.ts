import type { Tx } from '../../../context.ts';

/** Records that a store returned these products just now, even if nothing about them changed. */
export async function markSynced(tx: Tx, programId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .updateTable('products')
    .set({ lastSyncedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', 'in', ids)
    .execute();
}
