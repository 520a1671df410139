import type { RawBuilder } from 'kysely';
import type { Context } from '../../context.ts';

/**
 * Repeats a statement that changes at most `size` rows until it changes fewer. Each run commits separately, so that no row is
 * locked for long, and an interrupted job continues where it stopped.
 */
export async function changeInBatches({ db }: Pick<Context, 'db'>, size: number, change: RawBuilder<unknown>): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await change.execute(db);
    if (numAffectedRows < size) return;
  }
}
