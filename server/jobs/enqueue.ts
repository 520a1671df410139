// The seam to the queue: a job is a row of the transaction that asks for it, so both commit or neither.
import { fromKysely, type PgBoss } from 'pg-boss';
import type { Tx } from '../context.ts';
import type { Job } from './job.ts';

/** What the domain needs of the queue. */
export type Jobs = {
  enqueue<Data extends object>(tx: Tx, job: Pick<Job<Data>, 'name'>, data: Data, options?: { delaySeconds?: number }): Promise<void>;
};

export function jobsOn(boss: PgBoss): Jobs {
  return {
    async enqueue(tx, { name }, data, { delaySeconds = 0 } = {}) {
      await boss.send(name, data, { db: fromKysely(tx.db), startAfter: delaySeconds });
    },
  };
}
