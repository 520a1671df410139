import type { Context } from '../../context.ts';
import { NotFound } from '../../platform/lib/errors.ts';

/**
 * Changes of these programs wait for each other until the transaction ends: those of settings, roles and uplines. What they
 * depend on is read afterwards. Throws NotFound if a program doesn't exist.
 */
export async function lockPrograms({ db }: Pick<Context, 'db'>, programIds: readonly string[]): Promise<void> {
  for (const programId of [...new Set(programIds)].sort()) {
    const row = await db
      .selectFrom('programLocks')
      .select('programId')
      .where('programId', '=', programId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!row) throw new NotFound();
  }
}
