import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { factorWaitHours, findWait } from '../../programs/second-person/waiting.ts';

type Of = { id: string; programId: string };

/**
 * From when the second factor of a member counts for money; null if it does. A program in test mode doesn't wait, unless a
 * payout provider of it is live.
 */
export async function findPaymentWait({ db, clock }: Pick<Context, 'db' | 'clock'>, { id, programId }: Of): Promise<Date | null> {
  const { rows } = await sql<{ changedAt: Date | null; confirmedAt: Date | null; isTest: boolean }>`
    select users.second_factor_changed_at as changed_at, confirmation.confirmed_at,
      program.mode = 'test' and not exists (
        select from providers where program_id = ${programId} and kind = 'payout' and mode = 'live' and status <> 'archived'
      ) as is_test
    from users join programs as program on program.id = ${programId}
    left join member_confirmations as confirmation on confirmation.program_id = ${programId} and confirmation.user_id = ${id}
    where users.id = ${id}`.execute(db);
  const [found] = rows;
  if (!found || found.isTest) return null;
  return findWait({ changedAt: found.changedAt, confirmedAt: found.confirmedAt, waitHours: factorWaitHours }, systemTime({ clock }));
}
