import { transact } from '../../platform/db/transact.ts';
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
    await transact(ctx, ({ db }) =>
      db.deleteFrom('applications').where('confirmedAt', 'is', null).where('createdAt', '<', before).execute(),
    );
  },
});
