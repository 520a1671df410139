// Jobs of a program are first rows of the program, so that a job and the change that causes it both commit or neither does,
// even if the queue is in another database. A relay hands them to the queue; if it is killed, they are handed over again, and
// the queue ignores the job that it has under this id.
import { sql } from 'kysely';
import { fromKysely, type JobInsert, type PgBoss } from 'pg-boss';
import type { Context, Jobs, Tx } from '../../context.ts';
import { plainSql } from '../db/statements/plain-sql.ts';
import { advanceJobName } from '../test-clocks/write-clock.ts';
import { forEachProgram } from './each-program.ts';

export function createJobs(boss: PgBoss): Jobs {
  return {
    async enqueue(tx, { name }, data, { delaySeconds = 0 } = {}) {
      // A job of a schedule has no data.
      const programId = (data as { programId?: unknown } | null)?.programId;
      if (typeof programId === 'string') await insertJob(tx, programId, { name, data, delaySeconds });
      // Jobs of the installation, such as emails for signing in.
      else await boss.send(name, data, { db: fromKysely(tx.db), startAfter: delaySeconds });
    },
  };
}

type NewJob = { name: string; data: object; delaySeconds: number };

/** By the clock of the database, which the queue uses too. */
async function insertJob({ db, ids }: Tx, programId: string, { name, data, delaySeconds }: NewJob): Promise<void> {
  await plainSql`
    insert into job_outbox (program_id, id, name, data, start_at, created_at)
    values (${programId}, ${ids.uuid()}, ${name}, ${JSON.stringify(data)}, current_timestamp + make_interval(secs => ${delaySeconds}),
      current_timestamp)`.execute(db);
}

/** Jobs of a program that are handed over together. */
const jobsAtOnce = 500;

/** Hands the jobs of all programs to the queue, program by program. Throws `ProgramsFailed` at the end. */
export async function relayJobs(ctx: Pick<Context, 'db' | 'log'>, boss: PgBoss): Promise<void> {
  await forEachProgram(ctx, {
    find: (scope) => sql`select distinct program_id from job_outbox where ${scope}`,
    async run(programId) {
      while ((await relaySome(ctx, boss, programId)) === jobsAtOnce);
    },
  });
}

type Row = { id: string; name: string; data: object; startAt: Date };

/**
 * Returns how many jobs were handed over. The queue has them before they are deleted here. While the program's clock is advanced,
 * its jobs wait for the steps of the advance (run-waiting-jobs.ts).
 */
async function relaySome({ db }: Pick<Context, 'db'>, boss: PgBoss, programId: string): Promise<number> {
  const { rows } = await sql<Row>`
    select id, name, data, start_at from job_outbox
    where program_id = ${programId} and (name = ${advanceJobName}
      or not exists (select from test_clocks where program_id = ${programId} and advance_id is not null))
    order by id limit ${jobsAtOnce}`.execute(db);
  for (const [name, jobs] of Map.groupBy(rows, (row) => row.name)) await boss.insert(name, jobs.map(toInsert));
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await sql`delete from job_outbox where program_id = ${programId} and id = any(${ids}::uuid[])`.execute(db);
  return rows.length;
}

const toInsert = ({ id, data, startAt }: Row): JobInsert => ({ id, data, startAfter: startAt });
