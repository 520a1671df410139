// When something becomes due next in a program. `due-work.ts` does it.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { addDays, addMonths, localDate, localMonth, startOfDay } from '../../platform/lib/zoned-time.ts';

type Due = { nextAt: Date | null; timezone: string; hasDailyWork: boolean };

/** The next time after now at which something is due: a row that waits for its time, the start of a day or of a month. */
export async function findNextDue({ db, clock }: Pick<Context, 'db' | 'clock'>, programId: string): Promise<Date> {
  const now = clock.now();
  const { rows } = await sql<Due>`
    select program.timezone, least(
      (select min(matures_at) from commissions where program_id = ${programId} and status = 'pending' and matures_at > ${now}),
      (select min(next_run_at) from payout_schedules where program_id = ${programId} and next_run_at > ${now}),
      (select min(apply_at) from pending_decisions where program_id = ${programId} and outcome is null and apply_at > ${now}),
      (select min(next_attempt_at) from provider_events
        where program_id = ${programId} and status in ('received', 'waiting') and next_attempt_at > ${now}),
      (select min(next_check_at) from payouts
        where program_id = ${programId} and status in ('queued', 'unknown', 'sent') and next_check_at > ${now}),
      (select min(send_at) from announcements where program_id = ${programId} and status = 'scheduled' and send_at > ${now}),
      (select min(not_before) from emails
        where program_id = ${programId} and status = 'queued' and sending_at is null and not_before > ${now}),
      (select min(delivery.next_attempt_at) from webhooks as webhook
        join webhook_deliveries as delivery on delivery.program_id = ${programId} and delivery.webhook_id = webhook.id
        where webhook.program_id = ${programId} and webhook.status = 'active' and webhook.deleted_at is null
          and delivery.status = 'pending' and delivery.next_attempt_at > ${now})
    ) as next_at,
      exists (select from providers where program_id = ${programId} and kind = 'commerce' and status <> 'archived')
        or exists (select from group_moves where program_id = ${programId} and is_enabled)
        or exists (select from payouts where program_id = ${programId} and status = 'unknown')
        or exists (select from coupons where program_id = ${programId} and status = 'active' and leak_suspected_at is null) as has_daily_work
    from programs as program where program.id = ${programId}`.execute(db);
  const [due] = rows;
  if (!due) throw new Error('The program is missing.');
  const { nextAt, timezone, hasDailyWork } = due;
  const calendar = startOfDay(hasDailyWork ? addDays(localDate(now, timezone), 1) : addMonths(localMonth(now, timezone), 1), timezone);
  return nextAt !== null && nextAt < calendar ? nextAt : calendar;
}
