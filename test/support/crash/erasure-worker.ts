// A process that erases a person until it is finished or killed. Started by test/kill/persons.test.ts.
import { erasePerson } from '../../../server/operations/persons/erasing/erase.ts';
import { fixedClock } from '../../../server/platform/lib/clock.ts';
import { actor, email } from '../persons/person.ts';
import { openWorkerContext, type WorkerConnection } from './worker-context.ts';

export type ErasureWorkerOptions = { connection: WorkerConnection; vaultKey: string; now: number };

if (process.argv[2]) await work(JSON.parse(process.argv[2]) as ErasureWorkerOptions);

async function work({ now, ...options }: ErasureWorkerOptions): Promise<void> {
  const ctx = openWorkerContext({ ...options, clock: fixedClock(new Date(now)) });
  await erasePerson(ctx, { email, actor, forfeits: true });
  process.exit(0);
}
