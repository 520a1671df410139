// Starts scheduled announcements when they are due, and continues those whose job gave up.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';
import { startAnnouncement } from './send.ts';
import { writeEmailsJob } from './write-emails.ts';

const actor = { kind: 'schedule' as const, id: 'announcements.startDue' };

/** After this time without progress, the job of an announcement is enqueued again. It is idempotent. */
const stalledMs = 3_600_000;

const due = (now: Date) => sql<boolean>`(status = 'scheduled' and send_at <= ${now}
  or status = 'sending' and updated_at < ${new Date(now.getTime() - stalledMs)})`;

export const startDueAnnouncements = job<object>({
  name: actor.id,
  retries: 0,
  cron: '* * * * *',
  run: (ctx) =>
    forEachProgram(ctx, {
      find: (scope, now) => sql`
        select distinct program_id from announcements as announcement
        where status in ('scheduled', 'sending') and ${due(now)} and ${scope}
          and exists (select from programs as program where program.id = program_id and program.delete_after is null)`,
      run: (programId, own) => startDue(own, programId),
    }),
});

/** Starts the announcements of a program that are due. */
export function startDue(ctx: Context, programId: string): Promise<void> {
  return transact(ctx, async (tx) => {
    const announcements = tx.db.selectFrom('announcements').selectAll().where('programId', '=', programId);
    const rows = announcements.where('status', 'in', ['scheduled', 'sending']).where(due(tx.clock.now()));
    for (const row of await rows.orderBy('id').forUpdate().execute()) {
      if (row.status === 'scheduled') await startAnnouncement(tx, actor, row);
      else await tx.jobs.enqueue(tx, writeEmailsJob, { programId, announcementId: row.id });
    }
  });
}
