import type { Tx } from '../../context.ts';

/** Keeps a program's settings for doubtful orders; their form is the business of `fraud`. */
export async function setFraudSettings(tx: Tx, programId: string, settings: object): Promise<void> {
  await tx.db
    .updateTable('programs')
    .set({ fraudSettings: JSON.stringify(settings) })
    .where('id', '=', programId)
    .execute();
}
