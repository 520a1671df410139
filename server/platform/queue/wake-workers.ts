// Finds the due jobs of all queues with one query a second. pg-boss would send one for each queue, all at the same moment.
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Context } from '../../context.ts';

const lookMs = 1000;

/** Wakes the workers (id by queue) whose queue has a due job by the database's clock, which pg-boss uses too. Ends with the queue. */
export function wakeWorkers(ctx: Pick<Context, 'db' | 'log'>, boss: PgBoss, workers: ReadonlyMap<string, string>): void {
  let isLooking = false;
  const look = async (): Promise<void> => {
    const { rows } = await sql<{ name: string }>`
      select queue.name from unnest(${[...workers.keys()]}::text[]) as queue (name)
      where exists (select from pgboss.job where job.name = queue.name and job.state < 'active' and job.start_after <= current_timestamp)`.execute(
      ctx.db,
    );
    for (const { name } of rows) boss.notifyWorker(workers.get(name) ?? '');
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => ctx.log.error({ err: error }, 'failed to look for due jobs'))
      .finally(() => {
        isLooking = false;
      });
  }, lookMs);
  boss.once('stopped', () => clearInterval(timer));
}
