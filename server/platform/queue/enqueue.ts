// A job is stored in the transaction that enqueues it, so that both commit or neither does.
import { fromKysely, type PgBoss } from 'pg-boss';
import type { Jobs } from '../../context.ts';

export function createJobs(boss: PgBoss): Jobs {
  return {
    async enqueue(tx, { name }, data, { delaySeconds = 0 } = {}) {
      await boss.send(name, data, { db: fromKysely(tx.db), startAfter: delaySeconds });
    },
  };
}
