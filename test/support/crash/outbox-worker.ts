// A process that enqueues numbered jobs, each with a row in the table `changes`, and relays jobs to the queue, until it is killed.
// Every third transaction is rolled back. Started by test/kill/outbox.test.ts.
import { sql } from 'kysely';
import pino from 'pino';
import type { Context, Tx } from '../../../server/context.ts';
import { appRole } from '../../../server/platform/db/app-role.ts';
import { connect, typedQueries } from '../../../server/platform/db/connect.ts';
import { transact } from '../../../server/platform/db/transact.ts';
import { randomIds } from '../../../server/platform/lib/ids.ts';
import { jobName } from '../../../server/platform/queue/job.ts';
import { createJobs, relayJobs } from '../../../server/platform/queue/outbox.ts';
import { openQueue } from '../../../server/platform/queue/queue.ts';

export type WorkerOptions = {
  connection: { host: string; port: number; user: string; database: string };
  programId: string;
  /** The number of the first job. */
  first: number;
};

export const numberedJob = jobName<{ programId: string; number: number }>('test.numbered');

if (process.argv[2]) await work(JSON.parse(process.argv[2]) as WorkerOptions);

async function work({ connection, programId, first }: WorkerOptions): Promise<void> {
  const log = pino({ level: 'fatal' });
  const boss = await openQueue(connect({ ...connection, max: 2 }), log, { supervise: false });
  const db = typedQueries(connect({ ...connection, role: appRole, max: 3 }));
  const ctx = { db, log, ids: randomIds, jobs: createJobs(boss) } as unknown as Context;
  process.stdout.write('ready\n');
  const enqueue = async () => {
    for (let number = first; ; number += 1)
      await transact(ctx, (tx) => change(tx, { programId, number })).catch((error: Error) => {
        if (error.message !== 'rolled back') throw error;
      });
  };
  const relay = async () => {
    for (;;) await relayJobs(ctx, boss);
  };
  await Promise.all([enqueue(), relay()]);
}

async function change(tx: Tx, { programId, number }: { programId: string; number: number }): Promise<void> {
  await sql`insert into changes (number) values (${number})`.execute(tx.db);
  await tx.jobs.enqueue(tx, numberedJob, { programId, number });
  if (number % 3 === 0) throw new Error('rolled back');
}
