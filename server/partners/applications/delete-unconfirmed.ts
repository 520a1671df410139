import { sql } from 'kysely';
import { transact } from '../../platform/db/transact.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';

/** Longer than links are valid. */
const keptForMs = 2 * 24 * 60 * 60_000;

/** Deletes applications whose address was never confirmed: they may contain the address of another person. */
export const deleteUnconfirmedApplications = job({
  name: 'applications.delete_unconfirmed',
  retries: 2,
  cron: '41 * * * *',
  async run(ctx) {
    const before = new Date(ctx.clock.now().getTime() - keptForMs);
    await forEachProgram(ctx, {
      find: (scope) => sql`select distinct program_id from applications where confirmed_at is null and created_at < ${before} and ${scope}`,
      run: (programId) =>
        transact(ctx, ({ db }) => {
          const applications = db.deleteFrom('applications').where('programId', '=', programId);
          return applications.where('confirmedAt', 'is', null).where('createdAt', '<', before).execute();
        }),
    });
  },
});
