// The first user of an installation. The table has at most one row, so its primary key decides who that is.
import type { Context, Tx } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';

/** Whether a user exists. */
export async function hasFirstUser({ db }: Pick<Context, 'db'>): Promise<boolean> {
  return (await db.selectFrom('firstUser').select('userId').executeTakeFirst()) !== undefined;
}

/** Records a new user as the first one. False if there was one before, or a simultaneous transaction is creating one. */
export async function recordFirstUser(tx: Tx, userId: string): Promise<boolean> {
  const recorded = await tx.db
    .insertInto('firstUser')
    .values({ userId, createdAt: systemTime(tx) })
    .onConflict((conflict) => conflict.column('isOnly').doNothing())
    .returning('userId')
    .executeTakeFirst();
  return recorded !== undefined;
}
