import type { Tx } from '../../context.ts';

/** Stores a program's fraud settings, whose schema is in earning/fraud. */
export async function setFraudSettings(tx: Tx, programId: string, settings: object): Promise<void> {
  await tx.db
    .updateTable('programs')
    .set({ fraudSettings: JSON.stringify(settings) })
    .where('id', '=', programId)
    .execute();
}
