import type { Context } from '../../context.ts';

/**
 * Marks emails that were still waiting in a restored backup, and were written before this time, as failed: they have
 * probably been sent since. They can be sent again one by one. Returns how many there are.
 */
export async function failOldEmails({ db }: Pick<Context, 'db'>, writtenBefore: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('emails')
    .set({ status: 'failed', sendingAt: null, lastError: 'Not sent, because it was waiting in a backup that was restored.' })
    .where('status', '=', 'queued')
    .where('createdAt', '<', writtenBefore)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
