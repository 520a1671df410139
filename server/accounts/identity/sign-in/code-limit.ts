import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * Each email allows ten wrong codes. An attacker who requests email after email for one address is stopped by this
 * limit over all of them: a chance of 1 in 50,000 per day. Links still work, so the user isn't locked out.
 */
const maxWrongCodesPerDay = 20;

/** Whether too many wrong codes were entered for an address within a day. */
export async function areCodesBlocked({ db, clock }: Tx, emailKey: string): Promise<boolean> {
  const { failures } = await db
    .selectFrom('emailVerifications')
    .select(sql<number>`coalesce(sum(failed_attempts), 0)`.as('failures'))
    .where('emailKey', '=', emailKey)
    .where('createdAt', '>', new Date(clock.now().getTime() - dayMs))
    .executeTakeFirstOrThrow();
  return Number(failures) >= maxWrongCodesPerDay;
}
